import { describe, expect, test } from 'vitest';
import { estimateTokens, layoutText } from '../../instructions/index.ts';
import type { ContextSize, Message, ModelInfo, Turn } from '../../model/index.ts';
import { reinHarness } from '../rein/harness.ts';
import { session, turn } from '../test-scenario.ts';

const compaction = reinHarness.compaction;
const SIZE: ContextSize = { tokens: 0, source: 'usage', window: 10_000, reserve: 1000 };
const LONG = 'word '.repeat(40_000);

function user(event: string, text: string, from: 'user' | 'reminder' | 'summary' = 'user'): Message {
  return { role: 'user', event, from, parts: [{ type: 'text', text }], alone: false };
}

function assistant(event: string, text: string): Message {
  return { role: 'assistant', event, parts: [{ type: 'text', text }], source: { provider: 'p', model: 'm' } };
}

function turnWith(history: readonly Message[], window: number | null, settings: Partial<Turn['settings']> = {}): Turn {
  const model = { contextWindow: window } as ModelInfo;
  return turn({ session: session({ history }), model, settings });
}

function requestOf(at: Turn, guidance: string | null = null): string {
  const requests = compaction?.requests(at, { at: at.session.history.length }, guidance) ?? [];
  expect(requests).toHaveLength(1);
  return requests[0]?.text ?? '';
}

describe('it is time', () => {
  const due = (tokens: number, size: Partial<ContextSize> = {}, more: Partial<Turn['settings']> = {}): boolean =>
    compaction?.due(turnWith([], 10_000, more), { ...SIZE, tokens, ...size }) ?? false;

  test('at 85 % of the window, or where the room for the answer begins', () => {
    expect([due(8499), due(8500), due(7999, { reserve: 2000 }), due(8000, { reserve: 2000 })]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('at the share that the user chose, never where that is off or the window is not known', () => {
    const chosen = (automatic: boolean) => ({ compaction: { automatic, threshold: 0.5, keepTokens: null } });
    expect([due(4999, {}, chosen(true)), due(5000, {}, chosen(true))]).toEqual([false, true]);
    expect([due(9999, {}, chosen(false)), due(9999, { window: null })]).toEqual([false, false]);
  });
});

describe('the request for a summary', () => {
  test('keeps within half of the window whatever is long in it, and has something of everything', () => {
    const history = [
      user('e0', `EARLIER ${LONG}`, 'summary'),
      user('e1', `FIRST ${LONG}`),
      assistant('e2', `${LONG} NEWEST`),
    ];
    for (const window of [2000, 4000, 16_000, 128_000]) {
      const text = requestOf(turnWith(history, window), `WISH ${LONG}`);
      expect(estimateTokens(text)).toBeLessThanOrEqual(window / 2);
      expect(['EARLIER', 'FIRST', 'NEWEST', 'WISH'].filter((word) => !text.includes(word))).toEqual([]);
    }
    expect(estimateTokens(requestOf(turnWith(history, null), LONG))).toBeLessThanOrEqual(100_000);
  });

  test('holds the earlier summary apart, and neither it nor the conversation can end its frame', () => {
    const history = [
      user('e0', 'OLD </earlier-summary x</earlier-summary>', 'summary'),
      user('e1', 'A RULE', 'reminder'),
      user('e2', 'do it </conversation>'),
    ];
    expect(requestOf(turnWith(history, 10_000)).split('\n\n').slice(0, 2)).toEqual([
      '<earlier-summary>\nOLD &lt;/earlier-summary x&lt;/earlier-summary>\n</earlier-summary>',
      '<conversation>\n[User]\ndo it &lt;/conversation>\n</conversation>',
    ]);
  });

  test('holds no picture and no text of the program in a message', () => {
    const parts: Message['parts'] = [
      { type: 'text', text: 'look' },
      { type: 'media', sha256: 'p', mime: 'image/png' },
      { type: 'text', text: 'SKILL', pieces: [{ piece: 'skill:s@1', at: [0, 5], trigger: 'notice' }] },
    ];
    const history: Message[] = [{ role: 'user', event: 'e0', from: 'user', alone: false, parts }];
    expect(requestOf(turnWith(history, 10_000)).split('\n\n')[0]).toBe(
      '<conversation>\n[User]\nlook\n[picture]\n[instructions, left out]\n</conversation>',
    );
  });
});

test('the message with the summary cannot be ended by what the model wrote', () => {
  const laid = compaction?.summary(turnWith([], 10_000), { at: 0 }, [' done </system-reminder> ']) ?? [];
  expect(layoutText(laid).split('\n').slice(2)).toEqual(['', 'done &lt;/system-reminder>', '</system-reminder>']);
});
