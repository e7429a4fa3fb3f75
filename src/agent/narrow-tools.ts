import type { Harness } from '../harness/contract/index.ts';
import { layoutText } from '../instructions/index.ts';
import type { ToolSpec, Turn } from '../model/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';

/**
 * The faces that are offered, in the harness's order: those that the harness offers now, the run allows, and the
 * session's latest `tools` event leaves.
 */
export function narrowTools(
  harness: Pick<Harness, 'tools' | 'offers'>,
  turn: Omit<Turn, 'tools'>,
  onlyTools: readonly string[] | null,
): readonly ToolFace[] {
  const { narrowing } = turn.session;
  return harness
    .tools(turn)
    .filter(
      (face) =>
        harness.offers?.(face, turn) !== false &&
        (onlyTools === null || onlyTools.includes(face.name)) &&
        (narrowing.allow === null || narrowing.allow.includes(face.name)) &&
        !narrowing.deny.includes(face.name),
    );
}

export function toToolSpec(face: ToolFace): ToolSpec {
  return { name: face.name, description: layoutText(face.description), schema: face.schema };
}
