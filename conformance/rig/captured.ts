import type { CapturedRequest } from '../../src/testing/index.ts';

type Body = {
  messages: { role: string; content: string | null; tool_calls?: unknown[] }[];
  tools?: { function: { name: string; description: string } }[];
};

export function bodyOf(request: CapturedRequest | undefined): Body {
  if (request === undefined) throw new RangeError('no such request was captured');
  return request.json as Body;
}

/** The system prompt: the first message, and the only one of its role. */
export function systemOf(request: CapturedRequest | undefined): string {
  const { messages } = bodyOf(request);
  const roles = messages.map(({ role }) => role);
  if (roles[0] !== 'system' || roles.lastIndexOf('system') !== 0) throw new RangeError(`roles: ${roles.join(', ')}`);
  return messages[0]?.content ?? '';
}

/** Everything after the system prompt. */
export function messagesOf(request: CapturedRequest | undefined): Body['messages'] {
  return bodyOf(request).messages.slice(1);
}

export function toolNamesOf(request: CapturedRequest | undefined): string[] {
  return (bodyOf(request).tools ?? []).map((tool) => tool.function.name);
}
