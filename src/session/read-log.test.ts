import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answer,
  callPart,
  DIRECTORY,
  laidOf,
  prompt,
  REQUEST,
  resultOf,
  type SessionRig,
  sessionRig,
} from '../../test/rig/session-rig.ts';
import { ReinError } from '../base/index.ts';
import { makeCheckpoint } from './folds/fold-branch.ts';
import type { SessionLog } from './session-log.ts';

const PLACE = `${DIRECTORY}/project-9dad1e4e08b0b11c`;
const ID = '0123456789abcdefghjk';
const PATH = `${PLACE}/${ID}.jsonl`;

const HEADER = {
  type: 'session',
  version: 1,
  program: 'rein 0.1.0',
  id: ID,
  time: '2026-11-30T21:04:05.000+02:00',
  cwd: '/home/user/project',
  projectRoot: null,
  kind: 'main',
  spawnedBy: null,
  forkedFrom: null,
};

function promptLine(id: string, parentId: string | null, text = id): object {
  return { id, parentId, time: 't', type: 'prompt', text, from: 'user' };
}

/** A store with one session file of these lines; a string is written as it is. */
function rigWith(...lines: (object | string)[]): SessionRig {
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  return sessionRig({ files: { [PATH]: text } });
}

function texts(log: SessionLog): (string | undefined)[] {
  return log.branch().map((event) => (event.type === 'prompt' ? event.text : event.type));
}

async function errorOf(work: Promise<unknown>): Promise<{ code: string; message: string } | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return ReinError.isInstance(error) ? { code: error.code, message: error.message } : Promise.reject(error);
  }
}

async function contents(rig: SessionRig, path: string): Promise<string> {
  const read = await rig.host.files.readRegular(path, { maxBytes: 1e9 });
  return read.ok ? Buffer.from(read.bytes).toString('utf8') : read.why;
}

