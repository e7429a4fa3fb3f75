import { isAbsolute, resolve } from 'node:path';
import { type Diagnostic, printable, UsageError } from '../base/index.ts';
import { decode } from '../discovery/index.ts';
import type { FilePort } from '../host/index.ts';
import type { PromptFlags } from '../model/index.ts';

/** Text given directly, or the path of a file that holds it. */
export type PromptText = { text: string } | { file: string };

/** Larger than any prompt a person writes; the same bound as for instruction files. Bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

type Resolved = { text: string; path?: string };
type FromFile = { text: string; path: string };

const ENDING = String.raw`\.(?:md|mdx|txt|text|markdown|prompt)`;
const START = String.raw`(?:~|\.{1,2})?[\\/]`;

/** One line without spaces that starts like a path or ends like a text file, or one with spaces that does both. */
const LOOKS_LIKE_PATH: RegExp = new RegExp(`^${START}\\S*$|^\\S+${ENDING}$|^${START}[^\\r\\n]*${ENDING}$`, 'i');

/**
 * Reads what `--system-prompt` and its relatives name. A text that looks like a path is read as one, and a diagnostic
 * says so; where it cannot be read that is an error, never a prompt made of a path. Throws UsageError.
 */
export async function resolvePromptTexts(
  given: { replace: PromptText | null; append: readonly PromptText[] },
  files: FilePort,
  where: { cwd: string; home: string },
): Promise<{ flags: PromptFlags; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const reader = { files, where, tell: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
  const one = async (source: PromptText, option: string): Promise<Resolved> => {
    if ('file' in source) return readPrompt(source.file, `--${option}-file`, reader);
    if (!LOOKS_LIKE_PATH.test(source.text)) return { text: source.text };
    const read = await readPrompt(source.text, `--${option}`, reader);
    diagnostics.push({
      severity: 'info',
      code: 'prompt/read-as-file',
      message: `--${option} was given a path: the contents of ${printable(read.path)} are used`,
      path: read.path,
    });
    return read;
  };
  const replace = given.replace === null ? null : await one(given.replace, 'system-prompt');
  const append: Resolved[] = [];
  for (const source of given.append) append.push(await one(source, 'append-system-prompt'));
  return { flags: { replace, append }, diagnostics };
}

type Reader = { files: FilePort; where: { cwd: string; home: string }; tell(diagnostic: Diagnostic): void };

async function readPrompt(file: string, option: string, { files, where, tell }: Reader): Promise<FromFile> {
  if (file.trim() === '') {
    throw new UsageError('prompt/unreadable', `${option} is empty: give the path of a readable text file`);
  }
  const path = absolute(file, where);
  const read = await files.readRegular(path, { maxBytes: MAX_BYTES });
  if (read.ok) return { text: textOf(read.bytes, path, tell), path };
  const why = {
    absent: 'there is no such file',
    'not-regular': 'it is not a regular file',
    'too-large': `it is over ${MAX_BYTES} bytes`,
    unreadable: read.detail,
  }[read.why];
  const hint = option.endsWith('-file')
    ? 'give the path of a readable text file'
    : `for a literal text that looks like a path, put it into a file and use ${option}-file`;
  throw new UsageError('prompt/unreadable', `${option}: cannot use ${printable(path)}: ${why}; ${hint}`, {
    data: { path, why: read.why },
  });
}

/** As instruction files are read: the byte order mark decides, and what is not text is told. */
function textOf(bytes: Uint8Array, path: string, tell: Reader['tell']): string {
  const decoded = decode(bytes, 'sniff');
  if (decoded === null) return '';
  const { text, encoding, firstInvalidByte } = decoded;
  if (firstInvalidByte !== null) {
    tell({
      severity: 'warning',
      code: 'prompt/invalid-bytes',
      message: `${printable(path)} has bytes that are not ${encoding}, the first at offset ${firstInvalidByte}: each becomes U+FFFD`,
      path,
      data: { offset: firstInvalidByte },
    });
  }
  return text;
}

function absolute(file: string, { cwd, home }: { cwd: string; home: string }): string {
  if (file === '~' || file.startsWith('~/')) return resolve(home, file.slice(2));
  return isAbsolute(file) ? file : resolve(cwd, file);
}
