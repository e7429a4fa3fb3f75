import { describe, expect, test } from 'vitest';
import { FOLDS, INIT, laidOf, memoryLog, pieceOf, prompt, REQUEST, sessionRig } from '../../test/rig/session-rig.ts';
import { sha256 } from '../base/index.ts';
import type { EventBody, LogLine, Piece } from '../model/index.ts';
import { createSessionStore } from './index.ts';

function fileText(host: ReturnType<typeof sessionRig>['host'], path: string | null): Promise<string> {
  return host.files
    .readRegular(path ?? '', { maxBytes: 1e9 })
    .then((read) => (read.ok ? Buffer.from(read.bytes).toString('utf8') : read.why));
}

const HOSTILE = 'a\nb\rc\u2028d\u2029e\u0085f\u0000g\ud800h\udc00i\u{1f600}"\\';

describe('a session log', () => {
  test('writes one line for each record, whatever its text, and gives back what it wrote (C67)', async () => {
    const { host, begin } = sessionRig();
    const log = await begin();
    const event = log.append(prompt(HOSTILE));
    const note = log.note({ type: 'title', text: HOSTILE });
    const clean = HOSTILE.toWellFormed();
    expect(event).toEqual({
      id: event.id,
      parentId: null,
      time: event.time,
      type: 'prompt',
      text: clean,
      from: 'user',
    });
    expect(note).toEqual({ id: note.id, time: note.time, type: 'title', text: clean });
    const lines = (await fileText(host, log.path)).split('\n');
    expect(lines.map((line) => (line === '' ? line : JSON.parse(line)))).toEqual([log.header, event, note, '']);
    expect(lines.join('').match(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)).toBeNull();
  });

  test('chains events by their parents, and leaves notes out of the branch', () => {
    const log = memoryLog();
    const one = log.append(prompt('one'));
    const note = log.note({ type: 'label', text: 'here', at: one.id });
    const two = log.append(prompt('two'));
    log.append({ type: 'rewind', to: one.id });
    const three = log.append(prompt('three'));
    expect([one.parentId, two.parentId, three.parentId]).toEqual([null, one.id, one.id]);
    expect(log.branch()).toEqual([one, three]);
    expect(log.event(two.id)).toEqual(two);
    expect(log.notes()).toEqual([note]);
  });

  test('refuses a rewind to an event that it does not have', () => {
    const log = memoryLog();
    expect(() => log.append({ type: 'rewind', to: 'nowhere' })).toThrow(
      expect.objectContaining({ code: 'session/no-such-event' }),
    );
    expect(log.branch()).toEqual([]);
  });

  test('does not change with what was handed to it', () => {
    const log = memoryLog();
    const paths = ['/a'];
    const event = log.append({ type: 'chain', paths });
    paths.push('/b');
    expect(log.event(event.id)).toEqual({ ...event, paths: ['/a'] });
    expect(log.state().delivery.chain).toEqual(['/a']);
  });

  test('stores each piece, text and medium once, and gives layouts back as they were (R2)', () => {
    const log = memoryLog();
    const kinds: string[] = [];
    log.onLine((line) => kinds.push(line.type));
    const laid = [...laidOf('RULE'), ...laidOf('RULE')];
    const layout = log.toLayout(laid);
    const again = log.toLayout(laidOf('RULE'));
    const other = log.toLayout([{ piece: { ...pieceOf('other', 'RULE') }, trigger: 'reload' }]);
    expect(kinds).toEqual(['session', 'blob', 'piece', 'piece']);
    expect(log.fromLayout(layout)).toEqual(laid);
    expect(again).toEqual(layout.slice(0, 3));
    expect(log.fromLayout(other)).toEqual([{ piece: pieceOf('other', 'RULE'), trigger: 'reload' }]);
    const base64 = Buffer.from('picture').toString('base64');
    const hash = log.storeMedia('image/png', base64);
    expect(log.storeMedia('image/png', base64)).toBe(hash);
    expect(hash).toBe(sha256('picture'));
    expect(log.media(hash)).toEqual({ mime: 'image/png', base64 });
    expect(kinds).toEqual(['session', 'blob', 'piece', 'piece', 'media']);
  });

  test('keeps the record of a piece as it was when a later one of the same id differs', () => {
    const log = memoryLog();
    const before: Piece = { ...pieceOf('plan', 'same text'), rule: 'as it was' };
    const after: Piece = { ...before, rule: 'as it is' };
    const first = log.toLayout([{ piece: before, trigger: 'reload' }]);
    const second = log.toLayout([{ piece: after, trigger: 'reload' }]);
    expect([log.fromLayout(first), log.fromLayout(second)]).toEqual([
      [{ piece: before, trigger: 'reload' }],
      [{ piece: after, trigger: 'reload' }],
    ]);
  });

  test('refuses a piece whose hash is not that of its text, and a layout that it cannot fill', () => {
    const log = memoryLog();
    const wrong = { ...pieceOf('plan', 'text'), sha256: sha256('another') };
    expect(() => log.toLayout([{ piece: wrong, trigger: 'reload' }])).toThrow(
      expect.objectContaining({ code: 'session/wrong-hash' }),
    );
    expect(() => log.fromLayout([{ piece: 'plan@0', trigger: 'reload' }])).toThrow(
      expect.objectContaining({ code: 'session/no-such-text' }),
    );
  });

  test('tells each line once it is written, in order, until the subscription ends', () => {
    const log = memoryLog();
    const told: LogLine[] = [];
    const end = log.onLine((line) => {
      if ('parentId' in line) expect(log.branch().at(-1)).toEqual(line);
      told.push(line);
    });
    const one = log.append(prompt('one'));
    const request = log.recordRequest(REQUEST, ['body']);
    end();
    log.append(prompt('two'));
    expect(told).toEqual([log.header, one, { type: 'blob', sha256: sha256('body'), text: 'body' }, request]);
  });

  test('writes nothing until it is begun and told something', async () => {
    const { host, store } = sessionRig();
    const log = store.create(INIT);
    expect(() => log.append(prompt('early'))).toThrow(expect.objectContaining({ code: 'session/not-begun' }));
    expect(log.state().history).toEqual([]);
    expect(await host.files.stat('/state')).toBeNull();
    await Promise.all([log.begin(), log.begin()]);
    await log.begin();
    await log.close();
    expect(await host.files.list('/state/sessions/project-9dad1e4e08b0b11c')).toEqual([]);
    expect(() => log.append(prompt('late'))).toThrow(expect.objectContaining({ code: 'session/closed' }));
  });

  test('begins with the file and the lock private to their owner', async () => {
    const { host, begin } = sessionRig();
    const log = await begin();
    log.append(prompt('one'));
    const path = log.path ?? '';
    const modes: Record<string, number | undefined> = {};
    for (const one of ['/state/sessions', path.replace(/\/[^/]*$/, ''), path, path.replace('.jsonl', '.lock')]) {
      modes[one.replace(log.id, 'ID')] = (await host.files.stat(one))?.mode;
    }
    expect(modes).toEqual({
      '/state/sessions': 0o700,
      '/state/sessions/project-9dad1e4e08b0b11c': 0o700,
      '/state/sessions/project-9dad1e4e08b0b11c/ID.jsonl': 0o600,
      '/state/sessions/project-9dad1e4e08b0b11c/ID.lock': 0o600,
    });
  });

  test('writes each event, request and layout in one step, and nothing for what it holds', async () => {
    const { host } = sessionRig();
    const writes: number[] = [];
    const files = new Proxy(host.files, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (name !== 'openAppend') return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: Parameters<typeof target.openAppend>) => {
          const handle = await target.openAppend(...args);
          const write = (text: string): void => {
            writes.push(text.split('\n').length - 1);
            handle.write(text);
          };
          return { ...handle, write };
        };
      },
    });
    const store = createSessionStore({ host: { ...host, files }, directory: '/state/sessions', folds: FOLDS });
    const log = store.create(INIT);
    await log.begin();
    log.append(prompt('one'));
    log.append(prompt('two'));
    log.toLayout(laidOf('RULE'));
    log.toLayout(laidOf('RULE'));
    log.recordRequest(REQUEST, ['a', 'b', 'c']);
    log.recordRequest(REQUEST, ['a', 'b', 'c']);
    // Lines in each: the header and the event; the event; text and record; three texts and the event; the event.
    expect(writes).toEqual([2, 1, 2, 4, 1]);
  });

  test('still knows its state when it is closed', async () => {
    const { begin } = sessionRig();
    const log = await begin();
    const event = log.append({ type: 'reminder', reason: 'x', layout: log.toLayout(laidOf('RULE')) });
    await log.close();
    await log.close();
    expect(log.state().leaf).toBe(event.id);
    expect(log.state().history.length).toBe(1);
  });

  test('loses no line when the disk was full in between', async () => {
    const { host, store, begin } = sessionRig();
    const log = await begin();
    log.append(prompt('one'));
    const state = log.state();
    host.faults.freeBytes = 20;
    expect(() => log.append(prompt('two'))).toThrow(
      expect.objectContaining({ code: 'session/write-failed', data: { path: log.path } }),
    );
    expect(log.state()).toBe(state);
    expect(() => log.recordRequest(REQUEST, ['some text'])).toThrow(
      expect.objectContaining({ code: 'session/write-failed' }),
    );
    host.faults.freeBytes = null;
    const request = log.recordRequest(REQUEST, ['some text']);
    log.append(prompt('three'));
    const after = log.state();
    await log.close();
    const again = await store.open(log.id);
    expect(again.diagnostics).toEqual([]);
    expect(again.state()).toEqual(after);
    expect(again.branch().map((event) => ('text' in event ? event.text : event.type))).toEqual([
      'one',
      'request',
      'three',
    ]);
    expect(again.requestBody(request)).toBe('some text');
  });
});