describe('reading a session file', () => {
  test('cuts a torn last line off, keeps it aside, says so, and appends after it (C65)', async () => {
    const rig = rigWith(HEADER, promptLine('a', null), '{"type":"mess');
    const first = await rig.store.open(ID);
    const notice = {
      severity: 'warning',
      code: 'session/torn-line',
      message: `the last line of the session's log was not complete; its 13 bytes were moved to ${PLACE}/${ID}.torn-1`,
      path: PATH,
      data: { bytes: 13, aside: `${PLACE}/${ID}.torn-1` },
    };
    expect(first.diagnostics).toEqual([notice]);
    expect(first.notes()).toEqual([expect.objectContaining({ type: 'notice', diagnostic: notice })]);
    expect(await contents(rig, `${PLACE}/${ID}.torn-1`)).toBe('{"type":"mess');
    first.append(prompt('b'));
    await first.close();
    const second = await rig.store.open(ID);
    expect(texts(second)).toEqual(['a', 'b']);
    expect(second.diagnostics).toEqual([]);
    expect((await rig.host.files.lstat(`${PLACE}/${ID}.torn-2`)) === null).toBe(true);
  });

  test('keeps each fragment aside under a name of its own', async () => {
    const rig = rigWith(HEADER, 'x');
    await (await rig.store.open(ID)).close();
    const handle = await rig.host.files.openAppend(PATH, { mode: 0o600, create: false });
    handle.write('y');
    handle.close();
    await (await rig.store.open(ID)).close();
    expect([await contents(rig, `${PLACE}/${ID}.torn-1`), await contents(rig, `${PLACE}/${ID}.torn-2`)]).toEqual([
      'x',
      'y',
    ]);
  });

  test('passes over damaged lines, attaches what hung on them, and says how many once', async () => {
    const rig = rigWith(
      HEADER,
      promptLine('a', null),
      'no json\n',
      '\n',
      { id: 'x', parentId: 'a', time: 't', type: 'reminder', layout: [{}] },
      { id: 'y', time: 't', type: 'prompt', text: 'without a parent', from: 'user' },
      promptLine('a', null, 'its id is taken'),
      '["a list"]\n',
      HEADER,
      promptLine('b', 'lost'),
      { id: 'r', parentId: 'b', time: 't', type: 'rewind', to: 'lost' },
    );
    const first = await rig.store.open(ID);
    expect(texts(first)).toEqual(['a', 'b']);
    expect(first.event('b')?.parentId).toBe('a');
    expect(first.diagnostics.map(({ code, data }) => [code, data])).toEqual([
      ['session/damaged-lines', { count: 6 }],
      ['session/lost-parents', { count: 2 }],
    ]);
    await first.close();
    const second = await rig.store.open(ID);
    expect(second.diagnostics).toEqual(first.diagnostics);
    expect(second.notes().length).toBe(2);
  });

  test('keeps types and fields that it does not know, and ignores them', async () => {
    const event = { id: 'n', parentId: 'a', time: 't', type: 'from-tomorrow', x: 1 };
    const note = { id: 'm', time: 't', type: 'also-from-tomorrow' };
    const rig = rigWith(
      { ...HEADER, more: 1 },
      { ...promptLine('a', null), more: 2 },
      event,
      note,
      promptLine('b', 'n'),
    );
    const log = await rig.store.open(ID);
    expect(log.branch()).toEqual([{ ...promptLine('a', null), more: 2 }, event, promptLine('b', 'n')]);
    expect(log.notes()).toEqual([note]);
    expect(log.state().history.length).toBe(2);
    expect(log.diagnostics).toEqual([]);
  });

  test('splits on newlines only', async () => {
    const text = 'a\r\u2028\u2029\u0085b';
    const rig = rigWith(HEADER, promptLine('a', null, text));
    expect(texts(await rig.store.open(ID))).toEqual([text]);
  });

  test.each<[string, (object | string)[], string, string]>([
    ['an empty file', [''], 'session/damaged', 'does not begin with a session'],
    ['a torn header', ['{"type":"sess'], 'session/damaged', 'does not begin with a session'],
    ['something else first', [promptLine('a', null)], 'session/damaged', 'does not begin with a session'],
    ['a header without a directory', [{ ...HEADER, cwd: 1 }], 'session/damaged', 'is damaged'],
    ['the header of another session', [{ ...HEADER, id: 'other' }], 'session/damaged', 'is damaged'],
    ['a newer format', [{ ...HEADER, version: 2 }], 'session/newer-version', 'format 2, this one reads 1'],
  ])('refuses %s in one line that names the file', async (_what, lines, code, part) => {
    const rig = rigWith(...lines);
    const before = await contents(rig, PATH);
    for (const work of [rig.store.open(ID), rig.store.read(ID), rig.store.fork(ID)]) {
      const error = await errorOf(work);
      expect(error?.code).toBe(code);
      expect(error?.message).toContain(PATH);
      expect(error?.message).toContain(part);
    }
    expect(await contents(rig, PATH)).toBe(before);
    expect(await rig.host.files.list(PLACE)).toEqual([{ name: `${ID}.jsonl`, kind: 'file' }]);
    expect(await rig.store.list(null)).toEqual([]);
  });

  test('never takes a damaged text for the one that was meant, and stores it anew when it is needed', async () => {
    const rig = sessionRig();
    const log = await rig.begin();
    const layout = log.toLayout(laidOf('RULE'));
    log.append({ type: 'reminder', reason: 'x', layout });
    const request = log.recordRequest(REQUEST, ['{"body":1}']);
    await log.close();
    const path = log.path ?? '';
    const text = await contents(rig, path);
    await rig.host.files.writeWhole(path, text.replace('"RULE"', '"RULF"').replace('{\\"body\\":1}', '{\\"body\\":2}'));
    const again = await rig.store.open(log.id);
    expect(() => again.fromLayout(layout)).toThrow(expect.objectContaining({ code: 'session/no-such-text' }));
    expect(() => again.requestBody(request)).toThrow(expect.objectContaining({ code: 'session/damaged' }));
    expect(again.state().history).toEqual([]);
    const repaired = again.toLayout(laidOf('RULE'));
    expect(repaired).toEqual(layout);
    expect(again.fromLayout(repaired)).toEqual(laidOf('RULE'));
  });

  test('refuses a body whose parts can all be read but are not what was sent', async () => {
    const rig = sessionRig();
    const log = await rig.begin();
    const request = log.recordRequest(REQUEST, ['one', 'two']);
    await log.close();
    const [one = '', two = ''] = request.body;
    const path = log.path ?? '';
    const text = await contents(rig, path);
    await rig.host.files.writeWhole(path, text.replace(`["${one}","${two}"]`, `["${two}","${one}"]`));
    const again = await rig.store.open(log.id);
    const [read] = again.requests();
    expect(read?.body).toEqual([two, one]);
    expect(() => read && again.requestBody(read)).toThrow(expect.objectContaining({ code: 'session/damaged' }));
  });

  test('does not loop where lines name each other as parents', async () => {
    const rig = rigWith(HEADER, promptLine('a', 'b'), promptLine('b', 'a'), promptLine('c', 'c'));
    const log = await rig.store.open(ID);
    expect(texts(log)).toEqual(['a', 'b', 'c']);
  });

  test('succeeds or refuses clearly wherever the file was cut, and appends so that nothing is glued', async () => {
    const rig = sessionRig();
    const log = await rig.begin();
    log.append({ type: 'reminder', reason: 'x', layout: log.toLayout(laidOf('é\u{1f600}')) });
    log.append(prompt('eins \u{1f600}'));
    const said = answer(log, [{ type: 'text', text: 'two' }, callPart('a')]);
    log.append(resultOf(said.id, 'a'));
    log.note({ type: 'title', text: 'a title' });
    const path = log.path ?? '';
    await log.close();
    const whole = Buffer.from(await contents(rig, path), 'utf8');
    const header = whole.indexOf(10);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const one = sessionRig({ files: { [path]: whole.subarray(0, cut) } });
      const error = cut <= header ? await errorOf(one.store.open(log.id)) : null;
      if (cut <= header) {
        expect(error?.code).toBe('session/damaged');
        continue;
      }
      const opened = await one.store.open(log.id);
      const added = opened.append(prompt('added'));
      const state = opened.state();
      await opened.close();
      const again = await one.store.open(log.id);
      expect(again.event(added.id)).toEqual(added);
      expect(again.state()).toEqual(state);
      expect(again.diagnostics).toEqual([]);
    }
  });
});

