import {
  chainReminder,
  filesOf,
  pathsReminder,
  recentReminder,
  rootFile,
  selectBodies,
  skillsReminder,
  todosReminder,
} from '../../instructions/index.ts';
import { type FoundFile, isNeeds, type Needs, type Reminder, type Turn } from '../../model/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { Chain } from './chain.ts';
import type { FacetedForm } from './form.ts';
import { type InstructionBody, instructionBody } from './instruction-body.ts';
import { skillsOf } from './inventory.ts';
import { speaking, takesInstructions } from './members.ts';
import { filesNeeded } from './sources.ts';

const KIND = 'used-file';
/** Files outside the chain that are looked at again; the last used ones. */
const MAX_LOOKED = 64;

/** Instruction files outside the chain that were used, the first used first; those that are gone are not among them. */
function usedFiles(turn: Turn, chain: ReadonlySet<string>): readonly FoundFile[] | Needs {
  const { world, session } = turn;
  const paths = session.delivery.used.filter((path) => !chain.has(path)).slice(-MAX_LOOKED);
  const needed = filesNeeded(turn, KIND, paths);
  if (needed !== null) return needed;
  const found = new Map(filesOf(world.files, KIND).map((file) => [file.realPath, file]));
  return speaking(paths.flatMap((path) => found.get(path) ?? []));
}

/** Skills that can be loaded again. */
function loadedSkills(form: FacetedForm, turn: Turn): string[] {
  const names = new Set(skillsOf(form, turn).visible.map(({ name }) => name));
  return turn.session.delivery.skills.filter((name) => names.has(name));
}

function isPresent<T>(value: T | null): value is T {
  return value !== null;
}

/**
 * What goes out anew once the conversation was made shorter (rows P49 to P54): the chain, files that were used lately,
 * the paths of the others, the names of loaded skills, open todos. Links are not followed again: linked files are among
 * those that were used.
 */
export function composeRedelivery(form: FacetedForm, turn: Turn): Chain | Needs {
  const { world, session } = turn;
  const chain = takesInstructions(form, turn) ? speaking(filesOf(world.files, 'context-file')) : [];
  const members = new Set(chain.map(({ realPath }) => realPath));
  const used = usedFiles(turn, members);
  if ('needs' in used) return used;
  const bodies = allOrNeeds([...chain, ...used].map((file) => instructionBody(form, turn, file)));
  if (isNeeds(bodies)) return bodies;
  const { delivery, directories, todos, header } = session;
  const rules = {
    root: rootFile(chain, directories[0] ?? header.cwd),
    chain: members,
    used: delivery.used,
    kept: delivery.kept,
  };
  const { bodies: selected, paths } = selectBodies<InstructionBody>(bodies, rules);
  const isMember = ({ file }: Pick<InstructionBody, 'file'>): boolean => members.has(file.realPath);
  const isLarge = (body: Pick<InstructionBody, 'file'>): boolean => isMember(body) && body.file.status === 'path-only';
  const inChain = bodies.filter((body) => isMember(body) && (selected.includes(body) || isLarge(body)));
  const again = chainReminder(inChain, delivery, 'context-reset', form.chain);
  const recent = recentReminder(
    selected.filter((body) => !isMember(body)),
    form.chain,
  );
  const named = pathsReminder(
    paths.filter(({ candidate }) => !isLarge(candidate)),
    form.chain,
  );
  const reminders: (Reminder | null)[] = [
    again.reminder,
    recent.reminder,
    named,
    skillsReminder(loadedSkills(form, turn), form.chain),
    todosReminder(todos, form.chain),
  ];
  return {
    chain: [...members],
    reminders: reminders.filter(isPresent),
    diagnostics: [...bodies.flatMap((body) => body.diagnostics), ...again.diagnostics, ...recent.diagnostics],
  };
}
