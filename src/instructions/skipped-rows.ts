import { basename, dirname } from 'node:path';
import type { Diagnostic } from '../base/index.ts';
import { isBlank, sha256 } from '../base/index.ts';
import type { FoundFile, Origin, PieceKind, ReportedPiece, World } from '../model/index.ts';
import { estimateTokens, TOKEN_METHOD } from './estimate-tokens.ts';
import { fileId } from './piece.ts';

const FILE_KINDS: readonly PieceKind[] = [
  'context-file',
  'override',
  'append',
  'facet',
  'subagent',
  'skill',
  'template',
];

// Diagnostics of the search that mean: this file is there, and counts as absent.
const REFUSED: readonly string[] = ['over-cap', 'not-utf8', 'unreadable', 'not-regular', 'writable-by-others'].map(
  (what) => `discovery/${what}`,
);

type Skipped = {
  kind: PieceKind;
  path: string;
  realPath: string;
  origin: Origin;
  text: string;
  sha256: string;
  size: number;
  reason: string;
};

/** Texts that others bring in: where they are part of a piece they are its fragments, else nothing wanted them. */
const BROUGHT_IN: readonly string[] = ['fragment', 'embedded-file', 'delivered-file', 'project-vars'];

function kindOf(query: string): PieceKind {
  if (query === 'prompt-template') return 'template';
  // A harness may look for the skills of each scope by themselves.
  const [name] = query.split(':');
  return FILE_KINDS.find((kind) => kind === name) ?? 'context-file';
}

function reasonFor(file: FoundFile, sent: readonly ReportedPiece[]): string {
  if (file.status === 'read' && isBlank(file.text)) return 'it is blank and says nothing';
  if (file.status === 'path-only') {
    const named = sent.some(({ kind }) => kind === 'path-list');
    return `${file.size} bytes, over the limit for a body${named ? ': its path is sent instead' : ''}`;
  }
  if (
    file.kind.startsWith('skill:') &&
    !sent.some(({ kind, origin }) => kind === 'skill-list' && origin.path === file.path)
  )
    return 'not listed: another of its name counts, or there are others than those of the program';
  if (kindOf(file.kind) === 'skill') return 'only its name and description are sent until it is called for';
  if (file.kind === 'subagent') return 'it is the system prompt of an agent that is started by its name';
  if (file.kind === 'facet') return 'another facet is in force';
  const flag = sent.some(({ kind, origin }) => kind === 'override' && origin.type === 'flag');
  if (flag && file.kind === 'override') return 'a text given for this run stands in its place';
  return 'found, and not part of this request';
}

/** Files that the search took and whose text is nowhere in the request. */
function takenButNotSent(world: World, sent: readonly ReportedPiece[]): Skipped[] {
  const ids = new Set(sent.map(({ id }) => id));
  const bodies = new Set(
    sent.flatMap(({ kind, origin }) =>
      kind === 'facet' || kind === 'subagent' || kind === 'skill' || kind === 'template' ? [origin.path] : [],
    ),
  );
  return world.files
    .filter(({ kind }) => !BROUGHT_IN.includes(kind))
    .filter((file) => !ids.has(fileId(kindOf(file.kind), file.realPath)) && !bodies.has(file.path))
    .map((file) => ({
      kind: kindOf(file.kind),
      path: file.path,
      realPath: file.realPath,
      origin: { type: 'file', path: file.path, scope: file.scope },
      text: file.text,
      sha256: file.sha256,
      size: file.size,
      reason: reasonFor(file, sent),
    }));
}

/** Files that are there and that the search passed over, as its diagnostics say; their bytes are not known. */
function passedOver(world: World): Skipped[] {
  const taken = new Set(world.files.map(({ path }) => path));
  return world.diagnostics.flatMap((diagnostic: Diagnostic): Skipped[] => {
    const { path, code, message, data } = diagnostic;
    if (path === undefined || !REFUSED.includes(code) || taken.has(path)) return [];
    const search = world.searched.find(
      ({ directory, looked }) => directory === dirname(path) && looked.includes(basename(path)),
    );
    const size = typeof data?.size === 'number' ? data.size : 0;
    const origin: Origin = { type: 'file', path, ...(search === undefined ? {} : { scope: search.scope }) };
    return [
      {
        kind: kindOf(search?.kind ?? ''),
        path,
        realPath: path,
        origin,
        text: '',
        sha256: sha256(''),
        size,
        reason: message,
      },
    ];
  });
}

/** A row for each file that exists under a name that counts and is not in the request, with the reason (R3). */
export function skippedRows(world: World, sent: readonly ReportedPiece[]): ReportedPiece[] {
  return [...takenButNotSent(world, sent), ...passedOver(world)].map((file): ReportedPiece => {
    const like = sent.find(({ kind }) => kind === file.kind);
    const inHistory = sent.some(({ kind }) => kind === 'path-list');
    return {
      id: fileId(file.kind, file.realPath),
      kind: file.kind,
      origin: file.origin,
      placement: like?.placement ?? (inHistory ? 'history' : 'system'),
      trigger: null,
      rule: like?.rule ?? 'It lies where this harness looks for instructions.',
      status: 'skipped',
      reason: file.reason,
      bytes: file.size,
      tokens: estimateTokens(file.text),
      tokenMethod: TOKEN_METHOD,
      sha256: file.sha256,
      at: [],
      fragments: [],
    };
  });
}