describe('a session file with damaged bytes', () => {
  const damage = fc.array(fc.record({ at: fc.nat({ max: 1_000_000 }), byte: fc.nat({ max: 255 }) }), {
    minLength: 1,
    maxLength: 6,
  });

  test('is opened or refused clearly, goes on, and never gives wrong bytes for a request', async () => {
    const rig = sessionRig();
    const log = await rig.begin();
    const bodies = new Map<string, string>();
    const send = (...body: string[]): void => {
      bodies.set(log.recordRequest(REQUEST, body).id, body.join(''));
    };
    for (let turn = 0; turn < 6; turn += 1) {
      log.append({ type: 'reminder', reason: 'x', layout: log.toLayout(laidOf(`RULE ${turn}`)) });
      log.append(prompt(`prompt ${turn}`));
      send('{"m":[', ...Array.from({ length: turn }, (_, index) => `"${index}",`), ']}');
      const said = answer(log, [callPart('a'), callPart('b')]);
      log.append(resultOf(said.id, 'a'));
      if (turn === 3) log.append({ type: 'clear', facet: null, plan: null, checkpoint: makeCheckpoint(log.state()) });
    }
    const path = log.path ?? '';
    await log.close();
    const whole = Buffer.from(await contents(rig, path), 'utf8');
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const bytes = Buffer.from(whole);
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
        const one = sessionRig({ files: { [path]: bytes } });
        const refused = await errorOf(one.store.read(log.id));
        if (refused !== null) {
          expect(refused.code).toMatch(/^session\/(damaged|newer-version)$/);
          return;
        }
        const opened = await one.store.open(log.id);
        for (const request of opened.requests()) {
          const body = await errorOf(Promise.resolve().then(() => bodies.set('got', opened.requestBody(request))));
          if (body !== null) expect(body.code).toBe('session/damaged');
          else if (bodies.has(request.id)) expect(bodies.get('got')).toBe(bodies.get(request.id));
        }
        opened.append(prompt('on'));
        opened.recordRequest(REQUEST, ['{"m":[', '"0",', ']}']);
        const state = opened.state();
        await opened.close();
        const again = await one.store.open(log.id);
        expect(again.state()).toEqual(state);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a session opened for reading only', () => {
  test('is read as it is, also while it is open elsewhere, and takes nothing', async () => {
    const rig = sessionRig();
    const log = await rig.begin();
    log.append(prompt('one'));
    const reader = await rig.store.read(log.id);
    log.append(prompt('two'));
    expect(texts(reader)).toEqual(['one']);
    expect(() => reader.append(prompt('three'))).toThrow(expect.objectContaining({ code: 'session/read-only' }));
    expect(() => reader.note({ type: 'title', text: 'x' })).toThrow(
      expect.objectContaining({ code: 'session/read-only' }),
    );
    await reader.close();
    log.append(prompt('four'));
    expect(texts(log)).toEqual(['one', 'two', 'four']);
  });

  test('is not repaired', async () => {
    const rig = rigWith(HEADER, promptLine('a', null), '{"torn');
    const before = await contents(rig, PATH);
    const reader = await rig.store.read(ID);
    expect(texts(reader)).toEqual(['a']);
    expect(await contents(rig, PATH)).toBe(before);
  });
});
