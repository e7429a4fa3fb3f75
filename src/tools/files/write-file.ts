import { dirname, resolve } from 'node:path';
import type { FilePort } from '../../host/index.ts';
import type { FileObservation, ToolFailure } from '../../model/index.ts';
import type { ToolContext, ToolOutcome, WriteArgs, WriteValue } from '../contract/index.ts';
import { fileFailure, locateTarget } from './locate-target.ts';
import { observationOf, observe, refuseStale } from './observe.ts';
import type { PathQueue } from './path-queue.ts';
import { toUnitText } from './unit-text.ts';

type Outcome = ToolOutcome<WriteValue>;

/**
 * Creates a file with its directories, or replaces one that the model has seen whole and as it is now. What an earlier
 * call of the same batch left there it has not seen, its own text included: the later of two writes is refused. What is
 * appended replaces nothing: for that the file need not have been seen.
 */
export async function writeFile(args: WriteArgs, context: ToolContext, queue: PathQueue): Promise<Outcome> {
  const path = resolve(context.cwd, args.path);
  try {
    const real = await locateTarget(context.host.files, path);
    return await queue.run(real, context.state.id, (waited) => write(args, path, real, context, waited));
  } catch (error) {
    return failed(fileFailure('write', error));
  }
}

async function write(
  args: WriteArgs,
  path: string,
  real: string,
  context: ToolContext,
  waited: FileObservation | undefined,
): Promise<Outcome> {
  const { files } = context.host;
  const found = await files.readRegular(real, { maxBytes: context.limits.fileBytes, followLast: false });
  const created = !found.ok && found.why === 'absent';
  const before = found.ok ? found.bytes : new Uint8Array();
  const seen = observationOf(context.known, real);
  const stale = refuseStale('write', path, before, args.append === true ? (waited ?? seen) : seen);
  if (found.ok) {
    // Of an empty file there is nothing to lose, and nothing is lost by what comes behind it.
    if (stale !== null && before.length > 0 && args.append !== true) return failed(stale);
  } else if (!created) {
    return failed({ code: `write/${found.why}`, message: `Cannot write ${path}: ${found.detail}.`, data: { path } });
  }
  const content = args.append === true ? appended(before, args.content) : Buffer.from(args.content, 'utf8');
  if (created && args.parent === 'must-exist') {
    const missing = await missingParent(files, path, real);
    if (missing !== null) return failed(missing);
  } else if (created) await files.makeDirectory(dirname(real));
  await files.writeWhole(real, content);
  const facts = await files.stat(real);
  const complete = args.append !== true || before.length === 0 || stale === null;
  return {
    value: { path, created, size: content.length },
    observed: facts === null ? [] : [observe(real, content, facts, { how: 'written', complete, decorated: false })],
  };
}

/** In the file's own encoding; what is there stays byte for byte. */
function appended(before: Uint8Array, content: string): Uint8Array {
  const { text, encode, toBytes } = toUnitText(before);
  return toBytes(text + encode(content));
}

async function missingParent(files: FilePort, path: string, real: string): Promise<ToolFailure | null> {
  const parent = dirname(real);
  if ((await files.stat(parent))?.kind === 'directory') return null;
  return {
    code: 'write/no-parent',
    message: `${parent} is no directory. Nothing was written.`,
    data: { path, parent },
  };
}

function failed(error: ToolFailure): Outcome {
  return { error, observed: [] };
}
