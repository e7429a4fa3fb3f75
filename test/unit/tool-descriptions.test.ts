import { expect, test } from 'vitest';
import { findHarness } from '../../src/harness/index.ts';
import { layoutText } from '../../src/instructions/index.ts';
import type { ToolFace } from '../../src/tools/contract/index.ts';
import { DEFAULT_LIMITS } from '../../src/tools/index.ts';

const KIB = 1024;

/** The sizes and times that a tool's words mention, in order. */
function figures(face: ToolFace | undefined): number[] {
  const words = `${layoutText(face?.description ?? [])} ${JSON.stringify(face?.schema)}`;
  return (words.match(/\d{2,}|\d+(?= KiB)/g) ?? []).map(Number);
}

test.each(['rein', 'kli'])('the limits that %s tells the model are those that the tools keep', async (name) => {
  const { resultBytes, lineBytes, headBytes, tailBytes, commandTimeoutMs, commandTimeoutMaxMs } = DEFAULT_LIMITS;
  const harness = await findHarness(name);
  const faces = harness.tools({} as Parameters<typeof harness.tools>[0]);
  const of = (executor: string): number[] =>
    figures(faces.find((face) => face.name === executor || (executor === 'shell' && face.name === 'bash')));
  expect({ read: of('read'), shell: of('shell'), edit: of('edit'), write: of('write') }).toEqual({
    read: [resultBytes / KIB, lineBytes / KIB],
    shell: [headBytes / KIB, tailBytes / KIB, commandTimeoutMaxMs / 1000, commandTimeoutMs / 1000],
    edit: [],
    write: [],
  });
});
