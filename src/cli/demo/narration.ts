import { isRecord, parseJson, screenLine, screenText } from '../../base/index.ts';
import type { StreamEvent } from '../../sdk/index.ts';

type Answer = Extract<StreamEvent, { type: 'assistant' }>;

const LINE = 110;
/** Lines in which test runners sum up. */
const SUMMARY = /^\s*(?:#|ℹ) (?:tests|pass|fail) \d+/;

/**
 * The steps of a run as a person follows them: what the model says, each call with its subject, what came of it in a
 * line or two. Only strings go out, free of control characters.
 */
export class Narration {
  /** Calls of the last answer, by their id; empty where there was one only, whose result needs no name. */
  readonly #calls = new Map<string, string>();

  linesOf(event: StreamEvent): string[] {
    switch (event.type) {
      case 'assistant':
        return this.#answer(event.parts);
      case 'tool-result': {
        const text = event.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
        const name = this.#calls.get(event.call.id);
        const lines = outcome(screenText(text), event.status).map((line) => `    ${screenLine(line, LINE)}`);
        return name === undefined ? lines : [`  ← ${name}`, ...lines];
      }
      default:
        return [];
    }
  }

  #answer(parts: Answer['parts']): string[] {
    const calls = parts.filter((part) => part.type === 'call');
    this.#calls.clear();
    for (const call of calls.length > 1 ? calls : []) {
      this.#calls.set(call.id, `${screenLine(call.name, 80)} ${subject(call.arguments)}`);
    }
    return parts.flatMap((part) => {
      if (part.type === 'text') return screenText(part.text).trimEnd().split('\n');
      return part.type === 'call' ? [`  → ${screenLine(part.name, 80)} ${subject(part.arguments)}`] : [];
    });
  }
}

function subject(args: string): string {
  const value = parseJson(args);
  const first = isRecord(value) ? Object.values(value).find((inner) => typeof inner === 'string') : undefined;
  return screenLine(typeof first === 'string' ? first : '', LINE);
}

function outcome(text: string, status: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const summary = lines.filter((line) => SUMMARY.test(line));
  if (summary.length > 0) return summary;
  const head = status === 'ok' ? '' : `${status}: `;
  if (lines.length <= 2) return lines.map((line) => `${head}${line}`);
  return [`${head}${lines.length} lines, the first: ${lines[0] ?? ''}`];
}
