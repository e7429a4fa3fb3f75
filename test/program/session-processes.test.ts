import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeHost } from '../../src/host/node/index.ts';
import { createSessionStore, type SessionLog, type SessionStore } from '../../src/session/index.ts';
import { FOLDS, prompt } from '../rig/session-rig.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-sessions-')));
const directory = join(root, 'sessions');
const script = join(root, 'session-process.mjs');

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, '../rig/session-process.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    loader: { '.md': 'text' },
    logLevel: 'error',
  });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function newStore(): SessionStore {
  return createSessionStore({ host: createNodeHost(), directory, folds: FOLDS });
}

async function newSession(): Promise<SessionLog> {
  const log = newStore().create({ cwd: root, projectRoot: null, program: 'test' });
  await log.begin();
  log.append(prompt('first'));
  await log.close();
  return log;
}

function start(id: string, name: string, times: number, hold = ''): { child: ChildProcess; output: Promise<string[]> } {
  const args = [script, directory, id, name, String(times), hold];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, output: once(child, 'close').then(() => text.split('\n').filter((line) => line !== '')) };
}

/** Starts a process that has the session, and kills it while it does. */
async function killHolder(id: string): Promise<void> {
  const { child, output } = start(id, 'killed', 1, 'hold');
  await once(child.stdout ?? child, 'data');
  child.kill('SIGKILL');
  expect(await output).toEqual(['held']);
}

async function said(id: string): Promise<string[]> {
  const log = await newStore().read(id);
  const texts = log.branch().map((event) => (event.type === 'prompt' ? event.text : event.type));
  await log.close();
  return texts;
}

describe('processes with one session', () => {
  test('never have it at once, whoever takes it over from one that was killed (C68)', async () => {
    const { id, path } = await newSession();
    await killHolder(id);
    const runs = ['a', 'b', 'c', 'd'].map((name) => start(id, name, 8));
    const outputs = (await Promise.all(runs.map(({ output }) => output))).flat();
    const texts = (await said(id)).slice(2);
    expect(new Set(outputs)).toEqual(new Set(['added', ...outputs.filter((line) => line === 'session/locked')]));
    const starts = texts.filter((_, index) => index % 2 === 0);
    expect(texts).toEqual(starts.flatMap((text) => [text, text.replace('-start', '-end')]));
    expect(starts.length).toBe(outputs.filter((line) => line === 'added').length);
    expect(readdirSync(dirname(path ?? '')).filter((name) => name.startsWith(id))).toEqual([`${id}.jsonl`]);
  });

  test('are told who has it, and may go on in a copy', async () => {
    const { id } = await newSession();
    const { child, output } = start(id, 'holder', 1, 'hold');
    await once(child.stdout ?? child, 'data');
    const store = newStore();
    await expect(store.open(id)).rejects.toMatchObject({ code: 'session/locked', data: { pid: child.pid } });
    const copy = await store.fork(id);
    copy.append(prompt('in the copy'));
    await copy.close();
    child.kill('SIGKILL');
    await output;
    expect(await said(copy.id)).toEqual(['first', 'holder-start', 'in the copy']);
  });

  test('lose nothing that was added before one was killed, nor what is added after its torn line', async () => {
    const { id, path } = await newSession();
    await killHolder(id);
    appendFileSync(path ?? '', '{"id":"torn","pare');
    const store = newStore();
    const log = await store.open(id);
    expect(log.diagnostics.map(({ code }) => code)).toEqual(['session/torn-line']);
    log.append(prompt('after'));
    await log.close();
    expect(await said(id)).toEqual(['first', 'killed-start', 'after']);
    expect(readFileSync(path?.replace('.jsonl', '.torn-1') ?? '', 'utf8')).toBe('{"id":"torn","pare');
  });
});
