import { describe, expect, test } from 'vitest';
import { answer, callPart, laidOf, memoryLog, prompt, resultOf } from '../../../test/rig/session-rig.ts';
import type { EventBody, Message, PieceKind } from '../../model/index.ts';
import type { SessionLog } from '../session-log.ts';
import { makeCheckpoint } from './fold-branch.ts';

/** A conversation in one line a message. */
function shape(log: SessionLog): string[] {
  return log.state().history.map((message: Message) => {
    const text = message.parts.map((part) => ('text' in part ? part.text : part.type === 'call' ? part.id : part.type));
    const who =
      message.role === 'user'
        ? message.from
        : message.role === 'tool'
          ? `${message.call.id} ${message.status}`
          : 'assistant';
    return `${who}: ${text.join(' + ').replaceAll('\n', '/')}`;
  });
}

function compaction(log: SessionLog, keptFrom: string): EventBody {
  return {
    type: 'compaction',
    kind: 'text',
    why: 'manual',
    summary: log.toLayout(laidOf('so far', 'summary')),
    keptFrom,
    todos: [],
    skills: [],
    files: [],
    checkpoint: makeCheckpoint(log.state()),
  };
}

const NO_RESULT = 'This call was interrupted before it had a result.';

describe('the history', () => {
  test('holds prompts, reminders, answers and results as messages, each with its event', () => {
    const log = memoryLog();
    const layout = log.toLayout([
      { separator: '<ü>' },
      ...laidOf('RULE', 'context-file').slice(1, 2),
      { separator: '</ü>' },
    ]);
    const ref = layout.flatMap((item) => ('piece' in item ? [item.piece] : []))[0] ?? '';
    const reminder = log.append({ type: 'reminder', reason: 'chain', layout, alone: true });
    const asked = log.append({ type: 'prompt', text: 'look', typed: '/look', from: 'queue' });
    const said = answer(log, [{ type: 'text', text: 'I look' }, callPart('a')]);
    const result = log.append(resultOf(said.id, 'a'));
    expect(log.state().history).toEqual([
      {
        role: 'user',
        event: reminder.id,
        from: 'reminder',
        alone: true,
        parts: [{ type: 'text', text: '<ü>RULE</ü>', pieces: [{ at: [4, 8], piece: ref, trigger: 'chain-changed' }] }],
      },
      { role: 'user', event: asked.id, from: 'queue', alone: false, parts: [{ type: 'text', text: 'look' }] },
      { role: 'assistant', event: said.id, parts: said.parts, source: { provider: 'test', model: 'small' } },
      {
        role: 'tool',
        event: result.id,
        call: { assistant: said.id, id: 'a' },
        tool: 'read',
        parts: [{ type: 'text', text: 'result of a' }],
        status: 'ok',
      },
    ]);
  });

  test('prefers the parts of a prompt to its text', () => {
    const log = memoryLog();
    const parts = [{ type: 'media' as const, sha256: 'x', mime: 'image/png' }];
    log.append({ type: 'prompt', text: 'see', parts, from: 'user' });
    expect(log.state().history.map((message) => message.parts)).toEqual([parts]);
  });

  test('settles calls without a result in call order when the conversation goes on, and not before', () => {
    const log = memoryLog();
    log.append(prompt('go'));
    const said = answer(log, [callPart('a'), callPart('b'), callPart('c')]);
    log.append(resultOf(said.id, 'b'));
    expect(shape(log)).toEqual(['user: go', 'assistant: a + b + c', 'b ok: result of b']);
    log.append(prompt('again'));
    log.append(resultOf(said.id, 'c'));
    expect(shape(log)).toEqual([
      'user: go',
      'assistant: a + b + c',
      'b ok: result of b',
      `a aborted: ${NO_RESULT}`,
      `c aborted: ${NO_RESULT}`,
      'user: again',
    ]);
  });

  test('takes as many results as there are calls of one id', () => {
    const log = memoryLog();
    const said = answer(log, [callPart('a'), callPart('a')]);
    for (let count = 0; count < 3; count += 1) log.append(resultOf(said.id, 'a'));
    log.append(resultOf(said.id, 'z'));
    expect(shape(log)).toEqual(['assistant: a + a', 'a ok: result of a', 'a ok: result of a']);
  });

  test('drops a result that names another answer, though a call of that id is open', () => {
    const log = memoryLog();
    const first = answer(log, [callPart('a')]);
    log.append(prompt('go on'));
    answer(log, [callPart('a')]);
    log.append(resultOf(first.id, 'a'));
    expect(shape(log)).toEqual(['assistant: a', `a aborted: ${NO_RESULT}`, 'user: go on', 'assistant: a']);
  });

  test('keeps the text of a cut answer without its calls, and nothing of one that only reasoned', () => {
    const log = memoryLog();
    const text = answer(log, [{ type: 'text', text: 'half' }, callPart('a')], { partial: true });
    log.append(resultOf(text.id, 'a'));
    answer(log, [{ type: 'reasoning', text: 'hm' }, callPart('b')], { partial: true });
    answer(log, []);
    expect(shape(log)).toEqual(['assistant: half']);
  });

  test('leaves out what was said in requests of another purpose', () => {
    const log = memoryLog();
    log.append(prompt('go'));
    answer(log, [{ type: 'text', text: 'a summary' }], { purpose: 'compaction' });
    answer(log, [{ type: 'text', text: 'a title' }], { purpose: 'other' });
    expect(shape(log)).toEqual(['user: go']);
  });

  test('is empty after a clear', () => {
    const log = memoryLog();
    log.append(prompt('go'));
    log.append({ type: 'clear', facet: null, plan: null, checkpoint: makeCheckpoint(log.state()) });
    log.append(prompt('new'));
    expect(shape(log)).toEqual(['user: new']);
  });

  test('is the summary and the kept tail after a compaction, without what is delivered anew', () => {
    const log = memoryLog();
    log.append(prompt('old'));
    const kept = log.append(prompt('kept'));
    for (const kind of ['context-file', 'plan', 'discovery', 'chain', 'path-list', 'skill'] satisfies PieceKind[]) {
      log.append({ type: 'reminder', reason: kind, layout: log.toLayout(laidOf(`of ${kind}`, kind)) });
    }
    answer(log, [{ type: 'text', text: 'yes' }]);
    log.append(compaction(log, kept.id));
    expect(shape(log)).toEqual([
      'summary: <note>/so far/</note>',
      'user: kept',
      'reminder: <note>/of skill/</note>',
      'assistant: yes',
    ]);
  });

  test('keeps calls and results together when a compaction comes between them, and drops cut ones (C53)', () => {
    const log = memoryLog();
    const first = log.append(prompt('go'));
    const said = answer(log, [callPart('T1')]);
    log.append(compaction(log, first.id));
    const result = log.append(resultOf(said.id, 'T1'));
    log.append(prompt('next'));
    expect(shape(log)).toEqual([
      'summary: <note>/so far/</note>',
      'user: go',
      'assistant: T1',
      'T1 ok: result of T1',
      'user: next',
    ]);
    log.append(compaction(log, result.id));
    expect(shape(log)).toEqual(['summary: <note>/so far/</note>', 'user: next']);
  });

  test('keeps nothing but the summary where the cut is not on the branch', () => {
    const log = memoryLog();
    const gone = log.append(prompt('gone'));
    log.append({ type: 'rewind', to: null });
    log.append(prompt('here'));
    log.append(compaction(log, gone.id));
    expect(shape(log)).toEqual(['summary: <note>/so far/</note>']);
  });

  test('holds the state of a native compaction for its provider', () => {
    const log = memoryLog();
    const opaque = { provider: 'test', data: { x: 1 } };
    const body = compaction(log, 'nothing') as Extract<EventBody, { type: 'compaction' }>;
    const { summary: _summary, ...native } = body;
    const event = log.append({ ...native, kind: 'native', opaque });
    expect(log.state().history).toEqual([
      { role: 'user', event: event.id, from: 'summary', parts: [], alone: true, opaque },
    ]);
  });

  test('says why in the place of media that were dropped up to then', () => {
    const log = memoryLog();
    const media = { type: 'media' as const, sha256: 'm', mime: 'image/png' };
    log.append({ type: 'prompt', text: 'see', parts: [{ type: 'text', text: 'see' }, media], from: 'user' });
    log.append({ type: 'media-dropped', sha256: ['m'], why: 'too many pictures' });
    log.append({ type: 'prompt', text: '', parts: [media], from: 'user' });
    expect(shape(log)).toEqual(['user: see + too many pictures', 'user: media']);
  });

  test('keeps the same message objects from one event to the next', () => {
    const log = memoryLog();
    log.append(prompt('go'));
    answer(log, [{ type: 'text', text: 'yes' }]);
    const before = log.state().history;
    log.append(prompt('next'));
    const after = log.state().history;
    expect(before.every((message, index) => message === after[index])).toBe(true);
    log.append({ type: 'todos', items: [] });
    expect(log.state().history).toBe(after);
  });

  test('goes back with a rewind, and on from there', () => {
    const log = memoryLog();
    log.append(prompt('one'));
    const two = log.append(prompt('two'));
    log.append({ type: 'rewind', to: two.parentId });
    log.append(prompt('three'));
    expect(shape(log)).toEqual(['user: one', 'user: three']);
    log.append({ type: 'rewind', to: two.id });
    expect(shape(log)).toEqual(['user: one', 'user: two']);
    expect(log.state().leaf).toBe(two.id);
    log.append({ type: 'rewind', to: null });
    expect(shape(log)).toEqual([]);
  });
});
