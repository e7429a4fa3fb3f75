import { byteLength, formatDiagnostic, printable, screenLine } from '../base/index.ts';
import type { ContextReport } from '../sdk/index.ts';
import { count, padded, shortPath, wrapped } from './layout.ts';

type Piece = ContextReport['pieces'][number];
type Search = ContextReport['searched'][number];

const PLACES: readonly { placement: Piece['placement']; title: string }[] = [
  { placement: 'system', title: 'System prompt' },
  { placement: 'history', title: 'Messages' },
  { placement: 'tool-result', title: 'Tool results' },
  { placement: 'tools', title: 'Tool descriptions' },
];

/** The report for a person, `width` columns wide where words allow it: what is sent, from where, by which rule. */
export function contextTable(report: ContextReport, width: number): string {
  const sections = [
    overview(report),
    ...PLACES.map(({ placement, title }) => place(report, placement, title, width)),
    searches(report, width),
    diagnostics(report),
    placeholders(report, width),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function overview(report: ContextReport): string[] {
  const { totals, system } = report;
  const systemTokens = report.pieces
    .filter(({ placement, status }) => placement === 'system' && status !== 'skipped')
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return [
    `harness    ${report.harness}`,
    ...(report.facet === null ? [] : [`facet      ${printable(report.facet)}`]),
    `model      ${report.model ?? 'none configured'} (wire: ${report.wire})`,
    `directory  ${printable(report.cwd)}`,
    `project    ${report.projectRoot === null ? 'no repository found' : printable(report.projectRoot)}`,
    `system     ${count(byteLength(system))} bytes, about ${count(systemTokens)} tokens`,
    `all        ${count(totals.bytes)} bytes, about ${count(totals.tokens)} tokens (messages ${count(totals.historyBytes)}, tools ${count(totals.toolBytes)} bytes)`,
  ];
}

function place(report: ContextReport, placement: Piece['placement'], title: string, width: number): string[] {
  const pieces = report.pieces.filter((piece) => piece.placement === placement);
  const groups = neighbours(pieces, (piece) => explanation(piece, report.cwd));
  const body = groups.flatMap(({ key, members }) => [
    ...members.map((piece) => pieceLine(piece, report.cwd)),
    ...wrapped(key, width, 6),
  ]);
  if (placement === 'tools' && report.tools.length > 0) {
    body.unshift(...wrapped(report.tools.map(({ name }) => printable(name)).join(', '), width, 2));
  }
  return body.length === 0 ? [] : [title, ...body];
}

/** Members that stand side by side and have the same key, together: what they share is said once. */
function neighbours<T>(members: readonly T[], keyOf: (member: T) => string): { key: string; members: T[] }[] {
  const groups: { key: string; members: T[] }[] = [];
  for (const member of members) {
    const key = keyOf(member);
    const last = groups.at(-1);
    if (last?.key === key) last.members.push(member);
    else groups.push({ key, members: [member] });
  }
  return groups;
}

function pieceLine(piece: Piece, cwd: string): string {
  const { origin } = piece;
  const file = origin.path === undefined ? `(${origin.type})` : shortPath(origin.path, cwd);
  const scope = origin.scope === undefined ? '' : ` [${origin.scope}]`;
  const sizes = `${padded(count(piece.bytes), 9)} B ${padded(count(piece.tokens), 7)} t`;
  const name = origin.path === undefined ? printable(piece.id) : piece.kind;
  return `${sizes}  ${name}  ${file}${scope}${messages(piece)}${mark(piece)}`;
}

/** Which messages of the request it is in, as `rein context --json` counts them: the same text may be in several. */
function messages({ placement, at }: Piece): string {
  if (placement !== 'history' && placement !== 'tool-result') return '';
  const places = at.map((span) => span.in.split('/').slice(0, 2).join('/'));
  return [...new Set(places)].map((place) => `  ${printable(place)}`).join('');
}

function mark({ status, reason }: Piece): string {
  if (status === 'sent' && reason === null) return '';
  return `  ${status}${reason === null ? '' : `: ${screenLine(reason, 200)}`}`;
}

function explanation(piece: Piece, cwd: string): string {
  const trigger = piece.trigger === null ? '' : ` (${piece.trigger})`;
  const from = piece.fragments.map(({ path }) => shortPath(path, cwd));
  const holds = from.length === 0 ? '' : ` Holds text of ${from.join(', ')}.`;
  return `${screenLine(piece.rule, 400)}${trigger}${holds}`;
}

function searches({ searched, cwd }: ContextReport, width: number): string[] {
  const lines: string[] = [];
  for (const kind of new Set(searched.map((search) => search.kind))) {
    lines.push(`  ${kind}`);
    const places = searched.filter((search) => search.kind === kind);
    for (const { key, members } of neighbours(places, outcome)) {
      const where = members.map(({ directory }) => shortPath(directory, cwd)).join(', ');
      lines.push(...wrapped(`${where}: ${key}`, width, 4));
    }
  }
  return lines.length === 0 ? [] : ['Searched', ...lines];
}

function outcome({ looked, took, why }: Search): string {
  const names = looked.map((name) => printable(name)).join(', ');
  const found = took === null ? `none of ${names}` : `${printable(took)} taken`;
  return why === '' ? found : screenLine(why, 400);
}

function diagnostics(report: ContextReport): string[] {
  if (report.diagnostics.length === 0) return [];
  return [
    'Diagnostics',
    ...report.diagnostics.map((diagnostic) => `  ${screenLine(formatDiagnostic(diagnostic), 600)}`),
  ];
}

function placeholders(report: ContextReport, width: number): string[] {
  if (report.placeholders.length === 0) return [];
  const lines = report.placeholders.flatMap(({ name, value, why }) =>
    wrapped(`${name} is shown as ${screenLine(value, 100)}: ${screenLine(why, 300)}`, width, 2),
  );
  return ['Not known before a real run', ...lines];
}
