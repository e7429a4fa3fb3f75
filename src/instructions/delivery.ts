import type { Delivery, Event, EventOf, Fold, FoldLookup } from '../model/index.ts';
import { PLAN_EDIT_ID, PLAN_ID } from './plan/plan-reminder.ts';
import { isTextFile } from './references/text-file.ts';
import { addUsed, keptReads, touchUsed, usedByTools } from './used-files.ts';

/** Before anything went out. */
export const NOTHING_DELIVERED: Delivery = {
  chain: null,
  files: {},
  keys: [],
  began: 'start',
  plan: null,
  kept: {},
  used: [],
  skills: [],
};

/** Beginnings of the ids of pieces that give a file: its text, or its path where the text is too large. */
const GIVEN = ['context-file', 'path-list'] as const;

/** Paths kept for a read alone; what is read beyond that may be sent as well. */
const MAX_READ = 1024;

type Given = { event: string; sha256: string };

/** Skills that are remembered by name beyond a context. */
const MAX_SKILLS = 256;
const SKILL = 'skill:';

/** A new piece of a skill's text: the name. References are `skill:NAME@hash`. */
function skillOf(ref: string): string[] {
  if (!ref.startsWith(SKILL)) return [];
  return [ref.slice(SKILL.length, ref.lastIndexOf('@'))];
}

function withSkills(skills: readonly string[], refs: readonly string[]): readonly string[] {
  const known = new Set(skills);
  const more = [...new Set(refs.flatMap(skillOf))].filter((name) => !known.has(name));
  return more.length === 0 ? skills : [...skills, ...more].slice(-MAX_SKILLS);
}

function stepReminder(state: Delivery, event: EventOf<'reminder'>, lookup: FoldLookup): Delivery {
  const files: Record<string, Given> = {};
  let anew = false;
  for (const item of event.layout) {
    if (!('piece' in item)) continue;
    const kind = GIVEN.find((name) => item.piece.startsWith(`${name}:`));
    const piece = kind === undefined ? undefined : lookup.piece(item.piece);
    if (kind === undefined || piece?.kind !== kind) continue;
    anew ||= item.trigger === 'context-reset';
    files[piece.id.slice(kind.length + 1)] = { event: event.id, sha256: piece.fileSha256 ?? piece.sha256 };
  }
  const paths = Object.keys(files);
  // What is only given again at the start of a context is not used for that.
  const used = anew ? addUsed(state.used, paths) : touchUsed(state.used, paths);
  const skills = withSkills(
    state.skills,
    event.layout.flatMap((item) => ('piece' in item ? [item.piece] : [])),
  );
  const plan = planGiven(event, lookup) ?? state.plan;
  const newKey = event.key !== undefined && !state.keys.includes(event.key);
  if (paths.length === 0 && !newKey && skills === state.skills && plan === state.plan) return state;
  return {
    ...state,
    files: paths.length === 0 ? state.files : { ...state.files, ...files },
    keys: newKey ? [...state.keys, event.key as string] : state.keys,
    used,
    skills,
    plan,
  };
}

/** The hash of the plan that the model has after this reminder; null: it says nothing of the plan. */
function planGiven({ layout }: EventOf<'reminder'>, lookup: FoldLookup): string | null {
  const refs = layout.flatMap((item) => ('piece' in item ? [item.piece] : []));
  const ref = refs.find((each) => each.startsWith(`${PLAN_ID}@`) || each.startsWith(`${PLAN_EDIT_ID}@`));
  return ref === undefined ? null : (lookup.piece(ref)?.fileSha256 ?? null);
}

/** Files that tools worked with, and skills that the model called. */
function stepResult(state: Delivery, event: EventOf<'tool-result'>): Delivery {
  if (event.status !== 'ok') return state;
  const touched = usedByTools(state.used, event.observed);
  const refs = event.parts.flatMap((part) => (part.type === 'text' ? (part.pieces ?? []) : []));
  const skills = withSkills(
    state.skills,
    refs.map(({ piece }) => piece),
  );
  if (touched.length === 0 && skills === state.skills) return state;
  return { ...state, used: touchUsed(state.used, touched), skills };
}

/** Checkpoints of earlier versions hold less. */
function begun(state: Delivery, began: Delivery['began'], kept: Delivery['kept']): Delivery {
  return { ...NOTHING_DELIVERED, used: state.used ?? [], skills: state.skills ?? [], began, kept };
}

/**
 * A file that was read from its first to its last line, with line numbers or without, has been given (seed 004), and a
 * part of it read later takes nothing back. Only files that could be instructions are kept: files of prose. Of a file
 * that was given already the model has what it wrote itself, as long as it knew the whole of it.
 */
function stepSeen(state: Delivery, event: EventOf<'tool-result'>): Delivery {
  if (event.status !== 'ok') return state;
  const read = event.observed.filter(
    ({ how, complete, path }) =>
      complete && ((how === 'read' && isTextFile(path)) || (how === 'written' && state.files[path] !== undefined)),
  );
  const isNew = read.some(({ path, sha256 }) => state.files[path]?.sha256 !== sha256);
  if (!isNew) return state;
  const files: Record<string, Given> = { ...state.files };
  let count = Object.keys(files).length;
  for (const { path, sha256 } of read) {
    const known = files[path];
    if (known?.sha256 === sha256 || (known === undefined && count >= MAX_READ)) continue;
    if (known === undefined) count += 1;
    files[path] = { event: event.id, sha256 };
  }
  return { ...state, files };
}

/**
 * What the model was given of the user's instruction files in this context. A clear and a compaction begin a new one:
 * whatever a kept tail still shows counts as not delivered. A file counts by its piece, never by its text.
 */
export const deliveryFold: Fold<Delivery> = {
  name: 'delivery',
  checkpoint: 'carried',
  initial: () => NOTHING_DELIVERED,
  step(state: Delivery, event: Event, lookup: FoldLookup): Delivery {
    switch (event.type) {
      case 'chain':
        return { ...state, chain: event.paths };
      case 'reminder':
        return stepReminder(state, event, lookup);
      case 'tool-result':
        return stepResult(stepSeen(state, event), event);
      case 'clear':
        return begun(state, 'clear', {});
      case 'compaction':
        return begun(state, 'compaction', keptReads(event, lookup));
      default:
        return state;
    }
  },
};
