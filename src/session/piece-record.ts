import { sha256, toStableJson } from '../base/index.ts';
import type { Piece, PieceLine, PieceRef } from '../model/index.ts';

/** 128 bits: a file's author cannot make two records of one name. */
const HASH_LENGTH = 32;

/** The record of a piece, its text apart: the same piece always gives the same line, whatever order its keys have. */
export function toPieceLine(piece: Piece): PieceLine {
  const { text, ...record } = piece;
  return { type: 'piece', ref: refOf(record), piece: record };
}

function refOf(record: Omit<Piece, 'text'>): PieceRef {
  return `${record.id}@${sha256(toStableJson(record)).slice(0, HASH_LENGTH)}`;
}
