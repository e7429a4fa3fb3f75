import { expect, test } from 'vitest';
import { doctorTable } from './doctor-table.ts';

test('findings are told in their order, advice below, the verdict last', () => {
  const text = doctorTable(
    {
      ok: false,
      findings: [
        { check: 'program', status: 'ok', message: 'rein 1.0.0', data: {} },
        {
          check: 'settings',
          status: 'warning',
          message: '/home/ada/settings.json:2:3: warning: \u001b[31mmodle',
          data: {},
        },
        { check: 'model', status: 'problem', message: 'no model', advice: 'name one', data: {} },
        { check: 'sandbox', status: 'note', message: 'there is none in this version at all, alas', data: {} },
      ],
    },
    60,
  );
  expect(text).toBe(`ok       program      rein 1.0.0
warning  settings     /home/ada/settings.json:2:3: warning:
                      \\u001b[31mmodle
PROBLEM  model        no model
                      → name one
-        sandbox      there is none in this version at all,
                      alas

1 problem keeps a run from working.
`);
});

test('without a problem the verdict says so', () => {
  expect(doctorTable({ ok: true, findings: [] }, 80)).toBe('\nNothing keeps a run from working.\n');
});
