import { type Diagnostic, screenText, toJsonLine } from '../base/index.ts';
import type { RunResult, StreamEvent } from '../model/index.ts';
import { ProgressReport } from './progress-report.ts';
import type { Stdio } from './stdio.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** Where a run's events and its end go. */
export interface RunOutput {
  diagnostic(diagnostic: Diagnostic): void;
  event(event: StreamEvent): void;
  /** Once, last. */
  result(result: RunResult): void;
}

/** stdout carries the answer (text), one object (json), or a line for each event and that object (stream-json). */
export function openRunOutput(format: OutputFormat, stdio: Stdio): RunOutput {
  switch (format) {
    case 'text':
      return new TextOutput(stdio);
    case 'json':
      return new JsonOutput(stdio);
    case 'stream-json':
      return new StreamOutput(stdio);
  }
}

class TextOutput implements RunOutput {
  protected readonly stdio: Stdio;
  readonly #report: ProgressReport;

  constructor(stdio: Stdio) {
    this.stdio = stdio;
    this.#report = new ProgressReport((line) => stdio.errors.write(`${line}\n`));
  }

  diagnostic(diagnostic: Diagnostic): void {
    this.#report.diagnostic(diagnostic);
  }

  event(event: StreamEvent): void {
    this.#report.event(event);
  }

  result(result: RunResult): void {
    const { output } = this.stdio;
    // A pipe gets the answer's bytes as they are; a terminal gets nothing that could steer it.
    const text = output.isTerminal ? screenText(result.result) : result.result;
    if (text !== '' || result.stopReason === 'end') output.write(`${text}\n`);
    tellEnd(result, this.stdio);
  }
}

class JsonOutput extends TextOutput {
  override result(result: RunResult): void {
    this.stdio.output.write(`${toJsonLine(result)}\n`);
    tellEnd(result, this.stdio);
  }
}

class StreamOutput implements RunOutput {
  readonly #stdio: Stdio;

  constructor(stdio: Stdio) {
    this.#stdio = stdio;
  }

  diagnostic(diagnostic: Diagnostic): void {
    this.event({ type: 'diagnostic', diagnostic });
  }

  event(event: StreamEvent): void {
    this.#stdio.output.write(`${toJsonLine(event)}\n`);
  }

  result(result: RunResult): void {
    this.#stdio.output.write(`${toJsonLine(result)}\n`);
    tellEnd(result, this.#stdio);
  }
}

function tellEnd(result: RunResult, stdio: Stdio): void {
  const line = endLine(result);
  if (line !== null) stdio.errors.write(`rein: ${screenText(line).trim()}\n`);
}

function endLine(result: RunResult): string | null {
  if (result.error !== null) return result.error.message;
  switch (result.stopReason) {
    case 'end':
      return null;
    case 'max_turns':
      return `stopped after ${result.turns} model requests (--max-turns)`;
    case 'permission':
      return 'stopped: a call needed a permission and nobody could be asked (--permission-mode)';
    case 'aborted':
      return 'interrupted';
    case 'error':
      return 'the run failed';
  }
}
