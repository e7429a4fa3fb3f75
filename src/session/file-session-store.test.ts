import { describe, expect, test } from 'vitest';
import {
  answer,
  callPart,
  DIRECTORY,
  FOLDS,
  INIT,
  laidOf,
  prompt,
  REQUEST,
  resultOf,
  sessionRig,
} from '../../test/rig/session-rig.ts';
import type { MemoryHost } from '../host/memory/index.ts';
import { createSessionStore } from './index.ts';
import type { SessionLog } from './session-log.ts';
import type { SessionStore } from './session-store.ts';

async function stored(store: SessionStore, host: MemoryHost, cwd: string, text = 'hello'): Promise<SessionLog> {
  const log = store.create({ ...INIT, cwd });
  await log.begin();
  log.append(prompt(text));
  await log.close();
  await host.clock.sleep(1000);
  return log;
}

async function fileText(host: MemoryHost, path: string): Promise<string> {
  const read = await host.files.readRegular(path, { maxBytes: 1e9 });
  return read.ok ? Buffer.from(read.bytes).toString('utf8') : read.why;
}

const tree = (...directories: string[]) =>
  Object.fromEntries(directories.map((path) => [path, { directory: true } as const]));

describe('the place of a session', () => {
  test('is another one for each directory, however alike their names are (C71)', async () => {
    const directories = ['/t/red-blue', '/t/red/blue', '/t/red.blue', '/t/東側', '/t/西側', '/'];
    const { host, store } = sessionRig({ files: tree(...directories) });
    const ids: string[] = [];
    for (const cwd of directories) ids.push((await stored(store, host, cwd)).id);
    const newest = await Promise.all(directories.map(async (cwd) => (await store.newest(cwd))?.id));
    expect(newest).toEqual(ids);
    const names = (await host.files.list(DIRECTORY)).map(({ name }) => name.replace(/-[0-9a-f]{16}$/, ''));
    expect(names.sort()).toEqual(['blue', 'red-blue', 'red.blue', 'root', '東側', '西側'].sort());
  });

  test('is that of the real directory, by whichever link it was reached', async () => {
    const { host, store } = sessionRig({ files: { '/t/real': { directory: true }, '/t/link': { link: '/t/real' } } });
    const log = await stored(store, host, '/t/link');
    expect((await store.newest('/t/real'))?.id).toBe(log.id);
    expect((await store.newest('/t/link'))?.id).toBe(log.id);
  });

  test('keeps a long name and control characters within bounds', async () => {
    const cwd = `/${'é'.repeat(120)}\n`;
    const { host, store } = sessionRig({ files: tree(cwd) });
    await stored(store, host, cwd);
    const [place] = await host.files.list(DIRECTORY);
    expect(place?.name.replace(/-[0-9a-f]{16}$/, '')).toBe('é'.repeat(40));
  });
});

