import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callOf, startModel, TEXT } from './model-server.mjs';

const program = join(import.meta.dirname, '../dist/rein.js');

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What makes every Node process here slower to start (extra certificates, options) counts for the bare one as well. */
const OF_NODE = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('NODE_')));

export function environment(home, url) {
  return { ...OF_NODE, PATH: process.env.PATH, HOME: home, TZ: 'UTC', REIN_BASE_URL: url, REIN_MODEL: 'm' };
}

/** One request by node:http and nothing else: what a run cannot be faster than. */
const BARE_REQUEST = `
require('node:http').request(process.env.REIN_BASE_URL + '/chat/completions', { method: 'POST', agent: false }, (answer) => {
  answer.resume().on('end', () => process.exit(0));
}).end('{}');`;

/** Milliseconds from start to exit. */
function run(parameters, options) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'pipe'], ...options });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ started, exit: performance.now() - started });
      else reject(new Error(`${parameters.join(' ')} exited with ${code}: ${errors}`));
    });
  });
}

/** A run to its first request and its end. */
async function runPrint(model, parameters, options) {
  const before = model.arrivals.length;
  const { started, exit } = await run([program, '-p', ...parameters, 'hello'], options);
  return { first: model.arrivals[before].at - started, exit };
}

/** Ratios to a bare Node process of the same round; every round runs all of them once. */
export async function measureStarts({ root, rounds, resumed, uncompacted }) {
  const model = await startModel();
  const cwd = join(root, 'project');
  const home = join(root, 'home');
  const reused = { cwd, env: environment(home, model.url) };
  const samples = {};
  const keep = (name, value) => {
    samples[name] ??= [];
    samples[name].push(value);
  };
  for (let round = -2; round < rounds; round += 1) {
    const bare = (await run(['-e', '0'], reused)).exit;
    const fresh = { cwd, env: environment(mkdtempSync(join(root, 'fresh-')), model.url) };
    const runs = {
      request: await run(['-e', BARE_REQUEST], reused),
      version: await run([program, '--version'], reused),
      help: await run([program, '--help'], reused),
      rein: await runPrint(model, [], reused),
      fresh: await runPrint(model, [], fresh),
      kli: await runPrint(model, ['--harness', 'kli'], reused),
      resume: await runPrint(model, ['--resume', resumed], reused),
      uncompacted: await runPrint(model, ['--resume', uncompacted], reused),
    };
    if (round < 0) continue;
    keep('bare-request', runs.request.exit / bare);
    keep('version', runs.version.exit / bare);
    keep('help', runs.help.exit / bare);
    keep('first-request', runs.rein.first / bare);
    keep('first-request-fresh-home', runs.fresh.first / bare);
    keep('first-request-kli', runs.kli.first / bare);
    keep('exit', runs.rein.exit / bare);
    keep('resume-10000', runs.resume.first / runs.rein.first);
    keep('resume-uncompacted', runs.uncompacted.first / runs.rein.first);
  }
  model.close();
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]));
}

/** Peak memory of a one-request run over that of a bare process. */
export async function measurePeak({ root, rounds }) {
  const model = await startModel();
  const file = join(root, 'peak');
  const hook = ['--require', join(import.meta.dirname, 'record-peak.cjs')];
  const options = {
    cwd: join(root, 'project'),
    env: { ...environment(join(root, 'home'), model.url), REIN_PEAK: file },
  };
  const peaks = { bare: [], rein: [] };
  for (let round = 0; round < rounds; round += 1) {
    await run([...hook, '-e', '0'], options);
    peaks.bare.push(Number(readFileSync(file, 'utf8')));
    await run([...hook, program, '-p', 'hello'], options);
    peaks.rein.push(Number(readFileSync(file, 'utf8')));
  }
  model.close();
  return { 'peak-memory': median(peaks.rein) / median(peaks.bare) };
}

/** Bytes of the modules of ours that a one-request run really loads, and of the first request in an empty repository. */
export async function measureBytes({ root }) {
  const model = await startModel();
  const cwd = join(root, 'empty');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  const loads = join(root, 'loads');
  const env = { ...environment(join(root, 'home'), model.url), REIN_LOADS: loads };
  await run(['--import', join(import.meta.dirname, 'record-loads.mjs'), program, '-p', 'hello'], { cwd, env });
  const files = readFileSync(loads, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'));
  const sizes = [...new Set(files)].map((url) => statSync(fileURLToPath(url)).size);
  model.close();
  return {
    'entry-bytes': statSync(program).size,
    'print-closure-bytes': sizes.reduce((sum, size) => sum + size, 0),
    'first-request-bytes': Buffer.byteLength(model.arrivals[0].body),
  };
}

/** The share of one request's tools and messages that the next one repeats from the start; the least of a session. */
export async function measurePrefix({ root }) {
  const calls = [callOf('read', { path: 'a.txt' }), callOf('shell', { command: 'ls' }), TEXT];
  const model = await startModel((number) => calls[(number - 1) % calls.length]);
  const commands = [1, 2, 3, 4].map((round) => JSON.stringify({ type: 'prompt', text: `Round ${round}: look again.` }));
  await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, '-p', '--input', 'stream-json', '--permission-mode', 'yolo'], {
      cwd: join(root, 'project'),
      env: environment(join(root, 'home'), model.url),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(`${commands.join('\n')}\n`);
    child.on('error', reject);
    child.on('close', resolve);
  });
  model.close();
  const bodies = model.arrivals.map(({ body }) => JSON.parse(body));
  const parts = bodies.map(({ tools = [], messages }) => [tools, ...messages].map((part) => JSON.stringify(part)));
  let least = 1;
  for (const [index, next] of parts.entries()) {
    const last = parts[index - 1];
    if (last === undefined) continue;
    const size = (list) => list.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    const split = last.findIndex((part, at) => part !== next[at]);
    least = Math.min(least, size(split === -1 ? last : last.slice(0, split)) / size(last));
  }
  if (bodies.length !== 12) throw new Error(`the scripted session made ${bodies.length} requests, not 12`);
  return { 'reusable-prefix': least };
}

export function removeTree(path) {
  rmSync(path, { recursive: true, force: true });
}
