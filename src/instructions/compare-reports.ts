import type { ContextDifference, ContextReport, ReportedPiece } from '../model/index.ts';

/** What a report sends, by piece; skipped files are no part of the request. */
function sentById(report: ContextReport): Map<string, ReportedPiece[]> {
  const byId = new Map<string, ReportedPiece[]>();
  for (const piece of report.pieces) {
    if (piece.status === 'skipped') continue;
    byId.set(piece.id, [...(byId.get(piece.id) ?? []), piece]);
  }
  return byId;
}

function hashes(pieces: readonly ReportedPiece[]): string {
  return pieces.flatMap((piece) => Array<string>(piece.at.length).fill(piece.sha256)).join(' ');
}

function bytes(pieces: readonly ReportedPiece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.bytes * piece.at.length, 0);
}

/**
 * What the right request holds that the left one does not, and the other way round, piece by piece. A piece may be both
 * moved and changed. `names` for the two, where they have better ones than their harnesses'.
 */
export function compareReports(
  left: ContextReport,
  right: ContextReport,
  names: { left: string; right: string } = { left: left.harness, right: right.harness },
): ContextDifference {
  const before = sentById(left);
  const after = sentById(right);
  const difference: ContextDifference = {
    ...names,
    added: [...after].flatMap(([id, pieces]) => (before.has(id) ? [] : pieces)),
    gone: [...before].flatMap(([id, pieces]) => (after.has(id) ? [] : pieces)),
    moved: [],
    changed: [],
    unchanged: 0,
    bytes: { left: left.totals.bytes, right: right.totals.bytes },
  };
  for (const [id, then] of before) {
    const now = after.get(id);
    const from = then[0]?.placement;
    const to = now?.[0]?.placement;
    if (now === undefined || from === undefined || to === undefined) continue;
    const other = hashes(then) !== hashes(now);
    if (from !== to) difference.moved.push({ id, from, to, bytes: bytes(now) });
    if (other) difference.changed.push({ id, leftBytes: bytes(then), rightBytes: bytes(now) });
    if (from === to && !other) difference.unchanged += 1;
  }
  return difference;
}