describe('finding sessions', () => {
  test('the newest is the one written last here, no subagent, recorded for this directory', async () => {
    const { host, store } = sessionRig({ files: tree('/a', '/b') });
    const first = await stored(store, host, '/a', 'first');
    const second = await stored(store, host, '/a', 'second');
    expect(await store.newest('/a')).toEqual({
      id: second.id,
      path: second.path,
      cwd: '/a',
      projectRoot: null,
      program: INIT.program,
      kind: 'main',
      forkedFrom: null,
      time: second.header.time,
      modifiedMs: expect.any(Number),
      size: expect.any(Number),
      title: null,
      firstPrompt: 'second',
    });
    const again = await store.open(first.id);
    again.note({ type: 'title', text: 'a title' });
    await again.close();
    expect(await store.newest('/a')).toMatchObject({ id: first.id, title: 'a title', firstPrompt: 'first' });

    await host.clock.sleep(1000);
    const child = store.create({
      ...INIT,
      cwd: '/a',
      kind: 'subagent',
      spawnedBy: { session: first.id, run: 'r', agent: 'a' },
    });
    await child.begin();
    child.append(prompt('of a subagent'));
    await child.close();
    // A file that was moved here from elsewhere.
    const other = await stored(store, host, '/b');
    const moved = (first.path ?? '').replace(first.id, other.id);
    await host.files.writeWhole(moved, await fileText(host, other.path ?? ''));
    expect((await store.newest('/a'))?.id).toBe(first.id);
    expect(await store.newest('/nowhere')).toBeNull();
    expect((await store.list('/a')).map(({ id }) => id)).toEqual([child.id, first.id, second.id]);
    expect(new Set((await store.list(null)).map(({ id }) => id))).toEqual(
      new Set([other.id, child.id, first.id, second.id]),
    );
  });

  test('reads no more than the two ends of a file for it', async () => {
    const { host, begin } = sessionRig();
    const log = await begin();
    log.append(prompt('x'.repeat(500)));
    for (let count = 0; count < 50; count += 1) log.append(prompt('y'.repeat(20_000)));
    log.note({ type: 'title', text: 'near the end' });
    await log.close();
    const reads: number[] = [];
    const files = new Proxy(host.files, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const result: unknown = await value.apply(target, args);
          if (result instanceof Uint8Array) reads.push(result.length);
          else if (name === 'readRegular' || name === 'openAppend') reads.push(Number.POSITIVE_INFINITY);
          return result;
        };
      },
    });
    const other = createSessionStore({ host: { ...host, files }, directory: DIRECTORY, folds: FOLDS });
    expect(await other.list(null)).toMatchObject([{ id: log.id, title: 'near the end', firstPrompt: 'x'.repeat(200) }]);
    expect(reads).toEqual([64 * 1024, 16 * 1024]);
  });

  test('finds a first prompt behind large instruction files, and the beginning of one that is itself as large', async () => {
    const { host, store } = sessionRig({ files: tree('/a') });
    const behind = store.create({ ...INIT, cwd: '/a' });
    await behind.begin();
    behind.append({ type: 'reminder', reason: 'x', layout: behind.toLayout(laidOf('R'.repeat(200_000))) });
    behind.append(prompt('found'));
    await behind.close();
    await host.clock.sleep(1000);
    await stored(store, host, '/a', `"large" \u{1f642}\n${'x'.repeat(2_000_000)}`);
    const found = (await store.list('/a')).map(({ firstPrompt }) => firstPrompt);
    expect(found).toEqual([`"large" \u{1f642}\n${'x'.repeat(187)}`, 'found']);
  });

  test('an id is found by any beginning that only one has, here first', async () => {
    const { host, store } = sessionRig({ files: tree('/a', '/b') });
    const one = await stored(store, host, '/a');
    const two = await stored(store, host, '/b');
    const common = one.id.slice(0, 6);
    expect(await store.resolve(common, '/a')).toBe(one.id);
    expect(await store.resolve(common, '/b')).toBe(two.id);
    expect(await store.resolve(two.id, '/a')).toBe(two.id);
    await expect(store.resolve(common, null)).rejects.toMatchObject({
      code: 'session/ambiguous',
      data: { prefix: common, candidates: [one.id, two.id].sort(), count: 2 },
    });
    for (const name of ['zzz', '', '../x', 'A B', '.']) {
      await expect(store.resolve(name, null)).rejects.toMatchObject({ code: 'session/not-found' });
      await expect(store.open(name)).rejects.toMatchObject({ code: 'session/not-found' });
    }
  });

  test('finds nothing where nothing was ever stored', async () => {
    const { store } = sessionRig();
    expect([await store.list(null), await store.list('/home/user/project'), await store.newest('/')]).toEqual([
      [],
      [],
      null,
    ]);
  });

  test('leaves out what is no session file', async () => {
    const { host, store } = sessionRig({ files: tree('/a') });
    const log = await stored(store, host, '/a');
    const place = (log.path ?? '').replace(/[^/]*$/, '');
    await host.files.writeWhole(`${place}notes.txt`, 'x');
    await host.files.writeWhole(`${place}empty.jsonl`, '');
    await host.files.writeWhole(`${place}broken.jsonl`, 'x\n');
    await host.files.makeDirectory(`${place}directory.jsonl`);
    expect((await store.list(null)).map(({ id }) => id)).toEqual([log.id]);
  });
});

