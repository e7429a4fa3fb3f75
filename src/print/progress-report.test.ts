import { expect, test } from 'vitest';
import type { StreamEvent } from '../model/index.ts';
import { ProgressReport } from './progress-report.ts';

function failed(text: string): StreamEvent {
  return {
    type: 'tool-result',
    id: 'r',
    parentId: 'a',
    time: '2026-11-30T12:00:00.000+00:00',
    call: { assistant: 'a', id: 'c' },
    tool: 'fetch',
    parts: [{ type: 'text', text }],
    status: 'error',
    observed: [],
  };
}

test('a call that failed is one line, with what can be done about it, which stands last', () => {
  const lines: string[] = [];
  const report = new ProgressReport((line) => lines.push(line));
  const reason = `${'http://127.0.0.1/ '.repeat(8)}is not fetched.\nThe user can allow the host in the setting web.allow_private_hosts.`;
  report.event(failed(`Error: ${reason}`));
  report.event(failed('x'.repeat(1000)));
  expect(lines).toEqual([`! fetch: error: ${reason.replace('\n', ' ')}`, `! fetch: error: ${'x'.repeat(319)}…`]);
});
