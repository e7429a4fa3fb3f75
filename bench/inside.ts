// Figures of the parts, measured inside one process beside U: the time of JSON.stringify on a fixed object of 1 MB.
// Prints one JSON object: the figures, and the ids of stored sessions of 10,000 events: `resumed` and, never compacted,
// `uncompacted`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDiscovery } from '../src/discovery/index.ts';
import type { Harness } from '../src/harness/contract/index.ts';
import { findHarness } from '../src/harness/index.ts';
import type { FilePort, HostPorts } from '../src/host/index.ts';
import { createMemoryHost } from '../src/host/memory/index.ts';
import { createNodeHost } from '../src/host/node/index.ts';
import { deliveryFold, layoutText, makePiece } from '../src/instructions/index.ts';
import type { HarnessSettings, Turn, World } from '../src/model/index.ts';
import { createAgent } from '../src/sdk/index.ts';
import {
  createSessionStore,
  makeCheckpoint,
  SESSION_FOLDS,
  type SessionLog,
  type SessionStore,
} from '../src/session/index.ts';

const root = process.argv[2] ?? '';
const host = createNodeHost();

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}

const MEGABYTE = {
  rows: Array.from({ length: 4000 }, (_, index) => ({ index, text: `${index} `.padEnd(200, 'text '), ok: true })),
};

/** Milliseconds of one U, measured beside what it is compared with. */
function unit(): number {
  const times = Array.from({ length: 15 }, () => {
    const started = performance.now();
    JSON.stringify(MEGABYTE);
    return performance.now() - started;
  });
  return median(times);
}

function sessionStore(): SessionStore {
  const directory = join(root, 'home/.local/state/rein/sessions');
  return createSessionStore({ host, directory, folds: { ...SESSION_FOLDS, delivery: deliveryFold } });
}

/** `compactEvery`: events after which the context is summed up, and the last few are kept. */
async function fillSession(events: number, compactEvery = Number.POSITIVE_INFINITY): Promise<SessionLog> {
  const cwd = join(root, 'project');
  const log = sessionStore().create({ cwd, projectRoot: cwd, program: 'bench' });
  await log.begin();
  const usage = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const fields = {
    purpose: 'turn',
    harness: 'rein',
    wire: 'chat',
    provider: 'custom',
    model: 'm',
    system: [],
    tools: [],
  } as const;
  let request = log.recordRequest({ ...fields, system: [], tools: [] }, ['{}']);
  for (let index = 1; index < events; index += 2) {
    const text = `${index} `.padEnd(380, 'words ');
    const asked = log.append({ type: 'prompt', text, from: 'user' });
    const parts = [{ type: 'text' as const, text }];
    log.append({ type: 'assistant', request: request.id, parts, stop: 'end', usage });
    if (index % compactEvery === compactEvery - 1) {
      compact(log, asked.id);
      request = log.recordRequest({ ...fields, system: [], tools: [] }, ['{}']);
    }
  }
  return log;
}

function compact(log: SessionLog, keptFrom: string): void {
  const text = 'What was said before, in a few words.';
  const piece = makePiece({
    id: 'summary',
    kind: 'summary',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'A bench.',
    text,
  });
  log.append({
    type: 'compaction',
    kind: 'text',
    why: 'threshold',
    summary: log.toLayout([{ piece, trigger: 'context-reset' }]),
    keptFrom,
    todos: [],
    skills: [],
    files: [],
    checkpoint: makeCheckpoint(log.state()),
  });
}

async function measureAppend(): Promise<Record<string, number>> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const u = unit();
    const started = performance.now();
    const log = await fillSession(5000);
    times.push((performance.now() - started) / u);
    await log.close();
  }
  return { 'append-5000': median(times) };
}

/** Thirty levels, a file in each, and ten that are passed over, appended or the user's own. */
function makeLevels(): string {
  const top = join(root, 'levels');
  mkdirSync(join(top, '.git'), { recursive: true });
  let directory = top;
  for (let level = 0; level < 30; level += 1) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'AGENTS.md'), `# Level ${level}\n\n${'A rule of some length. '.repeat(40)}\n`);
    if (level < 6) writeFileSync(join(directory, 'CLAUDE.md'), 'passed over\n');
    if (level < 29) directory = join(directory, `level-${level}`);
  }
  for (const name of ['rein', 'kli']) {
    for (const folder of [join(top, `.${name}`), join(root, 'home/.config', name)]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'APPEND_SYSTEM.md'), 'Also this.\n');
      writeFileSync(join(folder, 'AGENTS.md'), 'Mine.\n');
    }
  }
  return directory;
}

type Bench = { harness: Harness; settings: HarnessSettings; log: SessionLog; ports: HostPorts };

function settingsFor(cwd: string): HarnessSettings {
  const home = join(root, 'home');
  return { configHome: join(home, '.config'), home, cwd, flags: { replace: null, append: [] }, own: {} };
}

