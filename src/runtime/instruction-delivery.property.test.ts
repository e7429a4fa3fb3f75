import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeliveryLedger, type Ran, saidIn } from '../../test/rig/delivery-ledger.ts';
import { type Delivered, DeliveryModel, fileOf, levels, RULE } from '../../test/rig/delivery-model.ts';
import {
  CAP,
  type HarnessName,
  LINKED,
  type Make,
  SOURCES,
  START,
  type Step,
  scriptOf,
  sequences,
  textOf,
  toolOf,
} from '../../test/rig/delivery-steps.ts';
import { toStableJson } from '../base/index.ts';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import type { Event, RequestEvent } from '../model/index.ts';
import type { RehearsalModel } from '../wire/rehearsal/index.ts';
import { type Assembled, assemble } from './assemble.ts';

type Prompt = Extract<Step, { type: 'prompt' }>;
type Message = { role: string; content: unknown; tool_calls?: { id: string }[]; tool_call_id?: string };
type Body = { messages: Message[]; tools?: { function: { name: string } }[] };

const inside = { rein: '/r/.rein', polytoken: '/r/.polytoken' };

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : '';
}

function facetText(version: string): string {
  return `---\nname: one\ndescription: The first.\n---\nI am one, ${version}. {{ transclude("part.md") }}`;
}

function skillText(version: string): string {
  return `---\nname: helper\ndescription: Helps.\n---\nSKILL-${version}\n`;
}

/** A project, a session in it, and what the rules say of both. */
class Play {
  /** The bodies of the turns' requests, as they were sent. */
  readonly sent: string[] = [];
  readonly #harness: HarnessName;
  readonly #host: MemoryHost;
  readonly #ledger: DeliveryLedger;
  readonly #systems = new Map<string, string>();
  #run: Assembled | null = null;
  #version = 0;
  #checked = 0;
  #captured = 0;
  #fragment = 'A part.';
  /** On disk, and as they were read last: at the first turn of a run and at a reload. */
  #definitions = { facet: '0', skill: '0' };
  #loaded = { facet: '0', skill: '0' };
  #hasStarted = false;

