import { isRecord } from '../../base/index.ts';

/** What scripts ask of a request's body. */
export type RequestView = {
  system: string;
  /** The messages after the system message, in the wire's words. */
  messages: readonly Record<string, unknown>[];
  tools: readonly { name: string; description: string; schema: unknown }[];
  /** The texts of the last run of user messages, joined by newlines. */
  lastUser: string;
  /** The texts of the tool results that end the conversation, of one batch; user messages after them do not count. */
  toolResults: readonly string[];
};

/** Takes any JSON value: what is missing is empty. */
export function viewRequest(body: unknown): RequestView {
  const fields = isRecord(body) ? body : {};
  const all = (Array.isArray(fields.messages) ? fields.messages : []).filter(isRecord);
  const [first] = all;
  const hasSystem = first?.role === 'system';
  const messages = hasSystem ? all.slice(1) : all;
  return {
    system: hasSystem ? contentText(first.content) : '',
    messages,
    tools: (Array.isArray(fields.tools) ? fields.tools : []).map(viewTool),
    lastUser: lastRun(messages, 'user').join('\n'),
    toolResults: lastResults(messages),
  };
}

function lastRun(messages: readonly Record<string, unknown>[], role: string): string[] {
  const end = messages.findLastIndex((message) => message.role === role);
  const before = messages.slice(0, end + 1).findLastIndex((message) => message.role !== role);
  return messages.slice(before + 1, end + 1).map((message) => contentText(message.content));
}

function lastResults(messages: readonly Record<string, unknown>[]): string[] {
  const answer = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(answer + 1)
    .filter((message) => message.role === 'tool')
    .map((message) => contentText(message.content));
}

function viewTool(tool: unknown): { name: string; description: string; schema: unknown } {
  const called = isRecord(tool) && isRecord(tool.function) ? tool.function : {};
  return {
    name: typeof called.name === 'string' ? called.name : '',
    description: typeof called.description === 'string' ? called.description : '',
    schema: called.parameters,
  };
}

/** A content's text: itself, or its text parts one after the other. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('');
}
