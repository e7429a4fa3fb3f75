import { isAbsolute, resolve } from 'node:path';
import { type Diagnostic, printable, UsageError } from '../base/index.ts';
import type { FilePort } from '../host/index.ts';
import type { PromptFlags } from '../model/index.ts';

/** Text given directly, or the path of a file that holds it. */
export type PromptText = { text: string } | { file: string };

/** Larger than any prompt a person writes; the same bound as for instruction files. Bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

type Resolved = { text: string; path?: string };

/** One line without spaces that starts like a path, or ends like a text file. */
const LOOKS_LIKE_PATH = /^(?:~|\.{1,2})?[\\/]\S*$|^[^\s]+\.(?:md|mdx|txt|text|markdown|prompt)$/i;

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
  const one = async (source: PromptText, option: string): Promise<Resolved> => {
    if ('file' in source) return readPrompt(source.file, `--${option}-file`, files, where);
    if (!LOOKS_LIKE_PATH.test(source.text)) return { text: source.text };
    const read = await readPrompt(source.text, `--${option}`, files, where);
    diagnostics.push({
      severity: 'info',
      code: 'prompt/read-as-file',
      message: `--${option} was given a path: the contents of ${printable(read.path ?? source.text)} are used`,
      ...(read.path === undefined ? {} : { path: read.path }),
    });
    return read;
  };
  const replace = given.replace === null ? null : await one(given.replace, 'system-prompt');
  const append: Resolved[] = [];
  for (const source of given.append) append.push(await one(source, 'append-system-prompt'));
  return { flags: { replace, append }, diagnostics };
}

async function readPrompt(
  file: string,
  option: string,
  files: FilePort,
  where: { cwd: string; home: string },
): Promise<Resolved> {
  if (file.trim() === '') {
    throw new UsageError('prompt/unreadable', `${option} is empty: give the path of a readable text file`);
  }
  const path = absolute(file, where);
  const read = await files.readRegular(path, { maxBytes: MAX_BYTES });
  if (read.ok) return { text: new TextDecoder('utf-8').decode(read.bytes), path };
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

function absolute(file: string, { cwd, home }: { cwd: string; home: string }): string {
  if (file === '~' || file.startsWith('~/')) return resolve(home, file.slice(2));
  return isAbsolute(file) ? file : resolve(cwd, file);
}