describe('a session that is open', () => {
  test('is refused to a second one, and free again when it is closed (C68)', async () => {
    const { store, begin } = sessionRig();
    const log = await begin();
    log.append(prompt('ONE'));
    await expect(store.open(log.id)).rejects.toMatchObject({ code: 'session/locked', data: { pid: 1000 } });
    log.append(prompt('TWO'));
    await log.close();
    const again = await store.open(log.id);
    expect(again.branch().map((event) => ('text' in event ? event.text : ''))).toEqual(['ONE', 'TWO']);
  });

  test('says where it cannot be kept', async () => {
    const { host, store } = sessionRig();
    host.faults.freeBytes = 0;
    const log = store.create(INIT);
    await expect(log.begin()).rejects.toMatchObject({ code: 'session/write-failed' });
    host.faults.freeBytes = null;
    await log.begin();
    log.append(prompt('after all'));
    await log.close();
    expect((await store.read(log.id)).branch().length).toBe(1);
  });
});

describe('a copy of a session', () => {
  test('holds the branch up to an event with all that it needs, and nothing else', async () => {
    const { host, store, begin } = sessionRig();
    const log = await begin();
    log.note({ type: 'title', text: 'not copied' });
    const system = log.toLayout(laidOf('SYSTEM'));
    const media = log.storeMedia('image/png', Buffer.from('picture').toString('base64'));
    const seen = log.append({
      type: 'prompt',
      text: 'see',
      parts: [{ type: 'media', sha256: media, mime: 'image/png' }],
      from: 'user',
    });
    const first = log.recordRequest({ ...REQUEST, system }, ['{', '1', '2', '}']);
    const second = log.recordRequest({ ...REQUEST, system }, ['{', '1', '2', '3', '}']);
    const kept = log.append(prompt('kept'));
    log.append({ type: 'reminder', reason: 'x', layout: log.toLayout(laidOf('LATER')) });
    log.append({ type: 'rewind', to: null });
    log.append(prompt('another branch'));
    const before = await fileText(host, log.path ?? '');

    const copy = await store.fork(log.id, kept.id);
    expect(copy.header).toEqual({
      ...log.header,
      id: copy.id,
      time: copy.header.time,
      forkedFrom: { session: log.id, event: kept.id },
    });
    expect(copy.branch()).toEqual([seen, first, second, kept]);
    expect([copy.requestBody(first), copy.requestBody(second)]).toEqual(['{12}', '{123}']);
    expect(copy.fromLayout(system)).toEqual(laidOf('SYSTEM'));
    expect(copy.media(media)).toEqual({ mime: 'image/png', base64: Buffer.from('picture').toString('base64') });
    expect(copy.notes()).toEqual([]);
    expect((await fileText(host, copy.path ?? '')).match(/LATER|another branch|not copied/)).toBeNull();
    expect(await fileText(host, log.path ?? '')).toBe(before);

    copy.append(prompt('on'));
    const state = copy.state();
    await copy.close();
    expect((await store.open(copy.id)).state()).toEqual(state);
  });

  test('can still rebuild a request whose list lies on a branch that was left', async () => {
    const { host, store, begin } = sessionRig();
    const log = await begin();
    const first = log.recordRequest(REQUEST, ['{', '1', '}']);
    const shortened = log.recordRequest(REQUEST, ['{', '1', '2', '}']);
    await log.close();
    const path = log.path ?? '';
    const text = await fileText(host, path);
    await host.files.writeWhole(path, text.replace(`"parentId":"${first.id}"`, '"parentId":null'));
    const copy = await store.fork(log.id, shortened.id);
    expect(copy.requests().map(({ id, body }) => [id, body.every((item) => typeof item === 'string')])).toEqual([
      [shortened.id, true],
    ]);
    expect(copy.requestBody(shortened)).toBe('{12}');
  });

  test('is refused of nothing and at an event that is not there', async () => {
    const { store, begin } = sessionRig();
    const log = await begin();
    log.note({ type: 'title', text: 'x' });
    await log.close();
    await expect(store.fork(log.id)).rejects.toMatchObject({ code: 'session/no-such-event' });
    await expect(store.fork(log.id, 'nowhere')).rejects.toMatchObject({ code: 'session/no-such-event' });
    expect((await store.list(null)).length).toBe(1);
  });

  test('can be made while the session is open, and goes on by itself', async () => {
    const { store, begin } = sessionRig();
    const log = await begin();
    const said = answer(log, [callPart('a')]);
    const copy = await store.fork(log.id);
    log.append(resultOf(said.id, 'a'));
    copy.append(prompt('instead'));
    expect(log.state().history.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(copy.state().history.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  });
});
