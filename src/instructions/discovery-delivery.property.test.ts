import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foundFile } from '../../test/rig/found-file.ts';
import { emptySession } from '../../test/rig/session-state.ts';
import type { Batch, Delivery, Event, EventBody, FileObservation, Header, Piece, World } from '../model/index.ts';
import type { ChainForm } from './chain-reminder.ts';
import { deliveryFold } from './delivery.ts';
import { fileReminder } from './file-reminder.ts';
import { discovered, touchedQueries } from './touched-directories.ts';

const WORDS = { intro: 'x', rule: 'A test.' };
const FORM: ChainForm = {
  ...WORDS,
  tag: 'note',
  bodyTag: 'file',
  supersedes: 'x',
  emptied: 'x',
  oversized: 'x',
  discovery: WORDS,
  linked: { ...WORDS, from: 'x' },
  reloaded: WORDS,
};

const RULES: Parameters<typeof touchedQueries>[2] = {
  names: ['AGENTS.md'],
  match: 'any-case',
  order: 'outermost-first',
  perDirectory: 'first',
  take: 'all',
  dedupe: 'real-path',
  cap: 100,
  overCap: 'path-only',
  blank: 'absent',
  decode: 'sniff',
  writableByOthers: 'skip',
  followStubs: true,
  refresh: 'turn',
};

const WORLD: World = {
  files: [],
  searched: [],
  diagnostics: [],
  projectRoot: '/repo',
  cwd: '/repo',
  stack: ['/repo'],
  platform: { os: 'linux', shell: '/bin/sh', home: '/home/ada' },
  git: null,
};

/** Directories with an instruction file; that of `large` is too large for its body. */
const DIRECTORIES = ['/repo/a', '/repo/a/b', '/repo/a/b/c', '/repo/large', '/repo/d'];

type Call = { directory: string; reads: 'source' | 'instructions' | 'part'; status: 'ok' | 'error' | 'denied' };
type Step = readonly Call[] | 'clear';

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(
      fc.record({
        directory: fc.constantFrom(...DIRECTORIES, '/repo', '/repo/none'),
        reads: fc.constantFrom('source', 'instructions', 'part'),
        status: fc.constantFrom('ok', 'ok', 'error', 'denied'),
      }),
      { maxLength: 4 },
    ),
  },
  { weight: 1, arbitrary: fc.constant('clear' as const) },
);

function observedBy({ directory, reads, status }: Call): FileObservation[] {
  if (status !== 'ok') return [];
  const path = `${directory}/${reads === 'source' ? 'x.ts' : 'AGENTS.md'}`;
  const complete = reads !== 'part';
  return [{ path, size: 1, mtimeMs: 0, sha256: path, how: 'read', complete, decorated: true }];
}

/** The log as far as delivery goes; after each event the state survives JSON. */
class Log {
  delivery: Delivery = deliveryFold.initial({} as Header);
  readonly #pieces = new Map<string, Piece>();

  append(body: EventBody): void {
    const event = { id: 'e', parentId: null, time: '', ...body } as Event;
    const lookup = { piece: (ref: string) => this.#pieces.get(ref), event: () => undefined };
    const kept = JSON.parse(JSON.stringify(this.delivery)) as Delivery;
    this.delivery = deliveryFold.step(this.delivery, event, lookup);
    expect(deliveryFold.step(kept, event, lookup)).toEqual(this.delivery);
  }

  run(calls: readonly Call[]): string[] {
    for (const call of calls) {
      const { status } = call;
      const observed = observedBy(call);
      this.append({
        type: 'tool-result',
        call: { assistant: 'a', id: 'c' },
        tool: 'read',
        parts: [],
        status,
        observed,
      });
    }
    const results: Batch['results'] = calls.map((call) => ({
      call: { id: 'c', name: 'read', arguments: '' },
      status: call.status,
      touched: [`${call.directory}/x.ts`],
      observed: observedBy(call),
    }));
    const session = emptySession('s', '/repo');
    const queries = touchedQueries({ assistant: 'a', results }, { world: WORLD, session, project: '/repo' }, RULES);
    const places = queries.flatMap((query) => query.places.flatMap((place) => ('path' in place ? [place.path] : [])));
    const files = places
      .filter((path) => DIRECTORIES.includes(path))
      .map((path) => {
        const status = path === '/repo/large' ? 'path-only' : 'read';
        return foundFile('discovered-file', `${path}/AGENTS.md`, path, { status });
      });
    return discovered(files, this.delivery).map((file) => {
      const { reminder } = fileReminder(file, file.text, FORM, 'tool-batch', 'discovery');
      const layout = reminder.layout.map((item) => {
        if ('separator' in item) return item;
        const ref = `${item.piece.id}@${item.piece.sha256}`;
        this.#pieces.set(ref, item.piece);
        return { piece: ref, trigger: item.trigger };
      });
      this.append({ type: 'reminder', reason: reminder.reason, layout });
      return file.directory;
    });
  }
}

/** What a batch must bring, told anew: the instruction files around its calls, but for those given before. */
function dueAfter(calls: readonly Call[], given: Set<string>): string[] {
  for (const { directory, reads, status } of calls) {
    if (status === 'ok' && reads === 'instructions') given.add(directory);
  }
  const ran = calls.filter(({ status }) => status !== 'denied');
  const due = DIRECTORIES.filter(
    (directory) => !given.has(directory) && ran.some((call) => `${call.directory}/`.startsWith(`${directory}/`)),
  );
  for (const directory of due) given.add(directory);
  return due;
}

test('over any batches, a file of a touched directory comes once in a context, unless it was read whole', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 10 }), (steps) => {
      const log = new Log();
      let given = new Set<string>();
      for (const step of steps) {
        if (step === 'clear') {
          log.append({ type: 'clear', facet: null, plan: null, checkpoint: { folds: {} } });
          given = new Set();
          continue;
        }
        const sent = log.run(step);
        const depths = sent.map((directory) => directory.split('/').length);
        expect(depths).toEqual([...depths].sort((left, right) => left - right));
        expect([...sent].sort()).toEqual(dueAfter(step, given).sort());
      }
    }),
  );
});
