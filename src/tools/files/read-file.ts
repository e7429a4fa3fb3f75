import { resolve } from 'node:path';
import { nearest } from '../../base/index.ts';
import type { FileFacts, FilePort } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';
import type { ReadArgs, ReadValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { isSecretName } from '../secret-names.ts';
import { BoundedWindow } from './bounded-window.ts';
import { type LineWindow, splitLines, WindowCollector } from './line-window.ts';
import { listDirectory } from './list-directory.ts';
import { fileFailure } from './locate-target.ts';
import { observe } from './observe.ts';
import { readBinary, readPicture } from './read-binary.ts';
import { scanLines } from './scan-lines.ts';
import { decodeText, looksBinary, sniffEncoding, sniffMime } from './text-form.ts';

type Outcome = ToolOutcome<ReadValue>;

/** A text file's lines, a directory's names, or what kind of file it is. */
export async function readFile(args: ReadArgs, context: ToolContext): Promise<Outcome> {
  const { files } = context.host;
  const path = resolve(context.cwd, args.path);
  try {
    if (args.withoutSecrets === true && (await isSecret(files, path))) return failed(secret(path));
    const facts = await files.stat(path);
    if (facts === null) return failed(await notFound(files, path));
    if (facts.kind === 'directory' && args.only === undefined) return await listDirectory(path, context);
    if (facts.kind !== 'file') return failed(notRegular(path, facts));
    if (args.only === 'picture') return await readPicture(path, facts, context);
    if (facts.size > context.limits.fileBytes) return await readLarge(args, path, facts, context);
    return await readSmall(args, path, context);
  } catch (error) {
    return failed(fileFailure('read', error));
  }
}

async function readSmall(args: ReadArgs, path: string, context: ToolContext): Promise<Outcome> {
  const { files } = context.host;
  const found = await files.readRegular(path, { maxBytes: context.limits.fileBytes });
  if (!found.ok) {
    if (found.why === 'too-large' && found.facts !== undefined) return readLarge(args, path, found.facts, context);
    return failed({ code: `read/${found.why}`, message: `Cannot read ${path}: ${found.detail}.`, data: { path } });
  }
  const { bytes, facts } = found;
  const real = (await files.realPath(path)) ?? path;
  if (looksBinary(bytes)) {
    return args.only === 'text' ? failed(notText(path, bytes)) : readBinary(path, { bytes, facts, real }, context);
  }
  const encoding = sniffEncoding(bytes);
  const collector = collectorOf(args, context);
  for (const line of splitLines(decodeText(bytes, encoding))) collector.add(line);
  const window = collector.finish();
  const beyond = args.pastEnd === 'empty' ? null : pastEnd(path, window);
  if (beyond !== null) return failed(beyond);
  const complete = isComplete(window);
  const decorated = args.numbers === true;
  const range = complete ? {} : { range: [window.firstLine, window.lastLine] as [number, number] };
  return {
    value: { kind: 'text', path, ...window, complete, encoding, ...(decorated ? { numbers: true } : {}) },
    observed: [observe(real, bytes, facts, { how: 'read', complete, decorated, ...range })],
  };
}

/** Only a range that was asked for, found by reading through; no observation, since such a file cannot be edited. */
async function readLarge(args: ReadArgs, path: string, facts: FileFacts, context: ToolContext): Promise<Outcome> {
  const { files } = context.host;
  const start = await files.readRange(path, 0, 64 * 1024);
  if (looksBinary(start)) {
    if (args.only === 'text') return failed(notText(path, start));
    return { value: { kind: 'binary', path, size: facts.size, mime: sniffMime(start) }, observed: [] };
  }
  const encoding = sniffEncoding(start);
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const wholeFile = args.firstLine === undefined && args.lineCount === undefined && args.lastLines === undefined;
  if (wholeFile || isWide) {
    return failed(tooLarge(path, facts.size, context.limits.fileBytes));
  }
  const collector = collectorOf(args, context);
  const scanned = await scanLines(context, path, facts.size, (line, missing) => collector.add(line, missing));
  if (!scanned) return failed({ code: 'read/aborted', message: `Reading ${path} was stopped.`, data: { path } });
  const window = collector.finish();
  const beyond = args.pastEnd === 'empty' ? null : pastEnd(path, window);
  if (beyond !== null) return failed(beyond);
  const numbers = args.numbers === true ? { numbers: true as const } : {};
  return { value: { kind: 'text', path, ...window, complete: false, encoding, ...numbers }, observed: [] };
}

type LineCollector = { add(line: string, missingBytes?: number): void; finish(): LineWindow };

function collectorOf(args: ReadArgs, { limits }: ToolContext): LineCollector {
  const firstLine = Math.max(1, args.firstLine ?? 1);
  const lineCount = args.lineCount ?? Number.POSITIVE_INFINITY;
  const { resultBytes } = limits;
  const own = { lines: Number.POSITIVE_INFINITY, bytes: resultBytes, lineLength: limits.lineBytes };
  const { bounds, lastLines } = args;
  if (lastLines !== undefined)
    return new BoundedWindow({ from: { fromEnd: lastLines }, lineCount, bounds: bounds ?? own });
  if (bounds !== undefined) return new BoundedWindow({ from: { firstLine }, lineCount, bounds });
  const lineBytes = Math.min(limits.lineBytes, resultBytes);
  return new WindowCollector({ firstLine, lineCount, maxBytes: resultBytes, lineBytes });
}

function isComplete(window: LineWindow): boolean {
  return window.firstLine === 1 && window.lastLine === window.totalLines && window.shortenedLines === 0;
}

function failed(error: ToolFailure): Outcome {
  return { error, observed: [] };
}

function pastEnd(path: string, { firstLine, totalLines }: LineWindow): ToolFailure | null {
  if (firstLine <= Math.max(1, totalLines)) return null;
  return {
    code: 'read/past-end',
    message: `${path} has ${totalLines} lines: there is no line ${firstLine}.`,
    data: { path, totalLines },
  };
}

async function isSecret(files: FilePort, path: string): Promise<boolean> {
  return isSecretName(path) || isSecretName((await files.realPath(path).catch(() => null)) ?? path);
}

function secret(path: string): ToolFailure {
  return { code: 'read/secret', message: `${path} is named like a file of keys or passwords.`, data: { path } };
}

function notText(path: string, bytes: Uint8Array): ToolFailure {
  return { code: 'read/not-text', message: `${path} is no text.`, data: { path, mime: sniffMime(bytes) } };
}

function tooLarge(path: string, size: number, limit: number): ToolFailure {
  return {
    code: 'read/too-large',
    message: `${path} has ${size} bytes, more than the ${limit} that are read at once. Ask for a range of lines, or search it with a command.`,
    data: { path, size, limit },
  };
}

function notRegular(path: string, facts: FileFacts): ToolFailure {
  return {
    code: 'read/not-regular',
    message: `${path} is a ${facts.kind}, not a file.`,
    data: { path, kind: facts.kind },
  };
}

async function notFound(files: FilePort, path: string): Promise<ToolFailure> {
  const parent = resolve(path, '..');
  const isDirectory = (await files.stat(parent))?.kind === 'directory';
  const names = isDirectory ? (await files.list(parent)).slice(0, 2000).map((entry) => entry.name) : [];
  const near = nearest(path.slice(path.lastIndexOf('/') + 1), names);
  const hint = near === undefined ? '' : ` Did you mean ${resolve(parent, near)}?`;
  return { code: 'read/absent', message: `${path} does not exist.${hint}`, data: { path } };
}
