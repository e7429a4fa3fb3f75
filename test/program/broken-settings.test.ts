import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { workspace } from '../../conformance/rig.ts';

const SETTINGS = '~/.config/rein/settings.json';

describe('settings that cannot be read as they were meant', () => {
  test.each([
    ['no JSON', '{ "effort": "low" ', /^rein: \S*settings\.json:1:\d+: error: [^\n]+\n$/],
    ['a value of the wrong type', '{\n  "max_turns": "many"\n}\n', /^rein: \S*settings\.json:2:16: error: [^\n]+\n$/],
    [
      'two faults',
      '{ "max_turns": "many", "wire": "smoke" }',
      /^rein: [^\n]+ \(and 1 more: rein doctor lists them\)\n$/,
    ],
  ])('%s ends the run with 2 before any request, and nothing is written', async (_name, text, said) => {
    const w = await workspace({ '.git/': null, [SETTINGS]: text });
    const { code, stdout, stderr } = await w.run(['-p', 'hello']);
    expect({ code, stdout, requests: w.requests().length, state: existsSync(w.path('~/.local/state')) }).toEqual({
      code: 2,
      stdout: '',
      requests: 0,
      state: false,
    });
    expect(stderr).toMatch(said);
  });

  test('an unknown key is a warning, and the run goes on', async () => {
    const w = await workspace({ '.git/': null, [SETTINGS]: '{ "efort": "low" }' });
    const { code, stderr } = await w.run(['-p', 'hello']);
    expect({ code, requests: w.requests().length }).toEqual({ code: 0, requests: 1 });
    expect(stderr).toBe(`${w.path(SETTINGS)}:1:3: warning: there is no setting efort; did you mean effort?\n`);
  });

  test('a preview shows the fault and goes on', async () => {
    const w = await workspace({ '.git/': null, [SETTINGS]: '{ "max_turns": "many" }' });
    const { code, stdout } = await w.run(['context', '--json']);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { severity: string; line: number }[] };
    expect({ code, faults: diagnostics.map(({ severity, line }) => [severity, line]) }).toEqual({
      code: 0,
      faults: [['error', 1]],
    });
  });
});
