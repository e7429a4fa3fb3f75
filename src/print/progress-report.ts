import { type Diagnostic, formatDiagnostic, screenLine } from '../base/index.ts';
import type { Part, StreamEvent } from '../model/index.ts';
import { callSubject } from './call-subject.ts';

const LINE_LENGTH = 400;
/** Room for what a tool says that its user can do, which stands last. */
const REASON_LENGTH = 320;

/**
 * What a person sees on stderr while a run goes on: diagnostics, each tool call in one line, waits; not how it ends.
 * Every line goes to `write` without its end, free of control characters. The same diagnostic is told once.
 */
export class ProgressReport {
  readonly #write: (line: string) => void;
  readonly #told = new Set<string>();
  readonly #subjects = new Map<string, string>();
  readonly #tasks = new Map<string, string>();
  #cwd: string | null = null;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  diagnostic(diagnostic: Diagnostic): void {
    const line = screenLine(formatDiagnostic(diagnostic), LINE_LENGTH);
    if (this.#told.has(line)) return;
    this.#told.add(line);
    this.#write(line);
  }

  event(event: StreamEvent): void {
    switch (event.type) {
      case 'session':
        if (event.subagent === undefined) this.#cwd = event.cwd;
        return;
      case 'task':
        this.#task(event);
        return;
      case 'task-wait':
        this.#write(`rein: waits, ${seconds(event.limitMs)} at most, for ${event.tasks.map(shownTask).join(', ')}`);
        return;
      case 'diagnostic':
      case 'notice':
        this.diagnostic(event.diagnostic);
        return;
      case 'assistant':
        for (const call of event.parts.filter((part) => part.type === 'call')) {
          const subject = callSubject(call.name, call.arguments, this.#cwd);
          this.#subjects.set(`${event.id}/${call.id}`, subject);
          if (event.partial !== true) this.#write(`· ${ofAgent(event)}${subject}`);
        }
        if (event.subagent !== undefined) return;
        if (event.stop === 'length') this.#write('rein: the answer was cut by the output limit of the model');
        if (event.stop === 'filter') this.#write('rein: the provider withheld the answer or a part of it');
        if (event.stop === 'end' && !hasContent(event.parts)) this.#write('rein: the model’s answer was empty');
        return;
      case 'tool-result':
        if (event.status !== 'ok') this.#failedCall(event);
        return;
      case 'compaction-start':
        this.#write(`rein: the conversation is made shorter (${fullness(event)})`);
        return;
      case 'retry-wait':
        this.#write(`rein: ${screenLine(event.why, 200)}; retry ${event.attempt} in ${seconds(event.delayMs)}`);
        return;
      default:
        return;
    }
  }

  /** What runs in the background: that it was started, and how it ended. */
  #task(event: Extract<StreamEvent, { type: 'task' }>): void {
    const { task: id, state, detail } = event;
    if (state === 'starting' && detail.notify !== 'never') this.#tasks.set(id, detail.description ?? '');
    const description = this.#tasks.get(id);
    if (description === undefined || state === 'starting') return;
    const why = detail.reason === undefined ? '' : `, ${screenLine(detail.reason, 200)}`;
    this.#write(`· ${ofAgent(event)}${shownTask({ id, description })}: ${state}${why}`);
  }

  #failedCall(event: Extract<StreamEvent, { type: 'tool-result' }>): void {
    const subject = this.#subjects.get(`${event.call.assistant}/${event.call.id}`) ?? event.tool;
    const text = event.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const why = screenLine(text.replace(/^Error: /, ''), REASON_LENGTH);
    this.#write(`! ${ofAgent(event)}${subject}: ${event.status}${why === '' ? '' : `: ${why}`}`);
  }
}

/** In whose session it happened, where that is an agent's. */
function ofAgent({ subagent }: StreamEvent): string {
  return subagent === undefined ? '' : `[${screenLine(subagent, 40)}] `;
}

function shownTask({ id, description }: { id: string; description: string }): string {
  return `${screenLine(id, 40)}${description === '' ? '' : ` (${screenLine(description, 80)})`}`;
}

function fullness({ tokens, window }: { tokens: number; window: number | null }): string {
  const of = window === null ? '' : ` of ${window.toLocaleString('en')}`;
  return `about ${tokens.toLocaleString('en')}${of} tokens`;
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 100) / 10)} s`;
}

function hasContent(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === 'call' || (part.type === 'text' && part.text !== ''));
}
