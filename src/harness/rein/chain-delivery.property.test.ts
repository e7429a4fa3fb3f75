import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foundFile } from '../../../test/rig/found-file.ts';
import { deliveryFold, layoutText } from '../../instructions/index.ts';
import type { Delivery, Event, EventBody, FoundFile, Header, Laid, Layout, Piece } from '../../model/index.ts';
import { composed, session, turn, world } from '../test-scenario.ts';
import { reinHarness } from './harness.ts';

/** One turn's start: which directories have a file, which of these is blank, at which version; or a boundary before. */
type Step = { present: readonly number[]; blank: readonly number[]; version: number; boundary: 'none' | 'clear' };

const anyStep: fc.Arbitrary<Step> = fc.record({
  present: fc.uniqueArray(fc.nat(3), { maxLength: 4 }).map((levels) => levels.sort()),
  blank: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
  version: fc.nat(2),
  boundary: fc.constantFrom('none', 'none', 'none', 'clear'),
});

/** The log as far as delivery goes: what is appended is folded, pieces are kept by reference. */
class Log {
  delivery: Delivery = deliveryFold.initial({} as Header);
  readonly #pieces = new Map<string, Piece>();
  #events = 0;

  append(body: EventBody): void {
    this.#events += 1;
    const event = { id: `e${this.#events}`, parentId: null, time: '', ...body } as Event;
    this.delivery = deliveryFold.step(this.delivery, event, {
      piece: (ref) => this.#pieces.get(ref),
      event: () => undefined,
    });
  }

  store(laid: Laid): Layout {
    return laid.map((item) => {
      if ('separator' in item) return item;
      const ref = `${item.piece.id}@${item.piece.sha256}`;
      this.#pieces.set(ref, item.piece);
      return { piece: ref, trigger: item.trigger };
    });
  }
}

function filesOf({ present, blank, version }: Step): FoundFile[] {
  return present.map((level) =>
    foundFile(
      'context-file',
      `/repo${'/d'.repeat(level)}/AGENTS.md`,
      blank.includes(level) ? ' \n' : `level ${level}, version ${version}`,
    ),
  );
}

function textsOf(files: readonly FoundFile[]): string[] {
  return files.map(({ text }) => text).filter((text) => text.trim() !== '');
}

/** Runs one turn's start and says which bodies it sent; null: no reminder. */
function startTurn(log: Log, files: readonly FoundFile[]): string[] | null {
  const composition = composed(
    reinHarness,
    turn({ world: world(files), session: session({ delivery: log.delivery }) }),
  );
  const { beforePrompt } = composition.reminders;
  expect(beforePrompt.length).toBeLessThanOrEqual(1);
  for (const { reason, layout } of beforePrompt) log.append({ type: 'reminder', reason, layout: log.store(layout) });
  if (composition.chain !== null) log.append({ type: 'chain', paths: [...composition.chain] });
  const [reminder] = beforePrompt;
  if (reminder === undefined) return null;
  const sent = layoutText(reminder.layout);
  return textsOf(files).filter((text) => sent.includes(text));
}

test('over any turns, every body of the chain is sent when a file joins or leaves or the context is new, and never else', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
      const log = new Log();
      let before: readonly number[] | null = null;
      for (const step of steps) {
        if (step.boundary === 'clear') {
          log.append({ type: 'clear', facet: null, plan: null, checkpoint: { folds: {} } });
          before = null;
        }
        const files = filesOf(step);
        const known: readonly number[] = before ?? [];
        // One that was emptied has not left, one that was never filled has not joined.
        const members = step.present.filter((level) => !step.blank.includes(level) || known.includes(level));
        const changed = before === null || before.join() !== members.join();
        const somethingToSay = textsOf(files).length > 0 || known.length > 0;
        expect(startTurn(log, files)).toEqual(changed && somethingToSay ? textsOf(files) : null);
        const paths = filesOf({ ...step, present: members }).map(({ realPath }) => realPath);
        expect(log.delivery.chain).toEqual(paths);
        before = members;
      }
    }),
  );
});