describe('a scratch log', () => {
  test('takes what a real one takes, with placeholder ids, and leaves the real one as it is', async () => {
    const { host, begin } = sessionRig();
    const log = await begin();
    const told: string[] = [];
    const layout = log.toLayout(laidOf('RULE'));
    const asked = log.append(prompt('one'));
    const before = { state: log.state(), file: await fileText(host, log.path) };
    log.onLine((line) => told.push(line.type));

    const scratch = log.scratch();
    expect(scratch.path).toBeNull();
    expect(scratch.state()).toEqual(before.state);
    const reminder = scratch.append({ type: 'reminder', reason: 'x', layout: scratch.toLayout(laidOf('NEW')) });
    const request = scratch.recordRequest(REQUEST, ['a', 'b']);
    scratch.note({ type: 'title', text: 'x' });
    expect([reminder.id, reminder.parentId, request.id]).toEqual(['preview-1', asked.id, 'preview-2']);
    expect(scratch.requestBody(request)).toBe('ab');
    expect(scratch.fromLayout(layout)).toEqual(laidOf('RULE'));
    expect(scratch.state().history.map((message) => message.event)).toEqual([asked.id, 'preview-1']);
    expect(scratch.notes().length).toBe(1);

    const nested = scratch.scratch();
    nested.append({ type: 'rewind', to: null });
    expect(nested.state().history).toEqual([]);
    await scratch.close();

    expect(log.state()).toBe(before.state);
    expect([told, log.notes(), log.requests()]).toEqual([[], [], []]);
    expect(await fileText(host, log.path)).toBe(before.file);
  });

  test('can be made of a log that was never begun', () => {
    const scratch = sessionRig().store.create(INIT).scratch();
    const body: EventBody = prompt('what if');
    expect(scratch.append(body).id).toBe('preview-1');
  });
});
