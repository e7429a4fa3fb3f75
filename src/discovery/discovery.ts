import type { Diagnostic } from '../base/index.ts';
import { userHome } from '../config/index.ts';
import type { ClockPort, EnvPort, FilePort } from '../host/index.ts';
import type { SourceQuery, World, WorldLook } from '../model/index.ts';
import { FileMemory } from './file-memory.ts';
import { type Frame, findFrame, frameFrom } from './frame.ts';
import { Interest } from './interest.ts';
import { listDirectory } from './list-directory.ts';
import { LookView } from './look-view.ts';
import { looksFromHere, startOf } from './places.ts';
import { type Answer, answerQuery } from './query-search.ts';

export type DiscoveryOptions = {
  files: FilePort;
  env: EnvPort;
  /** The real clock: it is compared with the times of files. */
  clock: Pick<ClockPort, 'now'>;
  /** A person trusts the project: links of its files may lead out of it. */
  trusted?: boolean;
};

/** One for each session. It is the harness contract's `WorldPort`; see there for `reload`. */
export interface Discovery {
  /** Never throws for what is on disk: faults are diagnostics of the world. */
  look(look: WorldLook): Promise<World>;
  reload(): void;
}

export function createDiscovery(options: DiscoveryOptions): Discovery {
  return new SessionDiscovery(options);
}

const SPEED: Readonly<Record<WorldLook['moment'], number>> = { startup: 0, turn: 1, request: 2 };

// Answers of queries that are not asked any more; more of them than any conversation has are not worth keeping. Those
// of the start are kept whatever comes: what they found is in force until a reload.
const MAX_ANSWERS = 256;

class SessionDiscovery implements Discovery {
  readonly #options: DiscoveryOptions;
  readonly #interest = new Interest();
  readonly #memory: FileMemory;
  readonly #answers = new Map<string, Answer>();
  readonly #startAnswers = new Map<string, Answer>();
  readonly #onceAnswers = new Map<string, Answer>();
  #last: { key: string; frame: Frame } | undefined;
  #shell: string | undefined;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#memory = new FileMemory(options.files, options.clock, this.#interest);
  }

  async look(look: WorldLook): Promise<World> {
    const { files } = this.#options;
    if (this.#interest.add(...interestsOf(look.queries))) this.#memory.forgetEntries();
    const view = new LookView(files, this.#memory);
    const start = look.queries.some((query) => startOf(query) !== undefined) ? 'session-start' : undefined;
    const frame = await this.#frame(look, start !== undefined, view);
    const { git } = frameFrom(start, frame);
    const answers: Answer[] = [];
    for (const query of look.queries) answers.push(await this.#answer(query, look.moment, frame, view));
    return {
      files: answers.flatMap((answer) => answer.files),
      searched: answers.flatMap((answer) => answer.searched),
      diagnostics: withoutRepeats(answers.flatMap((answer) => answer.diagnostics)),
      projectRoot: git?.root ?? null,
      cwd: frame.cwd,
      stack: frame.stack,
      platform: await this.#platform(view),
      git,
      ...(look.listing === true ? { listing: await listDirectory(files, look.cwd) } : {}),
    };
  }

  reload(): void {
    this.#memory.forget();
    this.#answers.clear();
    this.#startAnswers.clear();
    this.#last = undefined;
  }

  /** Where the project is, is part of what a turn's start looks at. */
  async #frame(look: WorldLook, asksForStart: boolean, view: LookView): Promise<Frame> {
    const key = JSON.stringify([look.cwd, look.stack, asksForStart]);
    if (look.moment === 'request' && this.#last?.key === key) return this.#last.frame;
    const frame = await findFrame(this.#options.files, view, look.cwd, look.stack, asksForStart);
    this.#last = { key, frame };
    return frame;
  }

  async #answer(query: SourceQuery, moment: WorldLook['moment'], frame: Frame, view: LookView): Promise<Answer> {
    const { refresh } = query;
    const answers = this.#answersOf(refresh);
    const key = JSON.stringify(refresh === 'once-per-session' ? query : [query, standOf(query, frame)]);
    const known = answers.get(key);
    if (known !== undefined && (refresh === 'once-per-session' || SPEED[refresh] < SPEED[moment])) return known;
    const answer = await answerQuery(query, frame, view, this.#options.env.uid(), this.#options.trusted === true);
    answers.delete(key);
    answers.set(key, answer);
    if (answers === this.#answers && answers.size > MAX_ANSWERS) {
      for (const oldest of answers.keys()) {
        answers.delete(oldest);
        break;
      }
    }
    return answer;
  }

  #answersOf(refresh: SourceQuery['refresh']): Map<string, Answer> {
    if (refresh === 'once-per-session') return this.#onceAnswers;
    return refresh === 'startup' ? this.#startAnswers : this.#answers;
  }

  async #platform(view: LookView): Promise<World['platform']> {
    const { env } = this.#options;
    this.#shell ??= (await view.isRegular('/bin/bash')) ? '/bin/bash' : '/bin/sh';
    return { os: env.platform(), shell: this.#shell, home: userHome(env) };
  }
}

/** What an answer depends on beside its query: entering a directory makes no other of what was found at the start. */
function standOf(query: SourceQuery, frame: Frame): Partial<Frame> | null {
  if (looksFromHere(query)) return frame;
  const start = startOf(query);
  if (start === undefined) return null;
  const { cwd, git, outer } = frameFrom(start, frame);
  return { cwd, git, outer };
}

function interestsOf(queries: readonly SourceQuery[]): [names: string[], directories: string[]] {
  const places = queries.flatMap((query) => query.places);
  return [
    // Endings are no names: a directory is listed for them in another way.
    queries.flatMap((query) => (query.match === 'suffix' ? [] : query.names)),
    places.flatMap((place) => (place.at === 'project' ? [place.inside] : [])),
  ];
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
