import { expect, test } from 'vitest';
import { FOLDS, laidOf, prompt, REQUEST, type SessionRig, sessionRig } from '../../test/rig/session-rig.ts';
import { createSessionStore, makeCheckpoint, type SessionLog } from './index.ts';
import { keptPath } from './kept-lines.ts';

/** A log of more than a megabyte that was closed: a title, a text and a request at its start, a boundary near its end. */
async function longSession(): Promise<{ rig: SessionRig; log: SessionLog; path: string }> {
  const rig = sessionRig();
  const log = await rig.begin();
  log.note({ type: 'title', text: 'of long ago' });
  log.toLayout(laidOf('RULE'));
  log.recordRequest(REQUEST, ['{', '}']);
  for (let count = 0; count < 24; count += 1) log.append(prompt(`${count} `.padEnd(50_000, 'words ')));
  log.append({ type: 'clear', facet: null, plan: null, checkpoint: makeCheckpoint(log.state()) });
  log.append(prompt('after it'));
  await log.close();
  return { rig, log, path: log.path ?? '' };
}

/** Bytes of the log that were read. */
async function bytesRead(rig: SessionRig, work: (log: SessionLog) => void, id: string): Promise<number> {
  let read = 0;
  const files = new Proxy(rig.host.files, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (name !== 'openAppend') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: Parameters<typeof target.openAppend>) => {
        const handle = await target.openAppend(...args);
        return {
          ...handle,
          read: (from: number, to: number) => {
            const bytes = handle.read(from, to);
            read += bytes.length;
            return bytes;
          },
        };
      };
    },
  });
  const store = createSessionStore({ host: { ...rig.host, files }, directory: '/state/sessions', folds: FOLDS });
  const log = await store.read(id);
  work(log);
  await log.close();
  return read;
}

function askOld(log: SessionLog): void {
  expect(log.notes().map((note) => (note.type === 'title' ? note.text : note.type))).toEqual(['of long ago']);
  expect(log.requests().map((request) => log.requestBody(request))).toEqual(['{}']);
  expect(log.state().history.length).toBe(1);
}

test('a session is resumed by its end alone, and what lies before is found without a look through the log', async () => {
  const { rig, log } = await longSession();
  expect(await bytesRead(rig, (opened) => opened.state(), log.id)).toBeLessThan(600_000);
  expect(await bytesRead(rig, askOld, log.id)).toBeLessThan(600_000);
});

const LOST: readonly [string, (bytes: Buffer, log: Buffer) => { kept?: Buffer | null; log?: Buffer }][] = [
  ['is gone', () => ({ kept: null })],
  ['is empty', () => ({ kept: Buffer.alloc(0) })],
  ['has damaged bytes', (bytes) => ({ kept: Buffer.from(bytes).fill(7, bytes.length - 5000) })],
  [
    'is of a later version',
    (bytes) => ({ kept: Buffer.from(bytes.toString('latin1').replace('"version":1', '"version":2'), 'latin1') }),
  ],
  [
    'is of a longer log',
    (bytes) => ({
      kept: Buffer.from(bytes.toString('latin1').replace(/"covered":\d+/, '"covered":9999999'), 'latin1'),
    }),
  ],
  [
    'is of the log before somebody changed it in place',
    (_bytes, log) => ({
      log: Buffer.from(log.toString('latin1').replace(/"[0-9a-z]{10}","time"/, '"changed000","time"'), 'latin1'),
    }),
  ],
];

test.each(LOST)('the log is looked through where what was kept of it %s', async (_what, change) => {
  const { rig, log, path } = await longSession();
  const contents = async (file: string): Promise<Buffer> => {
    const read = await rig.host.files.readRegular(file, { maxBytes: 1e9 });
    return Buffer.from(read.ok ? read.bytes : []);
  };
  const whole = await contents(path);
  const changed = change(await contents(keptPath(path)), whole);
  await rig.host.clock.sleep(1000);
  if (changed.kept === null) await rig.host.files.remove(keptPath(path));
  else if (changed.kept !== undefined) await rig.host.files.writeWhole(keptPath(path), changed.kept);
  if (changed.log !== undefined) await rig.host.files.writeWhole(path, changed.log);
  expect(await bytesRead(rig, askOld, log.id)).toBeGreaterThan(1_000_000);
});

test('what was written since is added to what was kept', async () => {
  const { rig, log, path } = await longSession();
  const again = await rig.store.open(log.id);
  again.note({ type: 'title', text: 'new' });
  again.append({ type: 'clear', facet: null, plan: null, checkpoint: makeCheckpoint(again.state()) });
  const titles = again.notes().map((note) => (note.type === 'title' ? note.text : note.type));
  expect(titles).toEqual(['of long ago', 'new']);
  expect(again.requests().length).toBe(1);
  await again.close();
  expect((await rig.host.files.stat(keptPath(path)))?.mode).toBe(0o600);
});
