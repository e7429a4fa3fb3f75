import { printable } from '../base/index.ts';
import type { DoctorReport, Finding } from '../sdk/index.ts';
import { wrapped } from './layout.ts';

const MARKS: Readonly<Record<Finding['status'], string>> = {
  ok: 'ok',
  note: '-',
  warning: 'warning',
  problem: 'PROBLEM',
};
const MARK_WIDTH = 9;
const CHECK_WIDTH = 13;

/** The findings for a person, one after another, and a last line with the verdict. */
export function doctorTable({ findings }: DoctorReport, width: number): string {
  const problems = findings.filter(({ status }) => status === 'problem').length;
  const verdict =
    problems === 0
      ? 'Nothing keeps a run from working.'
      : `${problems === 1 ? '1 problem keeps' : `${problems} problems keep`} a run from working.`;
  return `${[...findings.flatMap((finding) => entry(finding, width)), '', verdict].join('\n')}\n`;
}

function entry({ check, status, message, advice }: Finding, width: number): string[] {
  const indent = MARK_WIDTH + CHECK_WIDTH;
  const head = MARKS[status].padEnd(MARK_WIDTH) + check.padEnd(CHECK_WIDTH);
  const [first = '', ...rest] = wrapped(printable(message, Number.POSITIVE_INFINITY), width, indent);
  const after = advice === undefined ? [] : wrapped(`→ ${printable(advice, Number.POSITIVE_INFINITY)}`, width, indent);
  return [head + first.trimStart(), ...rest, ...after];
}
