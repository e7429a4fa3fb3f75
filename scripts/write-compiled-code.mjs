// Runs dist/program.cjs the way a prompt does, against a model of its own on loopback, and dist/commands.cjs the way
// `rein config` does, and keeps what V8 compiled on the way in NAME.cache beside them: src/cli/load-program.ts starts
// from it. The model calls no tool: their code is compiled while a model thinks, and would be read at every start. Runs
// as a process of its own: nothing of the user's environment is read, nothing outside a temporary directory and dist/ is
// written.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';

const dist = join(import.meta.dirname, '../dist');
const root = mkdtempSync(join(tmpdir(), 'rein-build-'));
const cwd = join(root, 'project');

/** As Node wraps a CommonJS module; the same text as in src/cli/load-program.ts, else the cache does not fit. */
function inFunction(source) {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n});`;
}

async function startModel() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Done.' } }] })}\n\n`);
      response.end(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      );
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}/v1` };
}

/** A run under each harness that is part of the program. */
async function runPrompts({ readCommandLine, runCommandLine }) {
  const { server, url } = await startModel();
  const model = ['--base-url', url, '--wire', 'chat', '--model', 'm', '-C', cwd, '--permission-mode', 'yolo'];
  for (const harness of ['rein', 'kli']) {
    await runCommandLine(readCommandLine(['-p', 'hello', '--harness', harness, ...model]));
    await runCommandLine(readCommandLine(['-p', 'hello', '--continue', '--output', 'stream-json', ...model]));
  }
  server.close();
}

async function showSettings({ readCommandLine, runCommandLine }) {
  await runCommandLine(readCommandLine(['config', '-C', cwd]));
}

async function writeCache(name, warmUp) {
  const file = join(dist, `${name}.cjs`);
  const script = new Script(inFunction(readFileSync(file, 'latin1')), { filename: file });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dist);
  await warmUp(module.exports);
  const temporary = join(dist, `${name}.cache.${process.pid}.tmp`);
  writeFileSync(temporary, script.createCachedData());
  renameSync(temporary, join(dist, `${name}.cache`));
}

for (const name of Object.keys(process.env))
  if (/^(?:REIN_|XDG_|.*_API_KEY$|.*_proxy$)/i.test(name)) delete process.env[name];
process.env.HOME = root;
mkdirSync(join(cwd, '.git'), { recursive: true });
writeFileSync(join(cwd, 'AGENTS.md'), 'Rules\n');
try {
  await writeCache('program', runPrompts);
  await writeCache('commands', showSettings);
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(0);
