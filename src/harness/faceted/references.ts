import { dirname } from 'node:path';
import {
  type Definition,
  type EmbeddedReferences,
  embedReferences,
  type ReferenceRules,
  type Skill,
  withoutFinalNewlines,
} from '../../instructions/index.ts';
import { type FoundFile, type HarnessSettings, isNeeds, type Needs, type Turn, type World } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { activeSubagent, inventoryOf, spawnedAs } from './inventory.ts';
import { maxFileBytes } from './sources.ts';

/** Where references may lead, and how large what they bring may be. */
export function referenceRules(
  form: FacetedForm,
  { world, settings }: { world: World; settings: HarnessSettings },
): ReferenceRules {
  return {
    project: world.projectRoot ?? world.stack[0] ?? world.cwd,
    home: settings.home,
    userDirectory: form.userDirectory(settings),
    trusted: settings.trusted === true,
    cap: maxFileBytes(settings),
  };
}

type Embedding = { file: FoundFile; body: { text: string; line: number } };

/** Files that a body names are part of it from its loading on: read with it, and again at a reload only (seed 004). */
function embed(
  form: FacetedForm,
  turn: Turn,
  { file, body }: Embedding,
  mode: 'template' | 'literal',
): EmbeddedReferences | Needs {
  const { path, realPath, scope } = file;
  const given = { text: body.text, line: body.line, path, directory: dirname(realPath), scope };
  const answer = embedReferences(given, turn.world, referenceRules(form, turn), mode);
  return 'queries' in answer ? { needs: answer.queries } : answer;
}

const NOTHING = { embedded: [], paths: [], fragments: [], diagnostics: [] };

/** The template of a role; a shipped one names no files. */
export function embedIntoRole(form: FacetedForm, turn: Turn, { file, body }: Definition): EmbeddedReferences | Needs {
  const text = withoutFinalNewlines(body.text);
  if (file === null) return { ...NOTHING, text };
  return embed(form, turn, { file, body: { ...body, text } }, 'template');
}

export function embedIntoSkill(
  form: FacetedForm,
  turn: Turn,
  { file, body }: Skill,
  mode: 'template' | 'literal',
): EmbeddedReferences | Needs {
  return embed(form, turn, { file, body }, mode);
}

/** Those whose text may be the system prompt of this session. */
function rolesOf(form: FacetedForm, turn: Turn): readonly Definition[] {
  if (spawnedAs(turn) === null) return inventoryOf(form, turn).facets;
  return [activeSubagent(form, turn)].filter((subagent) => subagent !== null);
}

/**
 * What has still to be read of the files that facets and skills name: all of them at the first look, whichever facet is
 * in force, so that later edits wait for a reload. Null: nothing.
 */
export function unreadEmbeds(form: FacetedForm, turn: Turn): Needs | null {
  const { skills } = inventoryOf(form, turn);
  const answers = [
    ...rolesOf(form, turn).map((role) => embedIntoRole(form, turn, role)),
    ...skills
      .filter(({ body }) => body.text.includes('@'))
      .map((skill) => embedIntoSkill(form, turn, skill, 'literal')),
  ];
  const needs = answers.flatMap((answer) => (isNeeds(answer) ? answer.needs : []));
  return needs.length === 0 ? null : { needs };
}
