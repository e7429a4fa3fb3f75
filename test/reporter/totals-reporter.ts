import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Counts of one run. A file that could not be loaded and an error outside every test are failures of their own. */
export type Totals = { passed: number; failed: number; skipped: number };

function count(module: TestModule, totals: Totals): void {
  totals.failed += module.errors().length;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'passed') totals.passed += 1;
    else if (state === 'failed') totals.failed += 1;
    else totals.skipped += 1;
  }
  for (const suite of module.children.allSuites()) totals.failed += suite.errors().length;
}

/** Writes the totals as JSON to the file named by REIN_TEST_TOTALS, for the script that prints the closing line. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const path = process.env.REIN_TEST_TOTALS;
    if (path === undefined) return;
    const totals: Totals = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) count(module, totals);
    writeFileSync(path, JSON.stringify(totals));
  }
}
