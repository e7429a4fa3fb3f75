import { byteLength, sha256 } from '../base/index.ts';
import type { FoundFile, Piece, PieceKind, Placement } from '../model/index.ts';
import { withoutFinalNewlines } from './final-newlines.ts';

/** Hashes of texts that go out again and again. A text longer than this is hashed each time. */
const MAX_REMEMBERED = 256;
const MAX_REMEMBERED_LENGTH = 16 * 1024;
const remembered = new Map<string, string>();

function hashOf(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const hash = sha256(text);
  if (text.length > MAX_REMEMBERED_LENGTH) return hash;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, hash);
  return hash;
}

/** A piece with its hash. Lone surrogates become U+FFFD here, so that the text is what its UTF-8 bytes say. */
export function makePiece(fields: Omit<Piece, 'sha256'>): Piece {
  const text = fields.text.toWellFormed();
  return { ...fields, text, sha256: hashOf(text) };
}

/** A text that this program ships. A file's final newline belongs to the file, not to the text. */
export function shippedPiece(fields: {
  id: string;
  kind: PieceKind;
  placement: Placement;
  rule: string;
  requirement?: string;
  text: string;
}): Piece {
  return makePiece({ ...fields, origin: { type: 'shipped' }, text: withoutFinalNewlines(fields.text) });
}

/** A sentence of the program's own in the history that says what stands beside it. */
export function guidancePiece(id: string, rule: string, text: string): Piece {
  return shippedPiece({ id, kind: 'guidance', placement: 'history', rule, text });
}

/**
 * A file's text as a piece. Its id holds the real path, so that a file keeps its identity whichever way it was
 * reached; its origin names the path where it was found. `text` where what is sent is not the text as read.
 */
export function filePiece(
  file: FoundFile,
  fields: { kind: PieceKind; placement: Placement; rule: string; requirement?: string; text?: string },
): Piece {
  const { text = file.text, ...rest } = fields;
  return makePiece({
    ...rest,
    id: fileId(fields.kind, file.realPath),
    origin: { type: 'file', path: file.path, scope: file.scope },
    text,
    fileSha256: file.sha256,
    ...(file.status === 'cut'
      ? {
          cut: {
            keptBytes: byteLength(text),
            droppedBytes: file.droppedBytes,
            why: `the file is ${file.size} bytes, more than is read`,
          },
        }
      : {}),
  });
}

/** The id of a file's piece: `context-file:/abs/AGENTS.md`. */
export function fileId(kind: PieceKind, realPath: string): string {
  return `${kind}:${realPath}`;
}
