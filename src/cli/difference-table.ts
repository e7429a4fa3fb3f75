import { printable, screenLine } from '../base/index.ts';
import type { ContextDifference } from '../sdk/index.ts';
import { count, wrapped } from './layout.ts';

type Piece = ContextDifference['added'][number];

/** What differs between two requests, for a person: pieces gone (-), added (+), moved (>), changed (~), and the bytes. */
export function differenceTable(difference: ContextDifference, width: number): string {
  const { left, right, gone, added, moved, changed, unchanged, bytes } = difference;
  const step = bytes.right - bytes.left;
  const lines = [
    `${left} → ${right}: ${count(bytes.left)} → ${count(bytes.right)} bytes (${step < 0 ? '-' : '+'}${count(Math.abs(step))})`,
    ...gone.flatMap((piece) => pieceLines('-', piece, width)),
    ...added.flatMap((piece) => pieceLines('+', piece, width)),
    ...moved.map(({ id, from, to, bytes: size }) => `> ${printable(id)}  ${from} → ${to}, ${count(size)} B`),
    ...changed.map(
      ({ id, leftBytes, rightBytes }) => `~ ${printable(id)}  ${count(leftBytes)} → ${count(rightBytes)} B`,
    ),
    `= ${count(unchanged)} unchanged`,
  ];
  return `${lines.join('\n')}\n`;
}

function pieceLines(sign: string, { id, placement, bytes, rule }: Piece, width: number): string[] {
  return [`${sign} ${printable(id)}  ${placement}, ${count(bytes)} B`, ...wrapped(screenLine(rule, 400), width, 4)];
}
