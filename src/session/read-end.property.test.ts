import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DIRECTORY,
  FOLDS,
  laidOf,
  prompt,
  REQUEST,
  type SessionRig,
  type Step,
  sessionRig,
  stepArbitrary,
  takeStep,
} from '../../test/rig/session-rig.ts';
import { createSessionStore, type SessionLog, type SessionStore } from './index.ts';

/** One file, read from its end only as far as needed, and read whole. */
function bothStores(rig: SessionRig): { fromEnd: SessionStore; whole: SessionStore } {
  const options = { host: rig.host, directory: DIRECTORY, folds: FOLDS };
  return {
    fromEnd: createSessionStore({ ...options, wholeBytes: 0 }),
    whole: createSessionStore({ ...options, wholeBytes: Number.POSITIVE_INFINITY }),
  };
}

function bodies(log: SessionLog): string[] {
  return log.requests().map((request) => log.requestBody(request));
}

/** All that a log can be asked. */
function everything(log: SessionLog): object {
  const branch = log.branch();
  return {
    state: log.state(),
    branch,
    states: branch.map(({ id }) => log.stateAt(id)),
    notes: log.notes(),
    requests: log.requests(),
    bodies: bodies(log),
    lastOfBranch: branch.some(({ type }) => type === 'request') ? log.lastRequest() : null,
    diagnostics: log.diagnostics,
  };
}

async function filled(steps: readonly Step[]): Promise<{ rig: SessionRig; log: SessionLog }> {
  const rig = sessionRig();
  const log = await rig.begin();
  log.append(prompt('first'));
  for (const [index, step] of steps.entries()) {
    takeStep(log, step);
    if (index % 7 === 3) log.note({ type: 'title', text: `title ${index}` });
  }
  return { rig, log };
}

const steps = fc.array(stepArbitrary, { minLength: 1, maxLength: 60 });

async function fileOf(rig: SessionRig, log: SessionLog): Promise<string> {
  const read = await rig.host.files.readRegular(log.path ?? '', { maxBytes: 1e9 });
  return read.ok ? Buffer.from(read.bytes).toString('utf8') : read.why;
}

describe('a log that is read from its end', () => {
  test('answers everything as one that is read whole, and as one that was never closed', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const { rig, log } = await filled(taken);
        const { fromEnd, whole } = bothStores(rig);
        const [left, right] = [await fromEnd.read(log.id), await whole.read(log.id)];
        expect(left.state()).toEqual(log.state());
        expect(everything(left)).toEqual(everything(right));
        expect(everything(log)).toEqual(everything(right));
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  test('goes on as one that is read whole: also back to any event, and with texts that it holds already', async () => {
    const cases = fc.record({
      taken: steps,
      to: fc.nat({ max: 100 }),
      more: fc.array(stepArbitrary, { maxLength: 15 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ taken, to, more }) => {
        const { rig, log } = await filled(taken);
        await log.close();
        const { fromEnd, whole } = bothStores(rig);
        const opened = await fromEnd.open(log.id);
        const before = await fileOf(rig, log);
        opened.toLayout(laidOf('RULE'));
        const branch = opened.branch();
        opened.append({ type: 'rewind', to: branch[to % branch.length]?.id ?? null });
        for (const step of more) takeStep(opened, step);
        opened.recordRequest(REQUEST, ['{', '"0"', '}']);
        const state = opened.state();
        expect(opened.scratch().state()).toEqual(state);
        await opened.close();
        const after = (await fileOf(rig, log)).slice(before.length).split('\n');
        const repeated = after.filter((line) => /^\{"type":"(?:blob|piece)"/.test(line) && before.includes(line));
        expect(repeated).toEqual([]);
        const again = await whole.read(log.id);
        expect(again.state()).toEqual(state);
        expect(again.diagnostics).toEqual([]);
        bodies(again);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  test('has the state of one that is read whole where lines are lost or damaged', async () => {
    const cases = fc.record({
      taken: steps,
      lines: fc.array(fc.record({ at: fc.nat({ max: 200 }), how: fc.constantFrom('gone', 'cut', 'no json') }), {
        minLength: 1,
        maxLength: 3,
      }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ taken, lines }) => {
        const { rig, log } = await filled(taken);
        await log.close();
        const text = (await fileOf(rig, log)).split('\n');
        for (const { at, how } of lines) {
          const index = 1 + (at % (text.length - 2));
          text[index] = how === 'gone' ? '' : how === 'cut' ? (text[index] ?? '').slice(0, -3) : 'no json';
        }
        await rig.host.files.writeWhole(log.path ?? '', text.join('\n'));
        const { fromEnd, whole } = bothStores(rig);
        const [left, right] = [await fromEnd.read(log.id), await whole.read(log.id)];
        expect(left.state()).toEqual(right.state());
        expect(left.branch().map(({ id }) => id)).toEqual(right.branch().map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  test('copies a branch as one that is read whole', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 100 }), async (taken, at) => {
        const { rig, log } = await filled(taken);
        await log.close();
        const branch = log.branch();
        const event = branch[at % Math.max(1, branch.length)]?.id;
        if (event === undefined) return;
        const { fromEnd, whole } = bothStores(rig);
        const copies = [await fromEnd.fork(log.id, event), await whole.fork(log.id, event)];
        const texts = await Promise.all(copies.map(async (copy) => (await fileOf(rig, copy)).split('\n').slice(1)));
        expect(texts[0]).toEqual(texts[1]);
        expect(copies[0]?.state().history).toEqual(copies[1]?.state().history);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
