// The whole proof: build, check, tests. The last line of the output is `N passed, N failed`, with `, N skipped` where
// some were. Each check and the build count as one test. `--update` rewrites goldens; other arguments go to vitest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { check, plain, printCheck } from './check.mjs';
import { runTool } from './run-command.mjs';

const LIMIT_MS = 9 * 60_000;
const totals = { passed: 0, failed: 0, skipped: 0 };

function record(name, problems) {
  printCheck(name, problems);
  totals[problems.length === 0 ? 'passed' : 'failed'] += 1;
}

async function runTests(parameters) {
  const directory = mkdtempSync(join(tmpdir(), 'rein-test-'));
  const file = join(directory, 'totals.json');
  const reporters = ['--reporter=default', '--reporter=./test/reporter/totals-reporter.ts'];
  try {
    const { code } = await runTool('vitest/vitest.mjs', ['run', ...reporters, ...parameters], {
      env: { REIN_TEST_TOTALS: file, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : plain) },
      onOutput: (text) => process.stdout.write(text),
      timeoutMs: LIMIT_MS,
    });
    return { code, counts: readCounts(file) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

const parameters = process.argv.slice(2).filter((word) => word !== '--');
try {
  await build();
  record('build', []);
} catch (error) {
  record('build', [error instanceof Error ? error.message : String(error)]);
}
await check(record);
const { code, counts } = await runTests(parameters);
for (const key of Object.keys(totals)) totals[key] += counts?.[key] ?? 0;
// A runner that died, or that failed for a reason it did not count, must not look green.
if (counts !== null && counts.passed + counts.failed === 0) {
  console.log('no test ran');
  totals.failed += 1;
} else if (counts === null || (code !== 0 && counts.failed === 0)) totals.failed += 1;
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
process.exitCode = totals.failed === 0 ? 0 : 1;
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
