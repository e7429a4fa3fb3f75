import type { RehearsalReply } from '../../src/testing/index.ts';
import { reply } from '../../src/testing/index.ts';
import { messagesOf, type RunOptions, type Workspace, workspace } from '../rig.ts';
import type { Tree } from './files.ts';
import type { Ended } from './program.ts';

export type ModelCall = readonly [name: string, args: Readonly<Record<string, unknown>>];

/** A model that makes these calls, each inner list in one answer, and then says that it is done. */
export function callsThenDone(batches: readonly (readonly ModelCall[])[]): RehearsalReply[] {
  const made = batches.map((batch) => reply.calls(batch.map(([name, args]) => ({ name, arguments: { ...args } }))));
  return [...made, reply.text('done')];
}

/** What the model was told of its calls, in their order, with the last request. */
export function resultsOf(w: Workspace): string[] {
  return messagesOf(w.requests().at(-1))
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content ?? '');
}

export type ToolRun = { w: Workspace; results: string[]; ended: Ended };

/** Runs the calls in one print-mode run under `rein` in which everything is allowed. */
export async function runCalls(
  tree: Tree,
  batches: readonly (readonly ModelCall[])[],
  options: RunOptions & { args?: readonly string[] } = {},
): Promise<ToolRun> {
  const w = await workspace({ '.git/': null, ...tree }, { harness: 'rein', replies: callsThenDone(batches) });
  const { args = [], ...run } = options;
  const ended = await w.print(['--permission-mode', 'yolo', ...args, 'go'], run);
  return { w, results: resultsOf(w), ended };
}
