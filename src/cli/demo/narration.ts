import { isRecord, parseJson, screenLine, screenText } from '../../base/index.ts';
import type { StreamEvent } from '../../sdk/index.ts';

const LINE = 110;
/** Lines in which test runners sum up. */
const SUMMARY = /^\s*(?:#|ℹ) (?:tests|pass|fail) \d+/;

/**
 * The steps of a run as a person follows them: what the model says, each call with its subject, what came of it in a
 * line or two. Only strings go out, free of control characters.
 */
export function narrate(event: StreamEvent): string[] {
  switch (event.type) {
    case 'assistant':
      return event.parts.flatMap((part) => {
        if (part.type === 'text') return screenText(part.text).trimEnd().split('\n');
        return part.type === 'call' ? [`  → ${part.name} ${subject(part.arguments)}`] : [];
      });
    case 'tool-result': {
      const text = event.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return outcome(screenText(text), event.status).map((line) => `    ${screenLine(line, LINE)}`);
    }
    default:
      return [];
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
  return [`${head}${lines[0] ?? ''}`, `… ${lines.length - 1} more lines`];
}
