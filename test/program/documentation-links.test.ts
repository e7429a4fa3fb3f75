import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../rig/doc-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));

test('every page is in docs/README.md, and every link between pages leads somewhere', () => {
  const index = readPage('docs/README.md');
  expect(PAGES.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
  const broken = ['README.md', ...PAGES.map((name) => `docs/${name}`)].flatMap((path) =>
    [...readPage(path).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target) && !leads(join(ROOT, path), target))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

function leads(page: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const path = file === '' ? page : join(dirname(page), file);
  if (!existsSync(path)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  return headings.includes(heading);
}