  constructor(harness: HarnessName) {
    this.#harness = harness;
    this.#ledger = new DeliveryLedger(harness);
    this.#host = createMemoryHost({
      cwd: START,
      home: '/u',
      processes: () => ({ output: ['nothing\n'] }),
      files: {
        ...Object.fromEntries(SOURCES.map((path) => [path, 'one\ntwo\n'])),
        '/r/.git': { directory: true },
        // That a session was taken up again is the one thing a run that was not interrupted does not say.
        '/u/.config/rein/settings.json': '{"notices":{"session_resumed":false}}',
        [`${inside[harness]}/facets/one.md`]: facetText('0'),
        [`${inside[harness]}/facets/part.md`]: this.#fragment,
        [`${inside[harness]}/skills/helper/SKILL.md`]: skillText('0'),
      },
    });
  }

  async perform(step: Step, rest: readonly Step[]): Promise<void> {
    this.#host.clock.advance(5000);
    if (step.type === 'write') return this.#write(step.path, step.make);
    if (step.type === 'remove') return this.#remove(this.#place(step.path));
    const run = await this.#opened(step, rest);
    if (step.type === 'resume' || step.type === 'fork') return undefined;
    if (step.type === 'prompt' || step.type === 'reload') this.#load(step.type === 'reload');
    if (step.type === 'rewind') await this.#rewind(run, step.share);
    else await run.session.send(step.type === 'prompt' ? { type: 'prompt', text: step.text } : step);
    this.#follow(run, step);
    this.#checkRequests(run);
    return undefined;
  }

  async close(): Promise<void> {
    await this.#run?.session.close();
  }

  #place(path: string): string {
    return path === 'user' ? `/u/.config/${this.#harness}/AGENTS.md` : path;
  }

  #write(path: string, make: Make): void {
    this.#version += 1;
    const version = String(this.#version);
    if (path === 'facet' || path === 'skill') {
      this.#definitions = { ...this.#definitions, [path]: version };
      if (path === 'facet') this.#put(`${inside[this.#harness]}/facets/one.md`, facetText(version));
      else this.#put(`${inside[this.#harness]}/skills/helper/SKILL.md`, skillText(version));
    } else if (path === 'fragment') {
      this.#fragment = `Part ${version}.`;
      this.#put(`${inside[this.#harness]}/facets/part.md`, this.#fragment);
    } else {
      const text = textOf(make, `RULE-${version}`, this.#harness);
      this.#put(this.#place(path), text);
      this.#ledger.tree.set(this.#place(path), text);
    }
  }

  #put(path: string, content: string): void {
    this.#host.files.put(path, { content, mtimeMs: 1_000_000 + this.#version });
  }

  async #remove(path: string): Promise<void> {
    if (this.#ledger.tree.delete(path)) await this.#host.files.remove(path);
  }

  #load(isReload: boolean): void {
    if (isReload || !this.#hasStarted) this.#loaded = this.#definitions;
    this.#hasStarted = true;
    this.#ledger.skill = `SKILL-${this.#loaded.skill}`;
  }

  async #rewind(run: Assembled, share: number): Promise<void> {
    const prompts = run.parts.log.branch().filter(({ type }) => type === 'prompt');
    expect(prompts.length).toBe(this.#ledger.prompts);
    const index = Math.floor(share * prompts.length);
    const target = prompts[index];
    if (target === undefined) return;
    await run.session.send({ type: 'rewind', to: target.id });
    this.#ledger.rewind(index);
  }

  async #opened(step: Step, rest: readonly Step[]): Promise<Assembled> {
    const before = this.#run;
    if (before !== null && step.type !== 'resume' && step.type !== 'fork') return before;
    this.#host.files.put(`${START}/script.json`, scriptOf([step, ...rest], this.#harness));
    const options = {
      harness: this.#harness,
      model: 'rehearsal/script.json',
      permissionMode: 'yolo',
      config: [`instructions.max_file_bytes=${CAP}`],
    };
    const folded = before === null ? null : toStableJson(before.parts.log.state());
    const isStored = before !== null && before.parts.log.recent().length > 0;
    await before?.session.close();
    const type = step.type === 'fork' ? ('fork' as const) : ('resume' as const);
    const session = !isStored ? { type: 'new' as const } : { type, id: before.parts.log.id };
    const run = await assemble({ ...options, session }, this.#host, { sends: true });
    // The same log folds to the same state, whoever reads it.
    if (session.type === 'resume') expect(toStableJson(run.parts.log.state())).toBe(folded);
    this.#checked = run.parts.log.requests().length;
    this.#captured = 0;
    this.#hasStarted = false;
    this.#run = run;
    return run;
  }

  /** The ledger learns what happened, and the requests of a turn are held against what it foretells. */
  #follow(run: Assembled, step: Step): void {
    const ledger = this.#ledger;
    if (step.type === 'clear' || step.type === 'compact' || step.type === 'reload') ledger[step.type]();
    if (step.type !== 'prompt') return;
    expect(run.session.failure).toBeNull();
    ledger.stack = run.parts.log.state().directories;
    const bodies = this.#capture(run);
    const said = bodies.map(({ messages }) =>
      messages.flatMap(({ role, content }) => (role === 'user' ? saidIn(textIn(content)) : [])),
    );
    const foretold = ledger.turn(step, this.#ran(run, step, bodies));
    if (ledger.exact) expect(said).toEqual(foretold);
    for (const [path, text] of ledger.tree) expect(this.#host.files.snapshot(path)[path]).toBe(text);
    this.#checkDue(run, step);
  }

  /** The bodies of this turn's requests. What the log makes of them is what was sent. */
  #capture({ parts }: Assembled): Body[] {
    const all = (parts.model.port as RehearsalModel).requests().filter(({ purpose }) => purpose === 'turn');
    const bodies = all.slice(this.#captured).map(({ body }) => body);
    this.#captured = all.length;
    this.sent.push(...bodies);
    const { log } = parts;
    const stored = log.requests().filter(({ purpose }) => purpose === 'turn');
    expect(stored.slice(-bodies.length).map((request) => log.requestBody(request))).toEqual(bodies);
    return bodies.map((body) => JSON.parse(body) as Body);
  }

  #ran({ parts }: Assembled, { batches }: Prompt, bodies: readonly Body[]): Ran[][] {
    const branch = parts.log.branch();
    const results = branch
      .slice(branch.findLastIndex(({ type }) => type === 'prompt'))
      .flatMap((event) => (event.type === 'tool-result' ? [event.status] : []));
    return batches.map((calls, index) => {
      const offered = new Set((bodies[index]?.tools ?? []).map((tool) => tool.function.name));
      return calls.map((call) => ({
        offered: offered.has(toolOf(call, this.#harness)),
        status: results.shift() ?? 'aborted',
      }));
    });
  }

  #deliveredBy({ parts: { log } }: Assembled): (event: Event) => Delivered | null {
    return (event) => {
      if (event.type !== 'reminder') return null;
      const pieces = event.layout.flatMap((item) => ('piece' in item ? (log.piece(item.piece) ?? []) : []));
      const files = pieces
        .filter(({ id }) => /^(?:context-file|path-list):/.test(id))
        .map(({ id, text }) => ({ path: id.slice(id.indexOf(':') + 1), rules: text.match(RULE) ?? [] }));
      const large = pieces.filter(({ id }) => id === 'chain/paths').flatMap(({ text }) => saidIn(text));
      if (files.length === 0 && event.reason !== 'chain' && event.reason !== 'paths') return null;
      const omitted = (event.omitted ?? []).flatMap(({ piece }) => log.piece(piece)?.id.slice(13) ?? []);
      return { event: event.id, reason: event.reason, files, large: large.map((line) => line.slice(2)), omitted };
    };
  }

  /** After a turn the model has what is due: the chain as it is now, what it touched, what the prompt linked to. */
  #checkDue(run: Assembled, { text }: Prompt): void {
    const { log } = run.parts;
    const branch = log.branch();
    const model = new DeliveryModel(branch, this.#deliveredBy(run));
    expect(model.fault).toBeNull();
    const { tree } = this.#ledger;
    // A file that the turn itself made may wait for the next one.
    const ofTurn = branch.slice(branch.findLastIndex(({ type }) => type === 'prompt'));
    const observed = ofTurn.flatMap((event) =>
      event.type === 'tool-result' && event.status === 'ok' ? event.observed : [],
    );
    const made = new Set(observed.filter(({ how }) => how === 'written').map(({ path }) => path));
    const around = [`/u/.config/${this.#harness}`, ...levels(START, '/'), ...log.state().directories];
    const chain = new Set(around.flatMap((at) => fileOf(at, tree) ?? []));
    const given = new Set([...(model.chain ?? []), ...[...model.named].filter((path) => chain.has(path))]);
    if (made.size === 0) expect([...given].sort()).toEqual([...chain].sort());
    const reads = observed.filter(({ how }) => how === 'read').map(({ path }) => path);
    const touched = reads.flatMap((path) => levels(dirname(path), '/r').flatMap((at) => fileOf(at, tree) ?? []));
    const linked = text.includes('@/') && tree.has(LINKED) && !made.has(LINKED) ? [LINKED] : [];
    const due = [...touched, ...linked].filter((path) => !made.has(path));
    expect(due.filter((path) => !model.seen.has(path) && !given.has(path))).toEqual([]);
  }

  #checkRequests({ parts: { log } }: Assembled): void {
    const requests = log.requests();
    for (const request of requests.slice(this.#checked)) {
      if (request.purpose !== 'turn') continue;
      const { messages } = JSON.parse(log.requestBody(request)) as Body;
      this.#checkSystem(textIn(messages[0]?.content), log.stateAt(request.id).choices.facet ?? 'execute');
      checkSaid(messages, log, request);
      const calls = messages.flatMap((message) => message.tool_calls ?? []);
      const results = messages.flatMap(({ tool_call_id: id }) => id ?? []);
      expect(results).toEqual(calls.map(({ id }) => id));
    }
    this.#checked = requests.length;
  }

  /** Nothing of instruction files; the same bytes as long as facet and fragment are the same. */
  #checkSystem(system: string, facet: string): void {
    expect(system).not.toMatch(/RULE-|SKILL-|AGENTS\.md|CLAUDE\.md|GEMINI\.md|linked\.md/i);
    if (facet === 'one') expect(system).toContain(`I am one, ${this.#loaded.facet}. ${this.#fragment}`);
    const key = facet === 'one' ? `one ${this.#loaded.facet} ${this.#fragment}` : facet;
    const known = this.#systems.get(key);
    if (known === undefined) this.#systems.set(key, system);
    else expect(system).toBe(known);
  }
}

