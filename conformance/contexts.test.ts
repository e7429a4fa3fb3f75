import { expect } from 'vitest';
import { FACETED } from './rig/faceted.ts';
import { filesTold, history, TAKEN_UP_AGAIN } from './rig/history.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { bodyOf, messagesOf, systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const { harness, call } of FACETED) {
  verifies(
    'C60',
    `${harness}: requests 61 s apart, and after midnight, have the same system prompt and tools`,
    async () => {
      const w = await workspace({ '.git/': null, '~/now': '2026-11-30T23:59:00+02:00' }, { harness });
      const session = w.stream([], { env: { REIN_NOW: `@${w.path('~/now')}` } });
      await session.prompt('one');
      w.write('~/now', '2026-12-01T00:00:01+02:00');
      await session.prompt('two');
      await session.end();
      const [first, second] = w.requests();
      expect(systemOf(second)).toBe(systemOf(first));
      expect(bodyOf(second).tools).toEqual(bodyOf(first).tools);
      expect(messagesOf(second).slice(0, 1)).toEqual(messagesOf(first));
    },
  );

  verifies(
    'C62',
    `${harness}: a new file in the tree changes no prefix, nor another session’s first request`,
    async () => {
      const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES' }, { harness });
      const session = w.stream();
      await session.prompt('one');
      w.write('new.ts', '1');
      w.write('deep/er/new.ts', '2');
      await session.prompt('two');
      await session.end();
      await w.print(['one']);
      const [first, second, other] = w.requests();
      expect(systemOf(second)).toBe(systemOf(first));
      expect(messagesOf(second).slice(0, messagesOf(first).length)).toEqual(messagesOf(first));
      expect(other?.body).toBe(first?.body);
    },
  );

  verifies('P60', `${harness}: a directory that is entered joins the stack, and leaves it`, async () => {
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT', 'a/AGENTS.md': 'A', 'a/x.txt': 'THE FILE' },
      { harness, replies: [{ text: 'ok' }, ...callsThenDone([[call.read('x.txt')]]), { text: 'ok' }] },
    );
    const session = w.stream();
    await session.prompt('one');
    const entered = await session.carryOut({ type: 'pushd', path: 'a' });
    expect(entered).toEqual({ stack: [w.project, w.path('a')], cwd: w.path('a') });
    await session.prompt('two');
    const left = await session.carryOut({ type: 'popd' });
    expect(left).toEqual({ stack: [w.project], cwd: w.project });
    expect((await session.command({ type: 'popd' })).type).toBe('error');
    expect((await session.command({ type: 'pushd', path: 'nowhere' })).type).toBe('error');
    await session.prompt('three');
    await session.end();
    expect(messagesOf(w.requests().at(-1)).find(({ role }) => role === 'tool')?.content).toContain('THE FILE');
    expect(history(w).filter(([kind]) => kind === 'files' || kind === 'user')).toEqual([
      ['files', ['AGENTS.md', 'ROOT']],
      ['user', 'one'],
      ['files', ['AGENTS.md', 'ROOT'], ['a/AGENTS.md', 'A']],
      ['user', 'two'],
      ['files', ['AGENTS.md', 'ROOT']],
      ['user', 'three'],
    ]);
    expect(new Set(w.requests().map(systemOf)).size).toBe(1);
  });

  verifies('P60', `${harness}: the model enters and leaves directories by its tools`, async () => {
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': 'A', 'a/x.txt': 'THE FILE' },
      {
        harness,
        replies: [
          ...callsThenDone([[['pushd', { path: 'a' }]], [call.read('x.txt')]]),
          ...callsThenDone([[['popd', {}]], [call.read('a/x.txt')]]),
        ],
      },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.prompt('two');
    await session.end();
    const results = messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content?.includes('THE FILE'))).toEqual([false, true, false, true]);
    expect(filesTold(w).flat()).toContainEqual(['a/AGENTS.md', 'A']);
  });

  verifies(
    ['P20', 'P21'],
    `${harness}: a clear begins a context: the chain comes again, the old prompts are gone`,
    async () => {
      const w = await workspace({ '.git/': null, 'AGENTS.md': 'V1' }, { harness });
      const session = w.stream();
      await session.prompt('one');
      await session.prompt('two');
      w.write('AGENTS.md', 'V2');
      await session.carryOut({ type: 'clear' });
      await session.prompt('three');
      await session.end();
      await w.print(['--continue', 'four']);
      expect(history(w)).toEqual([
        ['files', ['AGENTS.md', 'V2']],
        ['user', 'three'],
        ['assistant', 'ok'],
        TAKEN_UP_AGAIN,
        ['user', 'four'],
      ]);
    },
  );

  verifies('P20', `${harness}: a rewind takes deliveries back with what it takes back`, async () => {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'ROOT', 'docs/rules.md': 'RULES' }, { harness });
    const session = w.stream();
    await session.prompt('one');
    const typed = 'two @docs/rules.md';
    await session.prompt(typed);
    const prompt = session.lines.findLast(({ type }) => type === 'prompt');
    const rewound = await session.carryOut({ type: 'rewind', to: prompt?.id });
    expect(rewound).toEqual({ text: typed, files: 'unchanged' });
    await session.prompt('three @docs/rules.md');
    const first = session.lines.find(({ type }) => type === 'prompt');
    await session.carryOut({ type: 'rewind', to: first?.id });
    await session.prompt('four');
    await session.end();
    expect(history(w, 2)).toEqual([
      ['files', ['AGENTS.md', 'ROOT']],
      ['user', 'one'],
      ['assistant', 'ok'],
      ['user', 'three @docs/rules.md'],
      ['files', ['docs/rules.md', 'RULES']],
    ]);
    expect(history(w)).toEqual([
      ['files', ['AGENTS.md', 'ROOT']],
      ['user', 'four'],
    ]);
  });
}
