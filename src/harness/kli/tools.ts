import type { HarnessSettings } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import edit from '../faces/descriptions/edit.md';
import find from '../faces/descriptions/find.md';
import read from '../faces/descriptions/read.md';
import search from '../faces/descriptions/search.md';
import shell from '../faces/descriptions/shell.md';
import write from '../faces/descriptions/write.md';
import { editFace } from '../faces/edit-face.ts';
import { readFace } from '../faces/read-face.ts';
import { shellFace } from '../faces/shell-face.ts';
import { writeFace } from '../faces/write-face.ts';
import { findFace } from './find-face.ts';
import { searchFace } from './search-face.ts';

/** kli's names for the engine's tools, in the order of the request. */
export const KLI_TOOLS: readonly ToolFace[] = [
  readFace({ name: 'read', description: read }),
  findFace({ name: 'find', description: find }),
  searchFace({ name: 'search', description: search }),
  writeFace({ name: 'write', description: write }),
  editFace({ name: 'edit', description: edit }),
  shellFace({ name: 'bash', description: shell }),
];

/** The same where the user chose how long a command may run: the model is told. */
export function kliTools({ commandTimeoutMs }: HarnessSettings): readonly ToolFace[] {
  if (commandTimeoutMs === undefined) return KLI_TOOLS;
  const own = shellFace({ name: 'bash', description: shell, timeoutMs: commandTimeoutMs });
  return KLI_TOOLS.map((face) => (face.name === own.name ? own : face));
}
