import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsPage } from '../rig/settings-page.ts';

const page = join(import.meta.dirname, '../../docs/settings.md');

test('docs/settings.md is what the schema says; its beginning is written by hand', async () => {
  const intro = readFileSync(page, 'utf8').split(/^## The run$/m)[0] ?? '';
  await expect(settingsPage(intro)).toMatchFileSnapshot(page);
});
