import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'unbash';

const ROOT = join(import.meta.dirname, '../..');

/**
 * A block of code in a page, 1-based line. `marker`: what the comment before it says, `command` of
 * `<!-- example: command -->`; null: there is none. `language`: of a fenced one; an indented one has none.
 */
export type Block = { line: number; language: string | null; text: string; marker: string | null };

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function blocksOf(page: string): Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  let marker: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = /^```(\w*)$/.exec(line);
    if (fence !== null) {
      const end = lines.indexOf('```', at + 1);
      blocks.push({ line: at + 2, language: fence[1] ?? '', text: lines.slice(at + 1, end).join('\n'), marker });
      marker = null;
      at = end;
    } else if (line.startsWith('    ') && (lines[at - 1] ?? '').trim() === '') {
      let end = at;
      while (/^ {4}|^$/.test(lines[end] ?? 'end')) end += 1;
      const text = lines.slice(at, end).map((inner) => inner.slice(4));
      blocks.push({ line: at + 1, language: null, text: text.join('\n').trimEnd(), marker });
      marker = null;
      at = end - 1;
    } else marker = /^<!-- example: (.+) -->$/.exec(line)?.[1] ?? (line === '' ? marker : null);
  }
  return blocks;
}

/** The arguments of each call of the program in shell text, also inside `$(…)`, loops and pipes. */
export function callsIn(shell: string): string[][] {
  const calls: string[][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, name, suffix } = node as { type?: string; name?: { value: string }; suffix?: Suffix[] };
    if (type === 'Command') {
      const words = (suffix ?? []).filter((part) => part.type === 'Word').map(({ value }) => value);
      if (name?.value === 'rein') calls.push(words);
      if (name?.value === 'node' && words[0] === 'dist/rein.js') calls.push(words.slice(1));
    }
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(JSON.parse(JSON.stringify(parse(shell))));
  return calls;
}

type Suffix = { type: string; value: string };

/** The calls in the running text: `rein config`, in code marks. */
export function inlineCallsIn(page: string): string[][] {
  const spans = [...page.matchAll(/`((?:rein|node dist\/rein\.js) [^`]+)`/g)].map(([, text = '']) => text);
  return spans.filter((text) => !isSynopsis(text)).flatMap(callsIn);
}

/** `rein -p [OPTIONS] [PROMPT]` tells a form, not a call. */
export function isSynopsis(text: string): boolean {
  return /\[[A-Z]{2,}|\[\w+\||\w+\|\w+\|/.test(text);
}