function turnOf({ harness, settings, log, ports }: Bench, world: World): Turn {
  const now = ports.clock.now();
  const session = log.state();
  const bare = { world, session, model: null, settings, now, agent: { role: 'root' }, reason: 'prompt' } as const;
  const submission = { startedAt: now, world, model: null, tools: [] };
  const faces = harness.tools({ ...bare, submission, prompt: [] });
  const tools = faces.map(({ name, description, schema }) => ({ name, description: layoutText(description), schema }));
  return { ...bare, tools, prompt: [{ type: 'text', text: 'hello' }], submission: { ...submission, tools } };
}

/** One look and one composition, warm, in U; and the files a warm look reads. */
async function measureCompose(name: string, cwd: string): Promise<Record<string, number>> {
  const harness = await findHarness(name);
  let reads = 0;
  // The port's methods live on its class: it is the prototype here, with its two ways of reading counted.
  const files: FilePort = Object.assign(Object.create(host.files) as FilePort, {
    readRegular: (...given: Parameters<FilePort['readRegular']>) => {
      reads += 1;
      return host.files.readRegular(...given);
    },
    readRange: (...given: Parameters<FilePort['readRange']>) => {
      reads += 1;
      return host.files.readRange(...given);
    },
  });
  const settings = settingsFor(cwd);
  const log = sessionStore().create({ cwd, projectRoot: cwd, program: 'bench', memoryOnly: true });
  const bench = { harness, settings, log, ports: host };
  const world = createDiscovery({ files, env: host.env, clock: host.clock });
  const once = async (): Promise<void> => {
    const queries = harness.sources({ settings, session: log.state() });
    const seen = await world.look({ queries, cwd, stack: [cwd], moment: 'turn' });
    harness.compose(turnOf(bench, seen));
  };
  for (let round = 0; round < 300; round += 1) await once();
  reads = 0;
  const u = unit();
  const times: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const started = performance.now();
    await once();
    times.push((performance.now() - started) / u);
  }
  return { [`compose-${name}`]: median(times), 'warm-reads': reads };
}

/** Port calls of a cold and a warm look in a tree of `count` files that are none of its business. */
async function countCalls(count: number): Promise<number> {
  const tree = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`/home/user/project/src/d${index % 317}/f${index}.ts`, 'x']),
  );
  const memory = createMemoryHost({
    files: { ...tree, '/home/user/project/.git/HEAD': 'ref', '/home/user/project/AGENTS.md': 'RULES' },
  });
  const cwd = '/home/user/project/src/d1';
  const harness = await findHarness('rein');
  const settings: HarnessSettings = { ...settingsFor(cwd), home: '/home/user', configHome: '/home/user/.config' };
  const log = sessionStore().create({ cwd, projectRoot: null, program: 'bench', memoryOnly: true });
  const world = createDiscovery({ files: memory.files, env: memory.env, clock: memory.clock });
  for (let round = 0; round < 2; round += 1) {
    await world.look({
      queries: harness.sources({ settings, session: log.state() }),
      cwd,
      stack: [cwd],
      moment: 'turn',
    });
  }
  return Object.entries(memory.calls)
    .filter(([name]) => name.startsWith('files.'))
    .reduce((sum, [, calls]) => sum + calls, 0);
}

/** From a tool's result to the next request's event, in a session of 1,000 messages. */
async function measureToolToRequest(): Promise<Record<string, number>> {
  const log = await fillSession(1000);
  await log.close();
  const agent = await createAgent({ cwd: join(root, 'project'), session: { type: 'resume', id: log.id } });
  let ended = 0;
  const times: number[] = [];
  agent.subscribe((event) => {
    if (event.type === 'tool-result') ended = performance.now();
    if (event.type === 'request' && ended !== 0) {
      times.push(performance.now() - ended);
      ended = 0;
    }
  });
  const u = unit();
  for (let round = 0; round < 41; round += 1) await agent.run(`round ${round}`);
  await agent.close();
  if (times.length !== 41) throw new RangeError(`${times.length} tools ran, not 41`);
  return { 'tool-to-request': median(times) / u };
}

const cwd = makeLevels();
// A file that was changed just before it was read is read again, since its time cannot tell a second change.
await sleep(3000);
// About 250,000 tokens of 500-byte events are more than a context holds: a real session was compacted on the way.
const long = await fillSession(10_000, 500);
await long.close();
const uncompacted = await fillSession(10_000);
await uncompacted.close();
const figures = {
  resumed: long.id,
  uncompacted: uncompacted.id,
  ...(await measureAppend()),
  ...(await measureCompose('kli', cwd)),
  ...(await measureCompose('rein', cwd)),
  'tree-calls': (await countCalls(100_000)) / (await countCalls(100)),
  ...(await measureToolToRequest()),
};
process.stdout.write(JSON.stringify(figures));
