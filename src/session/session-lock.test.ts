import { describe, expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { takeLock } from './session-lock.ts';

const PATH = '/s/ID.lock';
const DEAD = { pid: 77, bootId: 'boot-0', startTime: '5', nonce: 'dead' };
const ALIVE = { pid: 78, bootId: 'boot-1', startTime: '6', nonce: 'alive' };

function hostWith(lock?: string | object): MemoryHost {
  const text = typeof lock === 'string' ? lock : JSON.stringify(lock);
  const host = createMemoryHost({ files: lock === undefined ? { '/s': { directory: true } } : { [PATH]: text } });
  host.process.alive.push({ pid: ALIVE.pid, bootId: ALIVE.bootId, startTime: ALIVE.startTime });
  return host;
}

async function names(host: MemoryHost): Promise<string[]> {
  return (await host.files.list('/s')).map(({ name }) => name);
}

async function owner(host: MemoryHost, path = PATH): Promise<unknown> {
  const read = await host.files.readRegular(path, { maxBytes: 4096 });
  if (!read.ok) return read.why;
  const { nonce: _nonce, ...identity } = JSON.parse(Buffer.from(read.bytes).toString('utf8'));
  return identity;
}

describe('the lock of a session', () => {
  test('names its owner, and is gone when it is given back', async () => {
    const host = hostWith();
    const lock = await takeLock(PATH, 'ID', host);
    expect(await owner(host)).toEqual(await host.process.self());
    expect((await host.files.stat(PATH))?.mode).toBe(0o600);
    await lock.release();
    expect(await names(host)).toEqual([]);
  });

  test('is refused while its owner lives, with the process and the way out (C68)', async () => {
    const host = hostWith(ALIVE);
    await expect(takeLock(PATH, 'ID', host)).rejects.toMatchObject({
      code: 'session/locked',
      message: 'session ID is open in process 78: end that one, or continue a copy with --fork ID',
      data: { session: 'ID', path: PATH, pid: 78 },
    });
    expect(await names(host)).toEqual(['ID.lock']);
  });

  test('is refused to the process that has it', async () => {
    const host = hostWith();
    await takeLock(PATH, 'ID', host);
    await expect(takeLock(PATH, 'ID', host)).rejects.toMatchObject({ code: 'session/locked', data: { pid: 1000 } });
  });

  test('is inherited from a dead owner, and nothing is left of that', async () => {
    const host = hostWith(DEAD);
    const lock = await takeLock(PATH, 'ID', host);
    expect(await owner(host)).toEqual(await host.process.self());
    expect(await names(host)).toEqual(['ID.lock']);
    await lock.release();
    expect(await names(host)).toEqual([]);
  });

  test('is inherited through heirs that died on the way', async () => {
    const host = hostWith(DEAD);
    // Refuses the replacement: the heir's claim stays behind as if it had died then.
    const files = { ...boundFiles(host), writeWhole: () => Promise.reject(new Error('died')), remove: async () => {} };
    const first = { ...host, files, process: processOf(host, { pid: 90, bootId: 'boot-1', startTime: '9' }) };
    await expect(takeLock(PATH, 'ID', first)).rejects.toThrow('died');
    expect((await names(host)).length).toBe(2);
    await takeLock(PATH, 'ID', host);
    expect(await owner(host)).toEqual(await host.process.self());
    expect(await names(host)).toEqual(['ID.lock']);
  });

  test('is refused while an heir that lives is about to take it', async () => {
    const host = hostWith(DEAD);
    host.process.alive.push({ pid: 90, bootId: 'boot-1', startTime: '9' });
    const files = { ...boundFiles(host), writeWhole: () => Promise.reject(new Error('stuck')), remove: async () => {} };
    const first = { ...host, files, process: processOf(host, { pid: 90, bootId: 'boot-1', startTime: '9' }) };
    await expect(takeLock(PATH, 'ID', first)).rejects.toThrow('stuck');
    await expect(takeLock(PATH, 'ID', host)).rejects.toMatchObject({ code: 'session/locked', data: { pid: 90 } });
  });

  test.each(['', '{}', 'garbage', '{"pid":-1}'])(
    'counts as dead where nobody is named in it for a while: %j',
    async (text) => {
      const host = hostWith(text);
      const before = host.clock.monotonicMs();
      await takeLock(PATH, 'ID', host);
      expect(host.clock.monotonicMs() - before).toBeGreaterThanOrEqual(200);
      expect(await names(host)).toEqual(['ID.lock']);
    },
  );

  test('is left alone by an owner that lost it', async () => {
    const host = hostWith();
    const lock = await takeLock(PATH, 'ID', host);
    await host.files.writeWhole(PATH, JSON.stringify(ALIVE));
    await lock.release();
    expect(await owner(host)).toEqual({ pid: 78, bootId: 'boot-1', startTime: '6' });
  });

  test('is refused where something else has its name', async () => {
    const host = createMemoryHost({ files: { [PATH]: { directory: true } } });
    await expect(takeLock(PATH, 'ID', host)).rejects.toMatchObject({ code: 'session/unreadable' });
  });

  test('has one owner at a time, whatever the order in which many take it, give it back and die', async () => {
    let taken = 0;
    for (let seed = 1; seed <= 400; seed += 1) {
      const outcome = await race(seed);
      expect(outcome.problems).toEqual([]);
      taken += outcome.taken;
    }
    expect(taken).toBeGreaterThan(400);
  });
});

function boundFiles(
  host: MemoryHost,
): Pick<MemoryHost['files'], 'createExclusive' | 'readRegular'> & MemoryHost['files'] {
  return new Proxy(host.files, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
    ownKeys: () => ['createExclusive', 'readRegular', 'writeWhole', 'remove', 'stat', 'list'],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

function processOf(host: MemoryHost, self: { pid: number; bootId: string; startTime: string }): MemoryHost['process'] {
  return { self: async () => self, isAlive: (one) => host.process.isAlive(one) } as MemoryHost['process'];
}

/** Repeatable chance. */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

/** Resolves some microtasks later. */
async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

/** One process whose calls are delayed by chance, and which may die at any of them. */
function mortal(host: MemoryHost, pid: number, chance: (below: number) => number) {
  const self = { pid, bootId: 'boot-1', startTime: '1' };
  host.process.alive.push(self);
  let die = (): void => {};
  const died = new Promise<'died'>((resolve) => {
    die = () => {
      const at = host.process.alive.indexOf(self);
      if (at >= 0) host.process.alive.splice(at, 1);
      resolve('died');
    };
  });
  const isDead = (): boolean => !host.process.alive.includes(self);
  const files = new Proxy(host.files, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        await pass(chance(8) === 0 ? chance(150) : chance(6));
        if (chance(25) === 0) die();
        return isDead() ? new Promise(() => {}) : value.apply(target, args);
      };
    },
  });
  return { host: { ...host, files, process: processOf(host, self) }, die, died };
}

/** Eight processes over one dead lock. Returns how often it was taken, and every moment with two owners. */
async function race(seed: number): Promise<{ taken: number; problems: string[] }> {
  const chance = chanceFrom(seed);
  const host = hostWith(DEAD);
  const owners = new Set<number>();
  const problems: string[] = [];
  let taken = 0;
  const run = async (pid: number): Promise<void> => {
    const one = mortal(host, pid, chance);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const taking = takeLock(PATH, 'ID', one.host).catch(() => 'refused' as const);
      const outcome = await Promise.race([taking, one.died]);
      if (outcome === 'died') return;
      if (outcome === 'refused') continue;
      taken += 1;
      owners.add(pid);
      if (owners.size > 1) problems.push(`seed ${seed}: ${[...owners].join(' and ')}`);
      await pass(chance(8));
      owners.delete(pid);
      if (chance(3) === 0) return one.die();
      if ((await Promise.race([outcome.release(), one.died])) === 'died') return;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => run(100 + index)));
  return { taken, problems };
}
