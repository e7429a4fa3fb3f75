import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FOLDS, memoryLog, sessionRig, stepArbitrary, takeStep } from '../../../test/rig/session-rig.ts';
import { sha256, toStableJson } from '../../base/index.ts';
import { type Event, type Fold, type Folded, isCall, type Message } from '../../model/index.ts';
import type { SessionLog } from '../session-log.ts';
import { foldBranch, makeCheckpoint } from './fold-branch.ts';

const scripts = fc.array(stepArbitrary, { maxLength: 40, size: 'max' });

/** Every fold, one step after the other, from the root: no checkpoint, no shortcut. */
function foldEverything(log: SessionLog, events: readonly Event[] = log.branch()): Folded {
  const folded: Record<string, unknown> = {};
  for (const [name, fold] of Object.entries(FOLDS) as [string, Fold<unknown>][]) {
    folded[name] = events.reduce((state, event) => fold.step(state, event, log), fold.initial(log.header));
  }
  return folded as Folded;
}

function withFacts(log: SessionLog, folded: Folded): object {
  return { ...folded, id: log.id, header: log.header, leaf: log.branch().at(-1)?.id ?? null };
}

/** What is wrong with the calls and results of a conversation that goes on. */
function unpaired(history: readonly Message[]): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  let asked = '';
  for (const message of history) {
    if (message.role === 'tool') {
      const at = open.indexOf(message.call.id);
      if (at < 0 || message.call.assistant !== asked) problems.push(`a result without its call: ${message.call.id}`);
      else open.splice(at, 1);
      continue;
    }
    if (open.length > 0) problems.push(`calls without a result: ${open.join()}`);
    open = message.role === 'assistant' ? message.parts.filter(isCall).map(({ id }) => id) : [];
    asked = message.event;
  }
  return open.length > 0 ? [...problems, `calls without a result at the end: ${open.join()}`] : problems;
}

describe('folding a branch', () => {
  test('gives the same one event at a time, from the last checkpoint, and from the root', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const log = memoryLog();
        for (const step of script) {
          takeStep(log, step);
          log.state();
        }
        const everything = foldEverything(log);
        expect(foldBranch(FOLDS, log.header, log.branch(), log)).toEqual(everything);
        expect(log.state()).toEqual(withFacts(log, everything));
      }),
      { numRuns: 300 },
    );
  });

  test('gives the same when many events are folded at once', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const log = memoryLog();
        for (const step of script) takeStep(log, step);
        expect(log.state()).toEqual(withFacts(log, foldEverything(log)));
      }),
      { numRuns: 100 },
    );
  });

  test('folds what a checkpoint does not hold from the root', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const log = memoryLog();
        for (const step of script) takeStep(log, step);
        const older = log.branch().map((event): Event => {
          if (event.type !== 'clear' && event.type !== 'compaction') return event;
          const { observed: _observed, usage: _usage, ...folds } = event.checkpoint.folds;
          return { ...event, checkpoint: { folds, sha256: sha256(toStableJson(folds)) } };
        });
        expect(foldBranch(FOLDS, log.header, older, log)).toEqual(foldEverything(log));
      }),
      { numRuns: 100 },
    );
  });

  test('does not rely on a checkpoint that is not what it was', () => {
    const log = memoryLog();
    log.append({ type: 'todos', items: [{ id: '1', title: 'a', status: 'pending' }] });
    log.append({ type: 'clear', facet: null, plan: null, checkpoint: makeCheckpoint(log.state()) });
    const damaged = log.branch().map((event): Event => {
      if (event.type !== 'clear') return event;
      return { ...event, checkpoint: { ...event.checkpoint, folds: { ...event.checkpoint.folds, usage: 'damaged' } } };
    });
    expect(foldBranch(FOLDS, log.header, damaged, log)).toEqual(foldEverything(log));
  });

  test('starts at the last checkpoint where it is whole', () => {
    const log = memoryLog();
    log.append({ type: 'todos', items: [{ id: '1', title: 'a', status: 'pending' }] });
    const state = { ...log.state(), todos: [{ id: '2', title: 'only in the checkpoint', status: 'done' as const }] };
    log.append({ type: 'clear', facet: null, plan: null, checkpoint: makeCheckpoint(state) });
    expect(foldBranch(FOLDS, log.header, log.branch(), log).todos).toEqual(state.todos);
  });

  test('leaves no call without a result and no result without its call once the conversation goes on', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const log = memoryLog();
        for (const step of script) takeStep(log, step);
        log.append({ type: 'prompt', text: 'go on', from: 'user' });
        expect(unpaired(log.state().history)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('takes each message from one event of the branch, added results from the answer that asked', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const log = memoryLog();
        for (const step of script) takeStep(log, step);
        const onBranch = new Map(log.branch().map((event) => [event.id, event.type]));
        const used = new Map<string, number>();
        for (const message of log.state().history) {
          const type = onBranch.get(message.event);
          const added = message.role === 'tool' && type === 'assistant' && message.call.assistant === message.event;
          if (added) expect(message.status).toBe('aborted');
          else used.set(message.event, (used.get(message.event) ?? 0) + 1);
          expect(type).toBeDefined();
        }
        expect([...used.values()].filter((count) => count !== 1)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('is the same after the log was closed and read again, and in a copy of it', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const { store, begin } = sessionRig();
        const log = await begin();
        log.append({ type: 'prompt', text: 'first', from: 'user' });
        for (const step of script) takeStep(log, step);
        const state = log.state();
        const branch = log.branch();
        await log.close();
        const again = await store.open(log.id);
        expect(again.state()).toEqual(state);
        expect(again.diagnostics).toEqual([]);
        await again.close();
        if (state.leaf === null) return;
        const copy = await store.fork(log.id);
        expect(copy.state()).toEqual({ ...state, id: copy.id, header: copy.header });
        expect(copy.branch()).toEqual(branch);
        await copy.close();
      }),
      { numRuns: 60 },
    );
  });
});
