import { UsageError } from '../../base/index.ts';
import type { AgentOptions, ContextDifference, ContextOptions } from '../../sdk/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven, lastValue, refuseTogether, wholeNumber } from '../given-options.ts';
import { outputWidth } from '../output-width.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein context`: one request as it would be sent, or was sent; or how two differ. Calls no model, writes nothing. */
export async function runContextCommand(call: CommandCall): Promise<number> {
  const { options } = call;
  refuseTogether(
    options,
    ['json', 'body', 'diff'].filter((name) => name !== 'json' || !isGiven(options, 'diff')),
  );
  refuseTogether(options, ['request', 'prompt']);
  if (isGiven(options, 'request') && !isGiven(options, 'session')) {
    throw new UsageError('usage/incomplete', '--request N needs --session ID');
  }
  if (isGiven(options, 'diff')) return await showDifference(call);
  const [extra] = call.arguments;
  if (extra !== undefined) {
    throw new UsageError(
      'usage/too-many-arguments',
      `unexpected argument ${JSON.stringify(extra)}: rein context takes options only`,
    );
  }
  await showContext(call);
  return 0;
}

async function showContext({ options, stdio }: CommandCall): Promise<void> {
  const { createNodeHost, previewContext } = await import('../../sdk/index.ts');
  const host = createNodeHost();
  const { report, body } = await previewContext(contextOptions(options), host);
  if (isGiven(options, 'body')) stdio.output.write(stdio.output.isTerminal ? `${body}\n` : body);
  else if (isGiven(options, 'json')) stdio.output.write(`${readableJson(report)}\n`);
  else {
    const { contextTable } = await import('../context-table.ts');
    stdio.output.write(contextTable(report, outputWidth(stdio, host.env)));
  }
}

function contextOptions(options: CommandCall['options']): ContextOptions {
  const prompt = lastValue(options, 'prompt');
  const storedSession = lastValue(options, 'session');
  const request = wholeNumber(options, 'request', 1, Number.MAX_SAFE_INTEGER);
  return {
    ...agentOptions(options),
    ...(prompt === null ? {} : { prompt }),
    ...(storedSession === null ? {} : { storedSession }),
    ...(request === null ? {} : { request }),
  };
}

async function showDifference({ options, arguments: names, stdio }: CommandCall): Promise<number> {
  const [left, right] = names;
  if (left === undefined || right === undefined) {
    throw new UsageError(
      'usage/incomplete',
      '--diff compares two: rein context --diff HARNESS HARNESS, or with --session ID: --diff N N',
    );
  }
  const common = contextOptions(options);
  const of = (name: string): AgentOptions =>
    common.storedSession === undefined ? { ...common, harness: name } : { ...common, ...requestNumber(name) };
  const { compareContexts, createNodeHost } = await import('../../sdk/index.ts');
  const difference: ContextDifference = await compareContexts(of(left), of(right), { left, right });
  if (isGiven(options, 'json')) stdio.output.write(`${readableJson(difference)}\n`);
  else {
    const { differenceTable } = await import('../difference-table.ts');
    stdio.output.write(differenceTable(difference, outputWidth(stdio, createNodeHost().env)));
  }
  return 0;
}

function requestNumber(text: string): { request: number } {
  if (/^[1-9]\d{0,8}$/.test(text)) return { request: Number(text) };
  throw new UsageError(
    'usage/not-a-number',
    `--diff with --session compares requests by number, from 1: not ${JSON.stringify(text)}`,
  );
}
