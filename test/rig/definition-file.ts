import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { FoundFile, FrontMatter, Json } from '../../src/model/index.ts';
import { foundFile } from './found-file.ts';

/** As discovery reads it where it is no YAML: the top-level lines only. */
function lineWise(lines: readonly string[]): Pick<FrontMatter, 'read' | 'data' | 'lines'> {
  const keys = lines.flatMap((line, index): [string, string, number][] => {
    const [, key, rest] = /^([a-z_-]+):(.*)$/.exec(line) ?? [];
    return key === undefined || rest === undefined ? [] : [[key, rest.trim(), index + 2]];
  });
  return {
    read: keys.length === 0 ? 'failed' : 'line-wise',
    data: Object.fromEntries(keys.map(([key, rest]) => [key, rest])),
    lines: Object.fromEntries(keys.map(([key, , line]) => [key, line])),
  };
}

function frontMatterOf(text: string): FrontMatter | null {
  const end = text.indexOf('\n---\n');
  if (!text.startsWith('---\n') || end < 0) return null;
  const head = text.slice(4, end + 1);
  const counter = new LineCounter();
  const document = parseDocument(head, { lineCounter: counter });
  const place = { bodyStart: end + 5, bodyLine: head.split('\n').length + 2 };
  const faults = document.errors.map((error) => {
    const { line, col } = counter.linePos(error.pos[0]);
    return { message: error.message.split('\n')[0] ?? '', line: line + 1, column: col };
  });
  if (faults.length > 0) return { ...lineWise(head.split('\n')), ...place, faults };
  const items = isMap(document.contents) ? document.contents.items : [];
  const lines = items.flatMap(({ key }): [string, number][] =>
    isScalar(key) && key.range ? [[String(key.value), counter.linePos(key.range[0]).line + 1]] : [],
  );
  const data = (document.toJS() ?? {}) as Record<string, Json>;
  return { read: 'yaml', data, lines: Object.fromEntries(lines), ...place, faults };
}

/** A file as discovery hands it over, its front matter read. */
export function definitionFile(
  kind: 'facet' | 'subagent' | 'skill',
  path: string,
  text: string,
  fields: Partial<FoundFile> = {},
): FoundFile {
  return foundFile(kind, path, text, { frontMatter: frontMatterOf(text), ...fields });
}

export function facetFile(path: string, head: string, body = 'Body.\n', fields: Partial<FoundFile> = {}): FoundFile {
  return definitionFile('facet', path, `---\n${head}\n---\n${body}`, fields);
}

export function subagentFile(path: string, head: string, body = 'Body.\n', fields: Partial<FoundFile> = {}): FoundFile {
  return definitionFile('subagent', path, `---\n${head}\n---\n${body}`, fields);
}

export function skillFile(path: string, head: string, body = 'Body.\n', fields: Partial<FoundFile> = {}): FoundFile {
  return definitionFile('skill', path, `---\n${head}\n---\n${body}`, fields);
}
