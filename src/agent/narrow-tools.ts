import { layoutText } from '../instructions/index.ts';
import type { SessionState, ToolSpec } from '../model/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';

/** The faces that are offered: those allowed by the run and by the session's latest `tools` event, in their order. */
export function narrowTools(
  faces: readonly ToolFace[],
  onlyTools: readonly string[] | null,
  narrowing: SessionState['narrowing'],
): readonly ToolFace[] {
  return faces.filter(
    ({ name }) =>
      (onlyTools === null || onlyTools.includes(name)) &&
      (narrowing.allow === null || narrowing.allow.includes(name)) &&
      !narrowing.deny.includes(name),
  );
}

export function toToolSpec(face: ToolFace): ToolSpec {
  return { name: face.name, description: layoutText(face.description), schema: face.schema };
}
