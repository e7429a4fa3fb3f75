import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Delivered,
  DeliveryModel,
  fileOf,
  levels,
  type ModelCall,
  RULE,
  type Step,
} from '../../test/rig/delivery-model.ts';
import { toStableJson } from '../base/index.ts';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import type { Event } from '../model/index.ts';
import { type Assembled, assemble } from './assemble.ts';

type HarnessName = 'rein' | 'polytoken';

const START = '/r/a';
const LINKED = '/r/a/linked.md';
const DIRECTORIES = ['/', '/r', '/r/a', '/r/a/n', '/r/a/n/d', '/r/a/b'];
const READABLE = ['/r/a/x.txt', '/r/a/n/x.txt', '/r/a/n/d/x.txt', '/r/a/b/x.txt', '/r/a/n/AGENTS.md', LINKED];
const inside = { rein: '/r/.rein', polytoken: '/r/.polytoken' };
const READ = { rein: 'read', polytoken: 'file_read' };

const editable = fc.constantFrom(
  'user',
  LINKED,
  'fragment',
  ...DIRECTORIES.flatMap((at) =>
    ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'].map((name) => `${at === '/' ? '' : at}/${name}`),
  ),
);
const facet = fc.constantFrom('execute', 'plan', 'one');
const call: fc.Arbitrary<ModelCall> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ read: fc.constantFrom(...READABLE) }) },
  { weight: 1, arbitrary: fc.record({ facet }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('write' as const), path: editable, link: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), path: editable }) },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant('prompt' as const),
      text: fc.constantFrom('go', 'go on', `read @${LINKED}`),
      batches: fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('facet' as const), to: facet }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('pushd' as const), path: fc.constantFrom('/r/a/b', '/r/a/n') }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>(
      { type: 'popd' },
      { type: 'clear' },
      { type: 'compact' },
      { type: 'reload' },
      { type: 'resume' },
      { type: 'fork' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('rewind' as const),
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
    }),
  },
);
const sequences = fc.array(step, { minLength: 3, maxLength: 14 });

function replies(harness: HarnessName, steps: readonly Step[]): string {
  const toCall = (one: ModelCall): object =>
    'read' in one
      ? { name: READ[harness], arguments: { path: one.read } }
      : { name: 'switch_facet', arguments: { facet: one.facet } };
  const prompts = steps.flatMap((one) => (one.type === 'prompt' ? [one] : []));
  return JSON.stringify([
    { when: { purpose: 'compaction' }, text: 'A summary.', repeat: true },
    ...[...prompts, { batches: [] }].flatMap(({ batches }) => [
      ...batches.map((batch) => ({ calls: batch.map(toCall) })),
      { text: 'Done.' },
    ]),
  ]);
}

/** A project, a session in it, and what the rules say of both; `tree` holds the instruction files there are. */
class Play {
  readonly tree = new Map<string, string>();
  readonly #harness: HarnessName;
  readonly #host: MemoryHost;
  readonly #systems = new Map<string, string>();
  #run: Assembled | null = null;
  #rules = 0;
  #checked = 0;
  #fragment = '';

