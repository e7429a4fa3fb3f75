import { expect } from 'vitest';
import { baseOf, bulletsOf, contextOf, contextSection } from './rig/kli-prompt.ts';
import { shippedBase } from './rig/shipped-base.ts';
import { bodyOf, messagesOf, systemOf, toolNamesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const ENVIRONMENT = /\nCurrent date: (\d{4}-\d\d-\d\d)\nCurrent working directory: (.+)\/$/;

verifies('K1', 'every request of a turn begins with the same system prompt of base, append and context', async () => {
  const w = await workspace(
    { '.git/': null, '.kli/APPEND_SYSTEM.md': 'APPENDED', 'AGENTS.md': 'PROJECT' },
    { replies: [{ calls: [{ name: 'read', arguments: '{"path":"AGENTS.md"}' }] }, { text: 'done' }] },
  );
  await w.print(['hello']);
  const section = contextSection([w.path('AGENTS.md'), 'PROJECT']);
  const expected = `${await shippedBase(w)}\n\nAPPENDED${section}`;
  expect(w.requests().map(systemOf)).toEqual([expected, expected]);
});

verifies('K2', 'the prompt opens with who the agent is', async () => {
  const w = await workspace({ '.git/': null });
  const [opening = ''] = (await w.systemPrompt()).split('\n');
  expect(opening).toMatch(/^You are kli, an interactive coding assistant in a terminal\./);
});

verifies('K3', 'the base lists exactly the tools that the request offers, with their descriptions', async () => {
  const w = await workspace({ '.git/': null });
  const system = await w.systemPrompt();
  const offered = bodyOf(w.requests()[0]).tools?.map((tool) => `- ${tool.function.name}: ${tool.function.description}`);
  expect(offered?.length).toBeGreaterThan(0);
  const start = system.indexOf('Available tools:\n') + 'Available tools:\n'.length;
  const end = system.indexOf('\n\nGuidelines:', start);
  expect(system.slice(start, end)).toBe(offered?.join('\n'));
});

verifies('K4', 'a tool taken away or given back between two prompts is gone from, or in, the next prompt', async () => {
  const w = await workspace({ '.git/': null });
  const session = w.stream();
  await session.prompt('one');
  await session.command({ type: 'tools', deny: ['bash'] });
  await session.prompt('two');
  await session.command({ type: 'tools' });
  await session.prompt('three');
  await session.end();
  const listed = w.requests().map((request) => /^- bash: /m.test(systemOf(request)));
  expect(listed).toEqual([true, false, true]);
  expect(w.requests().map((request) => toolNamesOf(request).includes('bash'))).toEqual([true, false, true]);
  expect(systemOf(w.requests()[2])).toBe(systemOf(w.requests()[0]));
});

verifies('K5', 'the guidelines are the same whatever tools there are', async () => {
  const w = await workspace({ '.git/': null });
  const all = bulletsOf(await w.systemPrompt(), 'Guidelines:');
  const few = bulletsOf(await w.systemPrompt({ args: ['--tools', 'read'] }), 'Guidelines:');
  expect(all.length).toBeGreaterThanOrEqual(2);
  expect(few).toEqual(all);
});

verifies('K6', 'across midnight the next submission shows the new date, and nothing else differs', async () => {
  const w = await workspace({ '.git/': null, '~/now': '2026-11-30T23:59:30+02:00' });
  const session = w.stream([], { env: { REIN_NOW: `@${w.path('~/now')}` } });
  await session.prompt('one');
  w.write('~/now', '2026-12-01T00:00:10+02:00');
  await session.prompt('two');
  await session.end();
  const [first = '', second = ''] = w.requests().map(systemOf);
  expect(ENVIRONMENT.exec(first)?.slice(1)).toEqual(['2026-11-30', w.project]);
  expect(second).toBe(first.replace('Current date: 2026-11-30', 'Current date: 2026-12-01'));
});

verifies('K6', 'the working directory is the one the program runs in', async () => {
  const w = await workspace({ '.git/': null, 'packages/web/': null });
  const system = await w.systemPrompt({ cwd: 'packages/web' });
  expect(ENVIRONMENT.exec(system)?.[2]).toBe(w.path('packages/web'));
});

verifies(
  'K28',
  'the request is base, append, context and the prompt: nothing of the machine or the past is added',
  async () => {
    const w = await workspace({
      '.git/': null,
      '.kli/APPEND_SYSTEM.md': 'APPENDED',
      'AGENTS.md': 'ROOT',
      'a/AGENTS.md': 'INNER',
      // None of these is a file the model reads.
      'a/b/AGENTS.md': 'BELOW',
      'sibling/AGENTS.md': 'SIBLING',
      'GEMINI.md': 'OTHER',
      'README.md': 'README',
      '.rein/APPEND_SYSTEM.md': 'OTHER HARNESS',
      'a/.kli/APPEND_SYSTEM.md': 'NEARER',
      '~/AGENTS.md': 'HOME',
      '~/.config/rein/AGENTS.md': 'OTHER USER FILE',
    });
    const session = w.stream([], { cwd: 'a' });
    await session.prompt('first');
    await session.prompt('second');
    await session.end();
    const base = await shippedBase(w, 'a');
    const section = contextSection([w.path('AGENTS.md'), 'ROOT'], [w.path('a/AGENTS.md'), 'INNER']);
    expect(w.requests().map(systemOf)).toEqual([`${base}\n\nAPPENDED${section}`, `${base}\n\nAPPENDED${section}`]);
    expect(messagesOf(w.requests()[1])).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'second' },
    ]);
  },
);

verifies('K29', 'forty files of 1 MiB are all sent, whole', async () => {
  const depth = (count: number) => Array.from({ length: count }, (_, index) => `d${index}/`).join('');
  const text = (index: number) => `${index} `.padEnd(1024 * 1024, 'x');
  const files = Array.from({ length: 40 }, (_, index) => [`${depth(index)}AGENTS.md`, text(index)] as const);
  const w = await workspace({ '.git/': null, ...Object.fromEntries(files) });
  const system = await w.systemPrompt({ cwd: depth(39) });
  const expected = contextSection(...files.map(([path, content]) => [w.path(path), content] as const));
  expect(contextOf(system) === expected).toBe(true);
  expect(baseOf(system).length).toBeLessThan(64 * 1024);
});
