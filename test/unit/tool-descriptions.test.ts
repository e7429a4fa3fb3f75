import { expect, test } from 'vitest';
import { findHarness } from '../../src/harness/index.ts';
import { turn } from '../../src/harness/test-scenario.ts';
import { layoutText } from '../../src/instructions/index.ts';
import type { ToolFace } from '../../src/tools/contract/index.ts';
import { DEFAULT_LIMITS } from '../../src/tools/index.ts';
import { GREP_LIMIT } from '../../src/tools/search/grep.ts';
import { SEARCH_BOUNDS } from '../../src/tools/search/search-bounds.ts';

const KIB = 1024;

/** The sizes and times that a tool's words mention, in order. */
function figures(face: ToolFace | undefined): number[] {
  const words = `${layoutText(face?.description ?? [])} ${JSON.stringify(face?.schema)}`;
  return (words.match(/\d{2,}|\d+(?= KiB)/g) ?? []).map(Number);
}

test.each(['rein', 'kli'])('the limits that %s tells the model are those that the tools keep', async (name) => {
  const { resultBytes, lineBytes, headBytes, tailBytes, commandTimeoutMs, commandTimeoutMaxMs } = DEFAULT_LIMITS;
  const harness = await findHarness(name);
  const faces = harness.tools(turn());
  const of = (executor: string): number[] =>
    figures(faces.find((face) => face.name === executor || (executor === 'shell' && face.name === 'bash')));
  expect({ read: of('read'), shell: of('shell'), edit: of('edit'), write: of('write') }).toEqual({
    read: [resultBytes / KIB, lineBytes / KIB],
    shell: [headBytes / KIB, tailBytes / KIB, commandTimeoutMaxMs / 1000, commandTimeoutMs / 1000],
    edit: [],
    write: [],
  });
});

test('every other tool of rein names no limit but those of a search', async () => {
  const faces = (await findHarness('rein')).tools(turn());
  const others = faces.filter(({ name }) => !['read', 'shell', 'edit', 'write'].includes(name));
  expect(others.map((face) => [face.name, figures(face)])).toEqual([
    ['glob', []],
    ['grep', [SEARCH_BOUNDS.searchedFileBytes / KIB / KIB, GREP_LIMIT]],
    ['job', [60, 8 * KIB]],
    ['pushd', []],
    ['popd', []],
    ['fetch', []],
    ['todo', []],
    ['ask', []],
    ['write_plan', []],
    ['edit_plan', []],
    ['handoff_plan', []],
    ['message_subagent', []],
    ['skill', []],
    ['switch_facet', []],
    ['subagent', [30]],
  ]);
});

test.each<[timeoutMs: number, words: string]>([
  [90_000, 'Seconds until it is stopped, at most 600. Default: 90.'],
  [1_800_000, 'Seconds until it is stopped, at most 1800. Default: 1800.'],
  [1500, 'Seconds until it is stopped, at most 600. Default: 1.5.'],
])('a configured time limit of %i ms is the one that every harness tells the model', async (timeoutMs, words) => {
  for (const name of ['rein', 'kli']) {
    const harness = await findHarness(name);
    const faces = harness.tools(turn({ settings: { commandTimeoutMs: timeoutMs } }));
    const told = faces.flatMap(({ name: tool, schema }) => {
      const { timeout } = schema.properties as { timeout?: { description: string } };
      return timeout === undefined || tool === 'subagent' ? [] : [timeout.description];
    });
    expect({ name, told }).toEqual({ name, told: [words] });
  }
});