  constructor(harness: HarnessName) {
    this.#harness = harness;
    const files = Object.fromEntries(READABLE.filter((path) => path.endsWith('.txt')).map((path) => [path, 'x']));
    this.#host = createMemoryHost({
      cwd: START,
      home: '/u',
      files: {
        ...files,
        '/r/.git': { directory: true },
        [`${inside[harness]}/facets/one.md`]:
          '---\nname: one\ndescription: The first.\n---\nI am one. {{ transclude("part.md") }}',
        [`${inside[harness]}/facets/part.md`]: 'A part.',
      },
    });
  }

  async perform(step: Step, rest: readonly Step[]): Promise<void> {
    this.#host.clock.advance(5000);
    if (step.type === 'write') return this.#write(this.#place(step.path), step.link);
    if (step.type === 'remove') return this.#remove(this.#place(step.path));
    const run = await this.#opened(step, rest);
    if (step.type === 'resume' || step.type === 'fork') return undefined;
    if (step.type === 'rewind') {
      const prompts = run.parts.log.branch().filter(({ type }) => type === 'prompt');
      const target = prompts[Math.floor(step.share * prompts.length)];
      if (target !== undefined) await run.session.send({ type: 'rewind', to: target.id });
    } else await run.session.send(step.type === 'prompt' ? { type: 'prompt', text: step.text } : step);
    if (step.type === 'prompt') this.#checkDue(run, step);
    this.#checkRequests(run);
    return undefined;
  }

  async close(): Promise<void> {
    await this.#run?.session.close();
  }

  #place(path: string): string {
    if (path === 'user') return `/u/.config/${this.#harness}/AGENTS.md`;
    return path === 'fragment' ? `${inside[this.#harness]}/facets/part.md` : path;
  }

  #write(path: string, link: boolean): void {
    this.#rules += 1;
    const isFragment = path.endsWith('/part.md');
    const text = isFragment ? `Part ${this.#rules}.` : `RULE-${this.#rules}${link ? ` and @${LINKED}` : ''}\n`;
    this.#host.files.put(path, { content: text, mtimeMs: 1_000_000 + this.#rules });
    if (isFragment) this.#fragment = text;
    else this.tree.set(path, text);
  }

  async #remove(path: string): Promise<void> {
    if (!path.endsWith('/part.md') && this.tree.delete(path)) await this.#host.files.remove(path);
  }

  async #opened(step: Step, rest: readonly Step[]): Promise<Assembled> {
    const before = this.#run;
    if (before !== null && step.type !== 'resume' && step.type !== 'fork') return before;
    this.#host.files.put(`${START}/script.json`, replies(this.#harness, [step, ...rest]));
    const options = { harness: this.#harness, model: 'rehearsal/script.json', permissionMode: 'yolo' };
    const folded = before === null ? null : toStableJson(before.parts.log.state());
    await before?.session.close();
    const isStored = before?.parts.log.lastRequest() !== undefined;
    const type = step.type === 'fork' ? ('fork' as const) : ('resume' as const);
    const session = before === null || !isStored ? { type: 'new' as const } : { type, id: before.parts.log.id };
    const run = await assemble({ ...options, session }, this.#host, { sends: true });
    // The same log folds to the same state, whoever reads it.
    if (session.type === 'resume') expect(toStableJson(run.parts.log.state())).toBe(folded);
    this.#checked = run.parts.log.requests().length;
    this.#run = run;
    return run;
  }

  #deliveredBy(run: Assembled): (event: Event) => Delivered | null {
    return (event) => {
      if (event.type !== 'reminder') return null;
      const files = event.layout.flatMap((item) => {
        if (!('piece' in item) || !item.piece.startsWith('context-file:')) return [];
        const piece = run.parts.log.piece(item.piece);
        const path = piece?.id.slice('context-file:'.length) ?? '';
        return [{ path, rules: piece?.text.match(RULE) ?? [] }];
      });
      if (files.length === 0 && event.reason !== 'chain' && event.reason !== 'paths') return null;
      const omitted = (event.omitted ?? []).flatMap(({ piece }) => run.parts.log.piece(piece)?.id.slice(13) ?? []);
      return { event: event.id, reason: event.reason, files, omitted };
    };
  }

  #model(run: Assembled): DeliveryModel {
    return new DeliveryModel(run.parts.log.branch(), this.#deliveredBy(run));
  }

  /** After a turn the model has what is due: the chain as it is now, what it touched, what the prompt linked to. */
  #checkDue(run: Assembled, { text }: Extract<Step, { type: 'prompt' }>): void {
    const model = this.#model(run);
    expect(model.fault).toBeNull();
    const { directories } = run.parts.log.state();
    const around = [`/u/.config/${this.#harness}`, ...levels(START, '/'), ...directories];
    const chain = new Set(around.flatMap((at) => fileOf(at, this.tree) ?? []));
    const given = new Set([...(model.chain ?? []), ...[...model.named].filter((path) => chain.has(path))]);
    expect([...given].sort()).toEqual([...chain].sort());
    const { log } = run.parts;
    const branch = log.branch();
    const ofTurn = branch.slice(branch.findLastIndex(({ type }) => type === 'prompt'));
    const reads = ofTurn.flatMap((event) =>
      event.type === 'tool-result' && event.status === 'ok' ? event.observed.map((one) => one.path) : [],
    );
    const touched = reads.flatMap((path) => levels(dirname(path), '/r').flatMap((at) => fileOf(at, this.tree) ?? []));
    const linked = text.includes('@') && this.tree.has(LINKED) ? [LINKED] : [];
    expect([...touched, ...linked].filter((path) => !model.seen.has(path) && !given.has(path))).toEqual([]);
  }

  #checkRequests({ parts: { log } }: Assembled): void {
    const requests = log.requests();
    for (const request of requests.slice(this.#checked)) {
      if (request.purpose !== 'turn') continue;
      const { messages } = JSON.parse(log.requestBody(request)) as { messages: { role: string; content: unknown }[] };
      const system = JSON.stringify(messages[0]?.content);
      expect(system).not.toMatch(/RULE-|AGENTS\.md|CLAUDE\.md|GEMINI\.md/i);
      const key = `${log.stateAt(request.id).choices.facet ?? 'execute'} ${this.#fragment}`;
      const known = this.#systems.get(key);
      if (known === undefined) this.#systems.set(key, system);
      else expect(system).toBe(known);
      // What is said in the name of the user is what the reminders of this branch said, and the prompts.
      const said = messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => JSON.stringify(content).match(RULE) ?? []);
      const state = log.stateAt(request.parentId);
      const folded = state.history
        .filter(({ role }) => role === 'user')
        .flatMap(({ parts }) => JSON.stringify(parts).match(RULE) ?? []);
      expect(said).toEqual(folded);
      const calls = messages.flatMap((message) =>
        'tool_calls' in message ? (message.tool_calls as { id: string }[]) : [],
      );
      const results = messages.flatMap((message) => ('tool_call_id' in message ? [message.tool_call_id] : []));
      expect(results).toEqual(calls.map(({ id }) => id));
    }
    this.#checked = requests.length;
  }
}

test.each(['rein', 'polytoken'] as const)(
  '%s: whatever happens, each instruction file is in the history once, where it is due, and never in the system prompt',
  async (harness) => {
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => {
        const play = new Play(harness);
        for (const [index, step] of steps.entries()) await play.perform(step, steps.slice(index + 1));
        await play.close();
      }),
      { numRuns: 500 },
    );
  },
  120_000,
);
