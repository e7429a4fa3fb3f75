import { isBlank, UsageError } from '../base/index.ts';
import type { Input } from './stdio.ts';

/** Milliseconds that stdin is given for its first byte or its end. */
const GRACE_MS = 100;
/** Most bytes taken from stdin as a prompt. */
const PROMPT_LIMIT = 10 * 1024 * 1024;

export type PromptRequest = {
  /** The PROMPT argument; `-` waits for stdin; null: not given. */
  argument: string | null;
  limit?: number;
  /** Resolves after so many milliseconds. */
  wait: (ms: number) => Promise<void>;
  say: (line: string) => void;
};

/**
 * The user's message: the argument, what is piped in, or both with a blank line between. Piped text loses its
 * trailing newlines; blank text counts as none. Throws UsageError where that is nothing, or more than the limit.
 */
export async function readPrompt(input: Input, request: PromptRequest): Promise<string> {
  const waits = request.argument === '-' || request.argument === null;
  const argument = waits ? '' : (request.argument ?? '');
  const piped = await readPiped(input, { ...request, waits });
  const parts = [argument, piped].filter((part) => !isBlank(part));
  if (parts.length === 0) {
    const hint = 'give it as an argument (rein -p "…") or pipe it in';
    throw new UsageError('prompt/missing', `no prompt: ${hint}`);
  }
  return parts.join('\n\n');
}

type PipedRequest = PromptRequest & { waits: boolean };

async function readPiped(input: Input, request: PipedRequest): Promise<string> {
  // A person at the keyboard is read only when asked to be.
  if (input.isTerminal && request.argument !== '-') return '';
  const first = input.read();
  const early = await Promise.race([first, silence(request)]);
  if (early === 'silent' && !request.waits) {
    input.release();
    first.catch(() => undefined);
    request.say(`stdin was ignored: it is open and was silent for ${GRACE_MS} ms (PROMPT "-" waits for it)`);
    return '';
  }
  if (early === 'silent' && !input.isTerminal) request.say('waiting for the prompt on stdin');
  return await readToEnd(input, await first, request);
}

/** A process that was busy meanwhile is told of what came in only when it turns to it again. */
async function silence({ wait }: PipedRequest): Promise<'silent'> {
  await wait(GRACE_MS);
  for (let turn = 0; turn < 2; turn += 1) await wait(1);
  return 'silent';
}

async function readToEnd(input: Input, first: Uint8Array | null, request: PipedRequest): Promise<string> {
  const limit = request.limit ?? PROMPT_LIMIT;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let chunk = first; chunk !== null; chunk = await input.read()) {
    size += chunk.length;
    if (size > limit) {
      input.release();
      throw new UsageError(
        'prompt/too-large',
        `stdin holds more than ${limit} bytes: put it in a file and name the file`,
        {
          data: { limit },
        },
      );
    }
    chunks.push(chunk);
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  if (text.includes('\ufffd') && !Buffer.concat(chunks).includes('\ufffd')) {
    request.say('stdin is not all UTF-8: what could not be read became U+FFFD');
  }
  return text.replace(/[\r\n]+$/, '');
}
