import type { FrontMatter } from '../model/index.ts';
import { readLineWise } from './line-wise.ts';
import { type HeadData, readPlainYaml } from './plain-yaml.ts';

/** UTF-16 units between the two marks. A head says what a file is; what is larger is no head. */
const MAX_HEAD = 64 * 1024;

type Fault = FrontMatter['faults'][number];

/** The lines between the marks, joined by `\n`, whatever ended them in the file. */
type Head = { text: string; bodyStart: number; bodyLine: number };

/**
 * The front matter of a file's text, with or without a byte order mark; null: the first line is not `---`. It never
 * throws: what is wrong with it is in `faults`.
 */
export async function readFrontMatter(text: string): Promise<FrontMatter | null> {
  const head = headOf(text);
  if (head === null) return null;
  if ('fault' in head) return failed([head.fault]);
  const plain = readPlainYaml(head.text);
  if (plain !== null) return frontMatter('yaml', head, plain, []);
  // Most heads are plain: the parser is loaded for the others only.
  const { readYaml } = await import('./yaml-library.ts');
  const { read, faults } = readYaml(head.text);
  if (read !== null) return frontMatter('yaml', head, read, []);
  const lineWise = readLineWise(head.text);
  const inFile = faults.map((fault) => ({ ...fault, line: fault.line + 1 }));
  return Object.keys(lineWise.data).length === 0 ? failed(inFile) : frontMatter('line-wise', head, lineWise, inFile);
}

/** A whole file of YAML, as if it were front matter without a body. */
export async function readWhole(text: string): Promise<FrontMatter> {
  const mapping = text.replace(/^\ufeff?---[ \t]*\r?\n/, '');
  const before = text.length === mapping.length ? 1 : 0;
  const read = (await readFrontMatter(`---\n${mapping}\n---\n`)) ?? failed([]);
  const inFile = (line: number): number => Math.max(1, line - before);
  return {
    ...read,
    bodyStart: text.length,
    lines: Object.fromEntries(Object.entries(read.lines).map(([key, line]) => [key, inFile(line)])),
    faults: read.faults.map((fault) => ({ ...fault, line: inFile(fault.line) })),
  };
}

function frontMatter(
  read: FrontMatter['read'],
  { bodyStart, bodyLine }: Head,
  { data, lines }: HeadData,
  faults: readonly Fault[],
): FrontMatter {
  const inFile = Object.fromEntries(Object.entries(lines).map(([key, line]) => [key, line + 1]));
  return { read, data, bodyStart, bodyLine, lines: inFile, faults };
}

function failed(faults: readonly Fault[]): FrontMatter {
  return { read: 'failed', data: {}, bodyStart: 0, bodyLine: 1, lines: {}, faults };
}

function headOf(text: string): Head | { fault: Fault } | null {
  const first = lineAt(text, text.startsWith('\ufeff') ? 1 : 0);
  if (first === null || !/^---[ \t]*$/.test(first.text)) return null;
  const lines: string[] = [];
  for (let at = first.next; at - first.next <= MAX_HEAD; ) {
    const line = lineAt(text, at);
    if (line === null) {
      return { fault: { message: 'the front matter has no end: a line --- is missing', line: 1, column: 1 } };
    }
    if (/^(?:---|\.\.\.)[ \t]*$/.test(line.text)) {
      return { text: lines.join('\n'), bodyStart: line.next, bodyLine: lines.length + 3 };
    }
    lines.push(line.text);
    at = line.next;
  }
  return { fault: { message: `the front matter is longer than ${MAX_HEAD / 1024} KiB`, line: 1, column: 1 } };
}

/** The line that begins at `start`, cut where it is longer than any that matters, and where the next one begins. */
function lineAt(text: string, start: number): { text: string; next: number } | null {
  if (start >= text.length) return null;
  const limit = Math.min(text.length, start + MAX_HEAD + 1);
  for (let end = start; end < limit; end += 1) {
    const character = text[end];
    if (character === '\n') return { text: text.slice(start, end), next: end + 1 };
    if (character === '\r') return { text: text.slice(start, end), next: end + (text[end + 1] === '\n' ? 2 : 1) };
  }
  return { text: text.slice(start, limit), next: limit };
}