/** What is said in the name of the user is what the reminders of this branch said, and the prompts. */
function checkSaid(messages: readonly Message[], log: Assembled['parts']['log'], request: RequestEvent): void {
  const ofUser = <M extends { role: string }>(all: readonly M[], text: (one: M) => unknown): string[] =>
    all.filter(({ role }) => role === 'user').flatMap((one) => JSON.stringify(text(one)).match(RULE) ?? []);
  const { history } = log.stateAt(request.parentId);
  expect(ofUser(messages, ({ content }) => content)).toEqual(ofUser(history, ({ parts }) => parts));
}

async function play(harness: HarnessName, steps: readonly Step[]): Promise<Play> {
  const played = new Play(harness);
  for (const [index, step] of steps.entries()) await played.perform(step, steps.slice(index + 1));
  await played.close();
  return played;
}

const HARNESSES = ['rein', 'polytoken'] as const;

test.each(HARNESSES)(
  '%s: whatever happens, each instruction file is in the history once, where it is due, and never in the system prompt',
  async (harness) => {
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => {
        await play(harness, steps);
      }),
      { numRuns: 450 },
    );
  },
  120_000,
);

/**
 * Without what a session that is opened again does otherwise on purpose: it reads facets and skills anew, its fork has
 * another name, and it does not know which protected files changed since the last command of the run before.
 */
function ofOneRun(steps: readonly Step[]): Step[] {
  return steps.flatMap((one): Step[] => {
    if (one.type === 'write') return one.path === 'facet' || one.path === 'skill' ? [] : [one];
    if (one.type !== 'prompt') return one.type === 'fork' || one.type === 'resume' ? [] : [one];
    const batches = one.batches.map((calls) => calls.filter((call) => !('shell' in call)));
    return [{ ...one, batches: batches.filter(({ length }) => length > 0) }];
  });
}

test.each(HARNESSES)(
  '%s: a session that was closed and opened again sends what one sends that never was',
  async (harness) => {
    await fc.assert(
      fc.asyncProperty(sequences, fc.nat(), async (drawn, at) => {
        const steps = ofOneRun(drawn);
        const prompts = steps.flatMap(({ type }, index) => (type === 'prompt' ? [index] : []));
        const place = (prompts[at % prompts.length] ?? 0) + 1;
        const resumed: Step[] = [...steps.slice(0, place), { type: 'resume' }, ...steps.slice(place)];
        const [one, two] = [await play(harness, steps), await play(harness, resumed)];
        expect(two.sent).toEqual(one.sent);
      }),
      { numRuns: 50 },
    );
  },
  120_000,
);
