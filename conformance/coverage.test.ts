import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenize } from '../test/architecture/tokenize.ts';
import { REQUIREMENTS } from './requirements.ts';

/** The ids in `verifies('K1', …)` and `verifies(['K1', 'K2'], …)` of one source. */
function citedIn(source: string): string[] {
  const tokens = tokenize(source);
  const cited: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || token.text !== 'verifies' || tokens[index + 1]?.text !== '(') continue;
    const first = tokens[index + 2];
    if (first?.kind === 'string') cited.push(first.text);
    if (first?.text !== '[') continue;
    for (let next = index + 3; tokens[next] !== undefined && tokens[next]?.text !== ']'; next += 1) {
      if (tokens[next]?.kind === 'string') cited.push(tokens[next]?.text ?? '');
    }
  }
  return cited;
}

const cited = new Set(
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
    .flatMap((name) => citedIn(readFileSync(join(import.meta.dirname, name), 'utf8'))),
);

function list(): string {
  const later = REQUIREMENTS.filter(({ due }) => due !== 'now');
  const groups = [...new Set(later.map(({ due }) => due))].sort();
  const sections = groups.map((group) => {
    const rows = later.filter(({ due }) => due === group).map(({ id, statement }) => `- ${id}: ${statement}`);
    return `## ${group} (${rows.length})\n\n${rows.join('\n')}\n`;
  });
  return `# Not yet due: ${later.length} of ${REQUIREMENTS.length}\n\nWritten by \`npm run golden\`.\n\n${sections.join('\n')}`;
}

describe('the requirements', () => {
  test('have ids of their own', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('that are due are each cited by a test', () => {
    expect(REQUIREMENTS.filter(({ id, due }) => due === 'now' && !cited.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('that a test cites are marked as due', () => {
    expect(REQUIREMENTS.filter(({ id, due }) => due !== 'now' && cited.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('that are not due are listed for readers', async () => {
    await expect(list()).toMatchFileSnapshot('./not-yet-due.md');
  });

  test('are found in both forms of citation', () => {
    const source = `verifies('K1', 'a', async () => {}); // verifies('K2')\nverifies(['K3', "K4"], 'b', c); expect('K5');`;
    expect(citedIn(source)).toEqual(['K1', 'K3', 'K4']);
  });
});
