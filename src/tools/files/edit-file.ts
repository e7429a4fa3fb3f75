import { resolve } from 'node:path';
import type { FileObservation, ToolFailure } from '../../model/index.ts';
import type { EditArgs, EditValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { applyEdits } from './apply-edits.ts';
import { fileFailure, locateTarget } from './locate-target.ts';
import { observationOf, observe, refuseStale } from './observe.ts';
import type { PathQueue } from './path-queue.ts';

type Outcome = ToolOutcome<EditValue>;

/** Changes a file that the model has seen as it is now, or changes nothing and says why. */
export async function editFile(args: EditArgs, context: ToolContext, queue: PathQueue): Promise<Outcome> {
  const path = resolve(context.cwd, args.path);
  try {
    const real = await locateTarget(context.host.files, path);
    return await queue.run(real, context.state.id, (waited) => edit(args, path, real, context, waited));
  } catch (error) {
    return failed(fileFailure('edit', error));
  }
}

async function edit(
  args: EditArgs,
  path: string,
  real: string,
  context: ToolContext,
  waited: FileObservation | undefined,
): Promise<Outcome> {
  const { files } = context.host;
  const found = await files.readRegular(real, { maxBytes: context.limits.fileBytes, followLast: false });
  if (!found.ok) {
    const what = found.why === 'absent' ? `${path} does not exist` : `Cannot edit ${path}: ${found.detail}`;
    return failed({ code: `edit/${found.why}`, message: `${what}.`, data: { path } });
  }
  const known = waited ?? observationOf(context.state, real);
  const stale = refuseStale('edit', path, found.bytes, known);
  if (stale !== null) return failed(stale);
  const edited = applyEdits(found.bytes, args.edits, path, args.misses);
  if ('code' in edited) return failed(edited);
  await files.writeWhole(real, edited.bytes);
  const facts = (await files.stat(real)) ?? found.facts;
  const { replacements, firstLine, lastLine } = edited;
  return {
    value: { path, replacements, firstLine, lastLine, sizeBefore: found.bytes.length, sizeAfter: edited.bytes.length },
    observed: [
      observe(real, edited.bytes, facts, { how: 'written', complete: known?.complete ?? false, decorated: false }),
    ],
  };
}

function failed(error: ToolFailure): Outcome {
  return { error, observed: [] };
}
