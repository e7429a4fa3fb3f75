// Measures what is promised and prints it as a table. `--update` accepts the figures as the new baselines; without it a
// figure that is more than 15 % worse than its baseline fails the run. Missing a target is shown, not failed.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../scripts/build.mjs';
import { measureInside } from './measure-inside.mjs';
import { measureBytes, measurePeak, measurePrefix, measureStarts, removeTree } from './processes.mjs';
import { TARGETS } from './targets.mjs';

const BASELINES = join(import.meta.dirname, 'baselines.json');
const ROUNDS = 15;
const WORSE = 1.15;

function shown(value, unit) {
  if (value === undefined) return 'not measured';
  const digits = unit === 'bytes' || unit === 'reads' ? 0 : 2;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}

function verdict({ target, more }, value) {
  if (target === null) return '';
  if (more ? value >= target : value <= target) return 'met';
  if (target === 0) return 'missed';
  return `missed by ${Math.round(Math.abs(value / target - 1) * 100)} %`;
}

function change({ more }, value, baseline) {
  if (baseline === undefined) return { text: 'new', worse: false };
  const ratio = baseline === value ? 1 : more ? baseline / value : value / Math.max(baseline, Number.EPSILON);
  const percent = Math.round((ratio - 1) * 100);
  const text = percent === 0 ? 'as before' : `${Math.abs(percent)} % ${percent > 0 ? 'worse' : 'better'}`;
  return { text, worse: ratio > WORSE };
}

function print(figures, baselines) {
  const rows = TARGETS.map((row) => {
    const value = figures[row.name];
    const against = change(row, value, baselines[row.name]);
    const bound = row.target === null ? '' : `${row.more ? '≥' : '≤'} ${shown(row.target, row.unit)}`;
    return {
      cells: [row.what, shown(value, row.unit), bound, verdict(row, value), against.text],
      worse: against.worse,
    };
  });
  const table = [['what', 'value', 'target', 'verdict', 'baseline'], ...rows.map(({ cells }) => cells)];
  const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  for (const cells of table)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  return rows.filter(({ worse }) => worse).map(({ cells }) => cells[0]);
}

const root = mkdtempSync(join(tmpdir(), 'rein-bench-'));
try {
  await build();
  mkdirSync(join(root, 'project/.git'), { recursive: true });
  mkdirSync(join(root, 'home'));
  writeFileSync(join(root, 'project/a.txt'), 'a\n');
  writeFileSync(join(root, 'project/AGENTS.md'), '# Rules\n\nKeep it short.\n');
  const { resumed, uncompacted, ...inside } = await measureInside(root);
  const figures = {
    ...inside,
    ...(await measureBytes({ root })),
    ...(await measurePrefix({ root })),
    ...(await measurePeak({ root, rounds: 5 })),
    ...(await measureStarts({ root, rounds: ROUNDS, resumed, uncompacted })),
  };
  const worse = print(figures, JSON.parse(readFileSync(BASELINES, 'utf8')));
  if (process.argv.includes('--update')) {
    const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]);
    writeFileSync(BASELINES, `${JSON.stringify(Object.fromEntries(rounded.sort()), null, 2)}\n`);
  } else if (worse.length > 0) {
    console.log(`\nmore than 15 % worse than the baseline: ${worse.join('; ')}`);
    process.exitCode = 1;
  }
} finally {
  removeTree(root);
}
