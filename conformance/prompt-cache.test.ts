import { expect } from 'vitest';
import { bodyOf, systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

/** The encoded messages of a body, up to the end of the last: what the next body must begin with. */
function messagesPrefix(body: string): string {
  const { messages } = JSON.parse(body) as { messages: unknown[] };
  const last = JSON.stringify(messages.at(-1));
  return body.slice(0, body.indexOf(last) + last.length);
}

for (const harness of ['kli', 'rein']) {
  verifies('C60', `${harness}: requests 61 s apart have the same system prompt and tools`, async () => {
    const w = await workspace({ '.git/': null, '~/now': '2026-11-30T12:00:00+02:00' }, { harness });
    const session = w.stream([], { env: { REIN_NOW: `@${w.path('~/now')}` } });
    await session.prompt('one');
    w.write('~/now', '2026-11-30T12:01:01+02:00');
    await session.prompt('two');
    await session.end();
    const [first, second] = w.requests();
    expect(systemOf(second)).toBe(systemOf(first));
    expect(JSON.stringify(bodyOf(second).tools)).toBe(JSON.stringify(bodyOf(first).tools));
    expect(second?.body.startsWith(messagesPrefix(first?.body ?? ''))).toBe(true);
  });

  verifies(
    'C62',
    `${harness}: a new file changes no byte before the new messages, nor another session’s prompt`,
    async () => {
      const w = await workspace({ '.git/': null, 'old.ts': '1', 'AGENTS.md': 'RULES' }, { harness });
      const session = w.stream();
      await session.prompt('one');
      w.write('new.ts', '2');
      w.write('src/deep/new.ts', '3');
      await session.prompt('two');
      await session.end();
      await w.print(['one']);
      const [first, second, other] = w.requests();
      expect(second?.body.startsWith(messagesPrefix(first?.body ?? ''))).toBe(true);
      expect(systemOf(other)).toBe(systemOf(first));
      expect(bodyOf(other).messages).toEqual(bodyOf(first).messages);
    },
  );
}

verifies(
  'C60',
  'rein: midnight passes without a change, since the date is pinned when the conversation begins',
  async () => {
    const w = await workspace({ '.git/': null, '~/now': '2026-11-30T23:59:59+02:00' }, { harness: 'rein' });
    const env = { REIN_NOW: `@${w.path('~/now')}` };
    await w.print(['one'], { env });
    w.write('~/now', '2026-12-01T00:01:00+02:00');
    await w.print(['--continue', 'two'], { env });
    const [first, second] = w.requests().map(systemOf);
    expect(first).toMatch(/2026-11-30/);
    expect(second).toBe(first);
  },
);
