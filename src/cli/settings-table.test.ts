import { expect, test } from 'vitest';
import { settingsTable } from './settings-table.ts';

test('a setting is one line: value, then where it comes from', () => {
  const text = settingsTable({
    settings: {},
    files: [],
    diagnostics: [],
    values: [
      { key: 'model', value: 'a/b\u001b[2J', from: 'user', path: '/home/ada/settings.json', line: 2 },
      { key: 'wire', value: 'chat', from: 'environment', variable: 'REIN_WIRE' },
      { key: 'effort', value: null, from: 'default' },
      { key: 'shell.env_pass', value: ['A', 'B'], from: '-c' },
    ],
  });
  expect(text).toBe(`model = "a/b\\u001b[2J"      user  /home/ada/settings.json:2
wire = "chat"               environment  REIN_WIRE
effort = not chosen         default
shell.env_pass = ["A","B"]  -c
`);
});
