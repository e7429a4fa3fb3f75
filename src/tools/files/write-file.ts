import { dirname, resolve } from 'node:path';
import type { ToolFailure } from '../../model/index.ts';
import type { ToolContext, ToolOutcome, WriteArgs, WriteValue } from '../contract/index.ts';
import { fileFailure, locateTarget } from './locate-target.ts';
import { observationOf, observe, refuseStale } from './observe.ts';
import type { PathQueue } from './path-queue.ts';

type Outcome = ToolOutcome<WriteValue>;

/**
 * Creates a file with its directories, or replaces one that the model has seen whole and as it is now. What an earlier
 * call of the same batch left there it has not seen, its own text included: the later of two writes is refused.
 */
export async function writeFile(args: WriteArgs, context: ToolContext, queue: PathQueue): Promise<Outcome> {
  const path = resolve(context.cwd, args.path);
  try {
    const real = await locateTarget(context.host.files, path);
    return await queue.run(real, context.state.id, () => write(args, path, real, context));
  } catch (error) {
    return failed(fileFailure('write', error));
  }
}

async function write(args: WriteArgs, path: string, real: string, context: ToolContext): Promise<Outcome> {
  const { files } = context.host;
  const found = await files.readRegular(real, { maxBytes: context.limits.fileBytes, followLast: false });
  const created = !found.ok && found.why === 'absent';
  if (found.ok) {
    // Of an empty file there is nothing to lose.
    const known = observationOf(context.known, real);
    const stale = found.bytes.length === 0 ? null : refuseStale('write', path, found.bytes, known);
    if (stale !== null) return failed(stale);
  } else if (!created) {
    return failed({ code: `write/${found.why}`, message: `Cannot write ${path}: ${found.detail}.`, data: { path } });
  }
  const content = Buffer.from(args.content, 'utf8');
  if (created) await files.makeDirectory(dirname(real));
  await files.writeWhole(real, content);
  const facts = await files.stat(real);
  return {
    value: { path, created, size: content.length },
    observed:
      facts === null ? [] : [observe(real, content, facts, { how: 'written', complete: true, decorated: false })],
  };
}

function failed(error: ToolFailure): Outcome {
  return { error, observed: [] };
}
