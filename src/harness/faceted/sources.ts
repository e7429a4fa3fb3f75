import { fileQuery } from '../../instructions/index.ts';
import type { HarnessSettings, Needs, SourceQuery, Turn } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';

/** Largest instruction file whose body is sent, bytes: `harnesses.NAME.max_file_bytes`. */
const DEFAULT_MAX_FILE_BYTES = 64 * 1024;

/** Of a facet, a subagent and a skill: far more than any prompt. */
const DEFINITION_CAP = 256 * 1024;

/** In order of preference (seed 004). */
const NAMES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'];

/** The setting where it is usable; the default otherwise. */
export function maxFileBytes(settings: HarnessSettings): number {
  const own = settings.own.max_file_bytes;
  return typeof own === 'number' && Number.isSafeInteger(own) && own >= 0 ? own : DEFAULT_MAX_FILE_BYTES;
}

/** How an instruction file is looked for and read, wherever it lies. */
export function instructionFileRules(settings: HarnessSettings): Omit<SourceQuery, 'kind' | 'places'> {
  return {
    names: NAMES,
    match: 'any-case',
    order: 'outermost-first',
    perDirectory: 'first',
    take: 'all',
    dedupe: 'real-path',
    cap: maxFileBytes(settings),
    overCap: 'path-only',
    // An edit that empties a file leaves the chain as it was (seed 004): what is blank is known, and not sent.
    blank: 'last',
    decode: 'sniff',
    writableByOthers: 'skip',
    followStubs: true,
    frontMatter: true,
    refresh: 'turn',
  };
}

function definitions(form: FacetedForm): Omit<SourceQuery, 'kind' | 'places' | 'names' | 'match' | 'perDirectory'> {
  return {
    order: 'listed',
    take: 'all',
    dedupe: 'none',
    cap: DEFINITION_CAP,
    overCap: 'skip',
    blank: 'present',
    decode: 'sniff',
    writableByOthers: 'skip',
    followStubs: false,
    frontMatter: true,
    ...(form.followLinks ? {} : { links: 'skip' as const }),
    refresh: 'startup',
  };
}

/** Facets and subagents: each Markdown file of a directory, the project's before the user's. */
function roles(form: FacetedForm, userDirectory: string, kind: 'facet' | 'subagent'): SourceQuery {
  const inside = `${form.inside}/${kind}s`;
  return {
    ...definitions(form),
    kind,
    names: ['.md'],
    match: 'suffix',
    perDirectory: 'all',
    places: [
      { at: 'project', inside, scope: 'project', reportNearer: false, from: 'session-start' },
      { at: 'directory', path: `${userDirectory}/${kind}s`, scope: 'user' },
    ],
  };
}

/**
 * Where the texts live (seed 004). The chain: the user's directory, the file system's ancestors down to where the
 * conversation began, then the stack of directories. Facets, subagents and
 * skills: the project's, then the user's.
 */
export function facetedSources(form: FacetedForm, settings: HarnessSettings): readonly SourceQuery[] {
  const userDirectory = form.userDirectory(settings);
  return [
    {
      ...instructionFileRules(settings),
      kind: 'context-file',
      places: [
        { at: 'directory', path: userDirectory, scope: 'user' },
        { at: 'walk', to: 'file-system', from: 'session-start' },
        { at: 'stack' },
      ],
    },
    roles(form, userDirectory, 'facet'),
    roles(form, userDirectory, 'subagent'),
    {
      ...definitions(form),
      kind: 'skill',
      names: ['SKILL.md'],
      match: 'exact',
      perDirectory: 'first',
      places: form.skillPlaces(settings),
    },
    {
      ...definitions(form),
      kind: 'project-vars',
      names: ['project_vars.yaml', 'project_vars.yml'],
      match: 'exact',
      perDirectory: 'first',
      frontMatter: 'whole',
      places: [{ at: 'project', inside: form.inside, scope: 'project', reportNearer: false, from: 'session-start' }],
    },
    ...form.moreSources(settings),
  ];
}

/**
 * Asks for instruction files of known paths, as they are now, under a kind of their own; null: that was asked already,
 * or there are none.
 */
export function filesNeeded({ world, settings }: Turn, kind: string, paths: readonly string[]): Needs | null {
  if (paths.length === 0 || world.searched.some((search) => search.kind === kind)) return null;
  const { names: _names, ...rules } = instructionFileRules(settings);
  return { needs: paths.map((path) => fileQuery(kind, path, { ...rules, refresh: 'request' })) };
}
