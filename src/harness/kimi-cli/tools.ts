import type { ToolFace } from '../../tools/contract/index.ts';
import shell from './descriptions/shell.md';
import { kimiShellFace } from './faces/shell-face.ts';

/** In the order of the request (spec/kimi-cli.md 12). */
export function kimiTools(): readonly ToolFace[] {
  return [kimiShellFace(shell)];
}
