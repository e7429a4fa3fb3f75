import { createInterface } from 'node:readline';
import { type Ended, type Launch, launch, untilEnd } from './program.ts';

/** A line of stdout. */
export type Line = { type: string; tag?: string; [field: string]: unknown };

type Waiting = { matches(line: Line): boolean; resolve(line: Line): void; reject(error: Error): void };

const WAIT_MS = 20_000;

/** A run of `rein -p --input stream-json`: commands in, events out. */
export class StreamSession {
  /** Everything seen so far. */
  readonly lines: Line[] = [];
  readonly ended: Promise<Ended>;
  readonly #child: ReturnType<typeof launch>;
  readonly #waiting = new Set<Waiting>();
  #read = 0;
  #tags = 0;

  constructor(options: Launch) {
    this.#child = launch(options);
    this.#child.stdin.on('error', () => undefined);
    this.ended = untilEnd(this.#child);
    this.ended.then(
      ({ stderr }) => this.#fail(`the program has ended\n${stderr}`),
      (error: unknown) => this.#fail(String(error)),
    );
    createInterface({ input: this.#child.stdout }).on('line', (text) => this.#take(text));
  }

  #take(text: string): void {
    const line = JSON.parse(text) as Line;
    this.lines.push(line);
    for (const waiting of this.#waiting) {
      if (waiting.matches(line)) {
        this.#read = this.lines.length;
        this.#waiting.delete(waiting);
        waiting.resolve(line);
      }
    }
  }

  #fail(why: string): void {
    const seen = this.lines.map((line) => JSON.stringify(line).slice(0, 200)).join('\n');
    for (const waiting of this.#waiting) waiting.reject(new Error(`${why}\nseen so far:\n${seen}`));
    this.#waiting.clear();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(command: Readonly<Record<string, unknown>>): void {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  /** The next line that matches, counted from the last one that was waited for. */
  until(matches: (line: Line) => boolean): Promise<Line> {
    const index = this.lines.findIndex((line, at) => at >= this.#read && matches(line));
    if (index !== -1) {
      this.#read = index + 1;
      return Promise.resolve(this.lines[index] as Line);
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { matches, resolve, reject };
      this.#waiting.add(waiting);
      setTimeout(() => {
        if (this.#waiting.has(waiting)) this.#fail('the awaited line did not come');
      }, WAIT_MS).unref();
    });
  }

  /** Sends a command other than a prompt and waits for its answer. */
  async command(command: Readonly<Record<string, unknown>>): Promise<Line> {
    this.#tags += 1;
    const tag = `command-${this.#tags}`;
    this.send({ ...command, tag });
    return this.until((line) => line.tag === tag && (line.type === 'done' || line.type === 'error'));
  }

  /** Sends a command that must succeed; returns its value. */
  async carryOut(command: Readonly<Record<string, unknown>>): Promise<unknown> {
    const answer = await this.command(command);
    if (answer.type !== 'done') throw new Error(`${JSON.stringify(command)}: ${JSON.stringify(answer)}`);
    return answer.value;
  }

  /** Sends a prompt and waits for its turn's end. */
  async prompt(text: string): Promise<Line> {
    this.send({ type: 'prompt', text });
    return this.until(({ type, subagent }) => type === 'turn-end' && subagent === undefined);
  }

  /** Ends the session; resolves to the last line. */
  async end(): Promise<Line> {
    this.#child.stdin.end('{"type":"end"}\n');
    await this.ended;
    return this.lines.at(-1) as Line;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
