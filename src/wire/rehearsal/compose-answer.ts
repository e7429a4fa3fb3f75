import type { Usage } from '../../model/index.ts';
import type { RehearsalReply, ServerRules } from './script.ts';

const END_MARK = 'data: [DONE]\n\n';
/** Code points in one delta: small enough that streaming is exercised. */
const DELTA = 24;

/** `use`: how often the reply was played before; the ids of calls differ by it. */
type Playing = { place: number; use: number; model: string; rules: ServerRules };

/** A reply as a chat server streams it: one text for each server-sent event, the end mark last. */
export function composeAnswer(reply: RehearsalReply, { place, use, model, rules }: Playing): string[] {
  const deltas = [
    { role: 'assistant', content: '' },
    ...pieces(reply.reasoning ?? '').map((text) => ({ reasoning_content: text })),
    ...pieces(reply.text ?? '').map((text) => ({ content: text })),
    ...(reply.state === undefined ? [] : [{ compaction_state: reply.state }]),
    ...callDeltas(reply, callIds(reply, place, use), rules),
  ];
  const id = `rehearsal-${place + 1}${use === 0 ? '' : `-${use + 1}`}`;
  const head = { id, object: 'chat.completion.chunk', created: 0, model };
  const chunks: unknown[] = deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }));
  chunks.push({
    ...head,
    choices: [{ index: 0, delta: {}, finish_reason: rules.finishReason ?? finishReason(reply) }],
  });
  if (reply.usage !== undefined) chunks.push({ ...head, choices: [], usage: wireUsage(reply.usage) });
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), END_MARK];
}

/** The ids of a reply's calls, in their order. */
export function callIds(reply: RehearsalReply, place: number, use: number): string[] {
  const again = use === 0 ? '' : `_${use + 1}`;
  return (reply.calls ?? []).map((call, index) => call.id ?? `call_${place + 1}_${index + 1}${again}`);
}

function callDeltas(reply: RehearsalReply, ids: readonly string[], { callIndex }: ServerRules): unknown[] {
  return (reply.calls ?? []).flatMap((call, number) => {
    const index = callIndex === 'none' ? {} : { index: callIndex === 'zero' ? 0 : number };
    const called = { name: call.name, arguments: '' };
    const start = { tool_calls: [{ ...index, id: ids[number], type: 'function', function: called }] };
    const rest = pieces(call.arguments).map((text) => ({ tool_calls: [{ ...index, function: { arguments: text } }] }));
    return [start, ...rest];
  });
}

function pieces(text: string): string[] {
  const points = Array.from(text);
  const count = Math.ceil(points.length / DELTA);
  return Array.from({ length: count }, (_, index) => points.slice(index * DELTA, (index + 1) * DELTA).join(''));
}

function finishReason(reply: RehearsalReply): string {
  if (reply.stop === 'length') return 'length';
  if (reply.stop === 'filter') return 'content_filter';
  const calls = reply.stop === undefined ? (reply.calls ?? []).length > 0 : reply.stop === 'calls';
  return calls ? 'tool_calls' : 'stop';
}

function wireUsage(usage: Partial<Usage>): unknown {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = usage;
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
