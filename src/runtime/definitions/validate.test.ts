import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../base/index.ts';
import { createMemoryHost, type MemoryHost } from '../../host/memory/index.ts';
import type { DefinitionKind } from './checks.ts';
import { FACET_TEXT, SKILL_TEXT, SUBAGENT_TEXT } from './starting-texts.ts';
import { validate } from './validate.ts';

const REVIEW = '/p/.rein/facets/review.md';
const RUNNER = '/p/.rein/subagents/test-runner.md';
const SKILL = '/p/.rein/skills/commit-message/SKILL.md';

function machine(files: Record<string, string>): MemoryHost {
  return createMemoryHost({ files: { '/p/.git/HEAD': 'ref', ...files }, cwd: '/p' });
}

async function said(kind: DefinitionKind, path: string, text: string): Promise<[ok: boolean, lines: string[]]> {
  const { ok, diagnostics } = await validate(kind, path, { harness: 'kli' }, machine({ [path]: text }));
  return [ok, diagnostics.map(formatDiagnostic)];
}

test('the examples that rein init writes have no fault', async () => {
  expect([
    await said('facet', REVIEW, FACET_TEXT),
    await said('subagent', RUNNER, SUBAGENT_TEXT),
    await said('skill', SKILL, SKILL_TEXT),
  ]).toEqual([
    [true, []],
    [true, []],
    [true, []],
  ]);
});

test('a subagent is checked by its own keys', async () => {
  const head = '---\nname: test-runner\nrein:\n  color: "#102030"\n  exit_tool_schema: { type: array }\n---\nRead.\n';
  expect(await said('subagent', RUNNER, head)).toEqual([
    false,
    [
      `${RUNNER}:1:1: error: it needs a description, by which it is chosen; the subagent is not used`,
      `${RUNNER}:5:3: error: exit_tool_schema: it must be a JSON Schema with type: object; the subagent is not used`,
      `${RUNNER}:4:3: info: there is no key "color" for subagents`,
    ],
  ]);
});

test('a file without front matter is at fault', async () => {
  const [ok, lines] = await said('facet', REVIEW, 'You review.\n');
  expect([ok, lines.length > 0]).toEqual([false, true]);
});

test('paths start in the working directory', async () => {
  const host = machine({ [REVIEW]: FACET_TEXT });
  const { path } = await validate('facet', 'facets/review.md', { harness: 'kli', cwd: '/p/.rein' }, host);
  expect(path).toBe(REVIEW);
});

test('a file that is not there, and a directory, are the caller’s mistake', async () => {
  const host = machine({ [REVIEW]: FACET_TEXT });
  await expect(validate('facet', 'nowhere.md', { harness: 'kli' }, host)).rejects.toMatchObject({
    code: 'validate/unreadable',
  });
  await expect(validate('facet', '.rein/facets', { harness: 'kli' }, host)).rejects.toMatchObject({
    code: 'validate/unreadable',
  });
});

test('a file that is too large to be used is at fault', async () => {
  const text = `${SKILL_TEXT}${'x'.repeat(300_000)}`;
  expect(await said('skill', SKILL, text)).toEqual([
    false,
    [
      `${SKILL}: warning: SKILL.md is ${text.length.toLocaleString('en')} bytes, over the cap of 262,144: nothing of this directory is read`,
      `${SKILL}: error: this file would not be used`,
    ],
  ]);
});

test('faults have their line and column; a name that is not the file’s is one', async () => {
  const text = '---\nname: other\ndescription: d\n---\nx\n';
  const [ok, lines] = await said('facet', REVIEW, text);
  expect([ok, lines.map((line) => line.split(' ').slice(0, 2).join(' '))]).toEqual([false, [`${REVIEW}:2:1: error:`]]);
});
