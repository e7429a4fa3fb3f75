import type { Alias, Document, LineCounter, Node, Pair, visit } from 'yaml';
import { type Located, type Position, scriptError } from './located.ts';

const LONGEST_TEXT = 8 * 1024 * 1024;
const MOST_VALUES = 200_000;
const DEEPEST = 100;

/**
 * YAML 1.2 (so JSON too) with positions. Throws UsageError with file, line and column; also for a text that is too
 * large, and for anchors that unfold to too many values.
 */
export async function parseLocated(text: string, path: string): Promise<Located> {
  const start = { line: 1, column: 1 };
  if (text.length > LONGEST_TEXT) throw scriptError(path, start, 'larger than 8 MiB');
  const yaml = await import('yaml');
  const { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } = yaml;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2', logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    const what = error.code === 'MULTIPLE_DOCS' ? 'a second document: a script is one' : error.message;
    throw scriptError(path, position(lines, error.pos[0]), what);
  }
  const targets = aliasTargets(document as Document, yaml.visit);
  let values = 0;

  const locate = (node: unknown, depth: number, parent: Position): Located => {
    const at = rangeStart(lines, node) ?? parent;
    values += 1;
    if (values > MOST_VALUES) throw scriptError(path, at, `more than ${MOST_VALUES} values`);
    if (depth > DEEPEST) throw scriptError(path, at, `nested deeper than ${DEEPEST} levels`);
    if (isAlias(node)) return locate(targetOf(targets.get(node), path, at), depth + 1, at);
    if (isSeq(node)) return { at, kind: 'list', items: node.items.map((item) => locate(item, depth + 1, at)) };
    if (isMap(node)) {
      const pairs = node.items.filter((item) => isPair(item)) as Pair[];
      const entries = pairs.map((pair) => {
        const keyAt = rangeStart(lines, pair.key) ?? at;
        if (!isScalar(pair.key)) throw scriptError(path, keyAt, 'a key must be a plain word');
        return [String(pair.key.value), { at: keyAt, value: locate(pair.value, depth + 1, keyAt) }] as const;
      });
      return { at, kind: 'map', entries: new Map(entries) };
    }
    const value = isScalar(node) ? node.value : null;
    const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
    return { at, kind: 'scalar', value: plain };
  };
  return locate(document.contents, 0, start);
}

/**
 * Each alias with the last node before it of that anchor, in one pass: the library looks through the whole document for
 * each alias anew.
 */
function aliasTargets(document: Document, visitEach: typeof visit): ReadonlyMap<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visitEach(document, {
    Alias(_key, alias) {
      const target = anchored.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
    },
    Value(_key, node) {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

function targetOf(target: Node | undefined, path: string, at: Position): Node {
  if (target === undefined) throw scriptError(path, at, 'an alias without its anchor');
  return target;
}

function rangeStart(lines: LineCounter, node: unknown): Position | undefined {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range === undefined || range === null ? undefined : position(lines, range[0]);
}

function position(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}
