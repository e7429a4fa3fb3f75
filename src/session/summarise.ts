import { cutHead, isRecord, parseJson } from '../base/index.ts';
import type { FilePort } from '../host/index.ts';
import type { Header } from '../model/index.ts';
import { readHeader } from './header.ts';
import { SessionError } from './session-error.ts';
import type { StoredFile } from './session-places.ts';
import type { SessionSummary } from './session-store.ts';

/** Bytes looked at: of the start for the header and the first prompt, of the end for the title. */
const HEAD = 64 * 1024;
const TAIL = 16 * 1024;
/** Large instruction files stand before the first prompt: where it is not in the head, so far it is looked for. */
const FAR_HEAD = 1024 * 1024;
/** Bytes of the first prompt. */
const PROMPT = 200;

/** What a stored session is, by the two ends of its file. Null where it is no readable session. Throws FileError. */
export async function summarise(file: StoredFile, files: FilePort): Promise<SessionSummary | null> {
  const facts = await files.stat(file.path);
  if (facts === null || facts.kind !== 'file' || facts.size === 0) return null;
  const head = await lines(files, file.path, 0, HEAD);
  const header = headerOf(head[0] ?? '', file);
  if (header === null) return null;
  const prompt = firstPrompt(head) ?? (await farPrompt(file, facts.size, files));
  const tail = facts.size > HEAD ? await lines(files, file.path, facts.size - TAIL, facts.size) : [];
  return {
    id: file.id,
    path: file.path,
    cwd: header.cwd,
    projectRoot: header.projectRoot,
    program: header.program,
    kind: header.kind,
    forkedFrom: header.forkedFrom,
    time: header.time,
    modifiedMs: facts.mtimeMs,
    size: facts.size,
    title: (lastTitle(tail) ?? lastTitle(head) ?? '') || null,
    firstPrompt: prompt,
  };
}

/** The whole lines of a stretch, and what is cut at its edges; the readers below pass over that. */
async function lines(files: FilePort, path: string, start: number, end: number): Promise<string[]> {
  return Buffer.from(await files.readRange(path, start, end))
    .toString('utf8')
    .split('\n');
}

function headerOf(line: string, file: StoredFile): Header | null {
  try {
    return readHeader(line, file.path, file.id);
  } catch (error) {
    if (error instanceof SessionError) return null;
    throw error;
  }
}

function textOfLine(line: string, type: string): string | null {
  if (!line.includes(`"type":"${type}"`)) return null;
  const parsed = parseJson(line);
  return isRecord(parsed) && parsed.type === type && typeof parsed.text === 'string' ? parsed.text : null;
}

/** An empty one takes an earlier one back. */
function lastTitle(list: readonly string[]): string | null {
  for (const line of list.toReversed()) {
    const title = textOfLine(line, 'title');
    if (title !== null) return title;
  }
  return null;
}

function firstPrompt(list: readonly string[]): string | null {
  for (const line of list) {
    const text = textOfLine(line, 'prompt') ?? beginningOfPrompt(line);
    if (text !== null) return cutHead(text, PROMPT);
  }
  return null;
}

async function farPrompt(file: StoredFile, size: number, files: FilePort): Promise<string | null> {
  return size <= HEAD ? null : firstPrompt(await lines(files, file.path, 0, FAR_HEAD));
}

/** Of a prompt so long that its line does not end in what was read. */
function beginningOfPrompt(line: string): string | null {
  const start = /^\{"id":"[^"]{1,64}","parentId":[^,]{1,70},"time":"[^"]{1,40}","type":"prompt","text":"/.exec(line);
  if (start === null) return null;
  const text = line.slice(start[0].length, start[0].length + PROMPT * 6);
  const whole = /^(?:[^"\\]|\\(?:u[0-9a-f]{4}|[^u]))*/.exec(text)?.[0] ?? '';
  const parsed = parseJson(`"${whole}"`);
  return typeof parsed === 'string' ? parsed.toWellFormed() : null;
}
