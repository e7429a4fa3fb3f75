// Everything that can be said about the source without running it: types, style, lint, packages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runTool } from './run-command.mjs';

/** Environment of a tool whose output is not for a terminal. */
export const plain = { NO_COLOR: '1', FORCE_COLOR: undefined };

async function tool(file, parameters) {
  const { code, output } = await runTool(file, parameters, { env: plain });
  return code === 0 ? [] : [output.trim()];
}

/** Exact versions, and a lock file that names no registry, so that an install takes the one it is configured for. */
function packages() {
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = read('package.json');
  const declared = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const loose = declared
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name}@${version} is not an exact version`);
  const lock = Object.entries(read('package-lock.json').packages);
  const hosted = lock
    .filter(([, entry]) => entry.resolved !== undefined && entry.link !== true)
    .map(([name, entry]) => `package-lock.json: ${name} is tied to ${entry.resolved}`);
  const unhashed = lock
    .filter(([name, entry]) => name !== '' && entry.integrity === undefined && entry.link !== true)
    .map(([name]) => `package-lock.json: ${name} has no integrity hash`);
  return [...loose, ...hosted, ...unhashed];
}

const checks = {
  types: () => tool('typescript/bin/tsc', ['-p', 'tsconfig.json']),
  'format and style': () =>
    tool('@biomejs/biome/bin/biome', ['ci', '.', '--colors=off', '--diagnostic-level=warn', '--max-diagnostics=50']),
  lint: () => tool('oxlint/bin/oxlint', ['--type-aware', '--format=unix']),
  packages: async () => packages(),
};

/** Runs all checks; calls `onResult(name, problems)` for each as it ends. No problems: it passed. */
export async function check(onResult) {
  await Promise.all(
    Object.entries(checks).map(async ([name, run]) => {
      onResult(name, await run());
    }),
  );
}

export function printCheck(name, problems) {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} check: ${name}`);
  for (const problem of problems) console.log(problem.replace(/^/gm, '    '));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await check((name, problems) => {
    printCheck(name, problems);
    if (problems.length > 0) process.exitCode = 1;
  });
  const { code } = await runTool(
    'vitest/vitest.mjs',
    ['run', '--project', 'program', 'test/architecture', '--reporter=dot', '--no-color'],
    { onOutput: (text) => process.stdout.write(text) },
  );
  if (code !== 0) process.exitCode = 1;
}
