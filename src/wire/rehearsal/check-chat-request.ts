import { isRecord, parseJson } from '../../base/index.ts';

/**
 * What of the chat wire's rules a request's body breaks, one sentence each; empty: nothing. The rules are the strictest
 * that real servers hold: one leading system message, each call answered once and directly, arguments that are JSON
 * objects, no empty message, unique names.
 */
export function checkChatRequest(body: unknown): string[] {
  if (!isRecord(body)) return ['the body is not a JSON object'];
  const failures: string[] = [];
  if (typeof body.model !== 'string' || body.model === '') failures.push('"model" names no model');
  failures.push(...checkTools(body.tools));
  const messages = body.messages;
  if (!Array.isArray(messages) || messages.length === 0) return [...failures, '"messages" is no list, or empty'];
  const check = new MessageCheck();
  for (const [place, message] of messages.entries()) check.take(message, place);
  return [...failures, ...check.end(body.compaction !== undefined)];
}

function checkTools(tools: unknown): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) return ['"tools" is no list'];
  const failures: string[] = [];
  const names = new Set<string>();
  for (const [place, tool] of tools.entries()) {
    const called: unknown = isRecord(tool) && tool.type === 'function' ? tool.function : undefined;
    const name = isRecord(called) && typeof called.name === 'string' ? called.name : '';
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) failures.push(`tools[${place}] has no usable name: "${name}"`);
    if (names.has(name)) failures.push(`tools[${place}]: the name "${name}" is taken by an earlier tool`);
    if (isRecord(called) && !isRecord(called.parameters))
      failures.push(`tool "${name}" has no schema of its parameters`);
    names.add(name);
  }
  return failures;
}

class MessageCheck {
  readonly #failures: string[] = [];
  /** Calls that wait for their result. */
  #open = new Set<string>();
  #last = '';

  take(message: unknown, place: number): void {
    const role = isRecord(message) && typeof message.role === 'string' ? message.role : '';
    const where = `messages[${place}]`;
    if ((role === 'system') !== (place === 0)) {
      this.#failures.push(
        place === 0 ? 'the first message is not the system message' : `${where}: a second system message`,
      );
    }
    if (role !== 'tool' && this.#open.size > 0) {
      this.#failures.push(`${where}: call ${[...this.#open].join(', ')} has no result before this ${role} message`);
      this.#open.clear();
    }
    this.#last = role;
    if (!isRecord(message)) this.#failures.push(`${where} is no object`);
    else if (role === 'system') this.#text(message.content, where);
    else if (role === 'user') this.#user(message.content, where);
    else if (role === 'assistant') this.#assistant(message, where);
    else if (role === 'tool') this.#result(message, where);
    else this.#failures.push(`${where} has the unknown role "${role}"`);
  }

  /** `native`: the server is asked for a state of the conversation, however that ends. */
  end(native: boolean): string[] {
    if (this.#open.size > 0) this.#failures.push(`call ${[...this.#open].join(', ')} has no result`);
    if (this.#last === 'assistant' && this.#open.size === 0 && !native)
      this.#failures.push("the last message is the assistant's own");
    return this.#failures;
  }

  #text(content: unknown, where: string): void {
    if (typeof content !== 'string') this.#failures.push(`${where}: the content is no text`);
  }

  #user(content: unknown, where: string): void {
    const parts = Array.isArray(content) ? content : [content];
    const empty = parts.some(
      (part: unknown) => part === '' || (isRecord(part) && part.type === 'text' && part.text === ''),
    );
    if (parts.length === 0 || empty) this.#failures.push(`${where}: an empty user message`);
    else if (typeof content !== 'string' && !Array.isArray(content)) this.#text(content, where);
  }

  #assistant(message: Record<string, unknown>, where: string): void {
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const silent = message.content === null || message.content === undefined || message.content === '';
    if (silent && calls.length === 0) this.#failures.push(`${where}: an assistant message without text and calls`);
    for (const call of calls) this.#call(call, where);
  }

  #call(call: unknown, where: string): void {
    const called: unknown = isRecord(call) ? call.function : undefined;
    const id = isRecord(call) && typeof call.id === 'string' ? call.id : '';
    const name = isRecord(called) && typeof called.name === 'string' ? called.name : '';
    if (id === '' || name === '') this.#failures.push(`${where}: a call without ${id === '' ? 'an id' : 'a name'}`);
    if (this.#open.has(id)) this.#failures.push(`${where}: two calls with the id ${id}`);
    this.#open.add(id);
    const text = isRecord(called) && typeof called.arguments === 'string' ? called.arguments : '';
    if (!isRecord(parseJson(text))) this.#failures.push(`${where}: the arguments of call ${id} are no JSON object`);
  }

  #result(message: Record<string, unknown>, where: string): void {
    const id = typeof message.tool_call_id === 'string' ? message.tool_call_id : '';
    if (!this.#open.delete(id)) this.#failures.push(`${where}: a result for ${id || 'no call'}, which waits for none`);
    if (typeof message.content !== 'string' && !Array.isArray(message.content)) this.#text(message.content, where);
  }
}
