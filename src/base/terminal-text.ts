// Everything but plain text, newlines and tabs: only chunks that hold one of these need a closer look.
const UNUSUAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/;
const PLAIN_RUN = /[^\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]+/y;

// A line longer than this is handed on before its end is known: a `\r` after it no longer reaches its beginning. It
// also bounds the work that a hostile output can cause, since an overwritten line is copied.
const MAX_OPEN_LINE = 8 * 1024;

// A sequence that has not ended after so much is not one.
const MAX_SEQUENCE = 4096;

/**
 * Outside of sequences; after an escape character; in a control sequence (CSI: colours, cursor); in a control string
 * (OSC and others: titles, links).
 */
type Mode = 'text' | 'escape' | 'control' | 'string';

/**
 * What a terminal's screen would show of a program's output, as plain text: colours, links, titles and cursor moves
 * are gone, `\r`, backspace and "erase line" act on the line they are in, so a progress bar leaves its last state.
 * Text may come in any pieces, cut within a sequence too. Moves to other lines have no effect.
 */
export class TerminalText {
  #line = '';
  #column = 0;
  #mode: Mode = 'text';
  #parameters = '';
  #sequenceLength = 0;
  #done = '';

  /** Text whose lines are finished, newlines included. */
  push(text: string): string {
    if (this.#mode === 'text' && this.#column === this.#line.length && !UNUSUAL.test(text)) {
      return this.#pushPlain(text);
    }
    for (let at = 0; at < text.length; ) {
      PLAIN_RUN.lastIndex = at;
      const run = this.#mode === 'text' ? PLAIN_RUN.exec(text)?.[0] : undefined;
      if (run === undefined) this.#take(text[at] ?? '');
      else this.#write(run);
      at += run?.length ?? 1;
    }
    const done = this.#done;
    this.#done = '';
    return done;
  }

  /** The line that no newline ended. */
  finish(): string {
    const line = this.#line;
    this.#line = '';
    this.#column = 0;
    return line;
  }

  #pushPlain(text: string): string {
    const end = text.lastIndexOf('\n') + 1;
    const done = end === 0 ? '' : this.#line + text.slice(0, end);
    this.#line = end === 0 ? this.#line + text : text.slice(end);
    this.#column = this.#line.length;
    return this.#line.length > MAX_OPEN_LINE ? done + this.finish() : done;
  }

  #write(run: string): void {
    const end = this.#column + run.length;
    this.#line = this.#line.slice(0, this.#column).padEnd(this.#column, ' ') + run + this.#line.slice(end);
    this.#column = end;
    if (this.#line.length > MAX_OPEN_LINE) this.#done += this.finish();
  }

  #take(unit: string): void {
    if (this.#mode === 'text') this.#takeControl(unit);
    else {
      this.#sequenceLength += 1;
      if (this.#mode === 'escape') this.#takeEscape(unit);
      else if (this.#mode === 'control') this.#takeParameter(unit);
      else this.#takeString(unit);
      if (this.#sequenceLength > MAX_SEQUENCE) this.#mode = 'text';
    }
  }

  #takeControl(unit: string): void {
    if (unit === '\n') {
      this.#done += `${this.#line}\n`;
      this.#line = '';
      this.#column = 0;
    } else if (unit === '\r') this.#column = 0;
    else if (unit === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (unit === '\u001b') this.#begin('escape');
    else if (unit === '\u009b') this.#begin('control');
    else if (/[\u0090\u0098\u009d-\u009f]/.test(unit)) this.#begin('string');
  }

  #begin(mode: Mode): void {
    this.#mode = mode;
    this.#parameters = '';
    this.#sequenceLength = 0;
  }

  #takeEscape(unit: string): void {
    if (unit === '[') this.#begin('control');
    else if (/[\]PX^_]/.test(unit)) this.#begin('string');
    else if (unit === '\n') this.#leave(unit);
    // Intermediate characters announce another one: ESC ( B chooses a character set.
    else if (unit < ' ' || unit > '/') this.#mode = 'text';
  }

  #takeParameter(unit: string): void {
    if (unit >= ' ' && unit <= '?') this.#parameters += unit;
    else this.#endControl(unit);
  }

  #endControl(unit: string): void {
    this.#mode = 'text';
    if (unit >= '@' && unit <= '~') this.#control(Number.parseInt(this.#parameters, 10) || 0, unit);
    else this.#leave(unit);
  }

  #takeString(unit: string): void {
    if (unit === '\u0007' || unit === '\u009c') this.#mode = 'text';
    // The two-character end, ESC \, is read as an escape of its own.
    else if (unit === '\u001b') this.#begin('escape');
    else if (unit === '\n') this.#leave(unit);
  }

  /** The program was cut within a sequence: what follows is output again. */
  #leave(unit: string): void {
    this.#mode = 'text';
    this.#takeControl(unit);
  }

  #control(amount: number, final: string): void {
    if (final === 'K') this.#erase(amount);
    else if (final === 'G') this.#moveTo(amount - 1);
    else if (final === 'C') this.#moveTo(this.#column + Math.max(1, amount));
    else if (final === 'D') this.#moveTo(this.#column - Math.max(1, amount));
  }

  #moveTo(column: number): void {
    this.#column = Math.min(MAX_OPEN_LINE, Math.max(0, column));
  }

  #erase(what: number): void {
    if (what === 0) this.#line = this.#line.slice(0, this.#column);
    else if (what === 1) this.#line = ' '.repeat(this.#column) + this.#line.slice(this.#column);
    else this.#line = '';
  }
}
