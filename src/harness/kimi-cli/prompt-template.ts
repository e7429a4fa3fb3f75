import type { Diagnostic } from '../../base/index.ts';
import { filesOf, makePiece } from '../../instructions/index.ts';
import type { FoundFile, HarnessSettings, Piece, SourceQuery, World } from '../../model/index.ts';
import shipped from './template.md';

const KIND = 'prompt-template';
/** 256 KiB. */
const CAP = 256 * 1024;

/** `harnesses.kimi-cli.template`: a file of the user's own, absolute or from the home or working directory. */
function templatePath({ own, home, cwd }: HarnessSettings): string | null {
  const { template } = own;
  if (typeof template !== 'string' || template.trim() === '') return null;
  if (template.startsWith('~/')) return `${home}/${template.slice(2)}`;
  return template.startsWith('/') ? template : `${cwd}/${template}`;
}

/** Where a template of the user's own is to be found; none is asked for: nothing. */
export function templateQueries(settings: HarnessSettings): readonly SourceQuery[] {
  const path = templatePath(settings);
  if (path === null) return [];
  return [
    {
      kind: KIND,
      names: [],
      places: [{ at: 'file', path, scope: 'user' }],
      match: 'exact',
      order: 'listed',
      perDirectory: 'first',
      take: 'first',
      dedupe: 'none',
      cap: CAP,
      overCap: 'skip',
      blank: 'present',
      decode: 'strict',
      writableByOthers: 'notice',
      followStubs: false,
      refresh: 'request',
    },
  ];
}

export type PromptTemplate = {
  text: string;
  /** A stretch of it as a piece. */
  chunk(text: string, index: number): Piece;
  diagnostics: readonly Diagnostic[];
};

/** The shipped template, or the user's own where there is one that can be read. */
export function promptTemplate(world: World, settings: HarnessSettings): PromptTemplate {
  const path = templatePath(settings);
  const [own] = filesOf(world.files, KIND);
  if (own !== undefined) return { text: own.text, chunk: ownChunk(own), diagnostics: [] };
  return { text: shipped, chunk: shippedChunk, diagnostics: path === null ? [] : [notThere(path)] };
}

function notThere(path: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'template/not-read',
    message: `harnesses.kimi-cli.template names it, and it cannot be read as UTF-8 of at most ${CAP / 1024} KiB; the shipped template is used`,
    path,
  };
}

const PLACE = { kind: 'template', placement: 'system', requirement: 'M6' } as const;

function shippedChunk(text: string, index: number): Piece {
  const rule = 'The shipped prompt template, between two of its values.';
  // Its line ends at either side are part of it.
  return makePiece({ ...PLACE, id: `template/${index}`, origin: { type: 'shipped' }, rule, text });
}

function ownChunk({ path, scope, sha256 }: FoundFile): PromptTemplate['chunk'] {
  const rule = 'The template that the settings name, between two of its values.';
  const origin = { type: 'file', path, scope } as const;
  return (text, index) => makePiece({ ...PLACE, id: `template/${index}`, origin, rule, text, fileSha256: sha256 });
}
