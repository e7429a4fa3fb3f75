import { expect, test } from 'vitest';
import { session, turn } from '../test-scenario.ts';
import { reinHarness } from './harness.ts';

function queries(own: Record<string, unknown> = {}): ReturnType<typeof reinHarness.sources> {
  return reinHarness.sources({ settings: turn({ settings: { own } }).settings, session: session() });
}

test('rein looks for its chain from the user’s directory to the working directory, and for its two files in .rein, then at home', () => {
  const rest = {
    perDirectory: 'first',
    dedupe: 'real-path',
    blank: 'absent',
    decode: 'sniff',
    followStubs: true,
    writableByOthers: 'skip',
  };
  const override = {
    ...rest,
    match: 'exact',
    places: [
      { at: 'project', inside: '.rein', scope: 'project', reportNearer: true },
      { at: 'directory', path: '/home/ada/.config/rein', scope: 'user' },
    ],
    order: 'listed',
    take: 'first',
    cap: 2_097_152,
    overCap: 'skip',
    refresh: 'startup',
  };
  expect(queries()).toEqual([
    {
      ...rest,
      kind: 'context-file',
      names: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
      match: 'any-case',
      places: [
        { at: 'directory', path: '/home/ada/.config/rein', scope: 'user' },
        { at: 'walk', to: 'file-system' },
        { at: 'stack' },
      ],
      order: 'outermost-first',
      take: 'all',
      cap: 65_536,
      overCap: 'path-only',
      refresh: 'turn',
    },
    { ...override, kind: 'override', names: ['SYSTEM.md'] },
    { ...override, kind: 'append', names: ['APPEND_SYSTEM.md'] },
  ]);
});

test('the largest body is a setting; what is no size counts as not set', () => {
  const caps = [
    { max_file_bytes: 100 },
    { max_file_bytes: 0 },
    { max_file_bytes: -1 },
    { max_file_bytes: '9' },
    {},
  ].map((own) => queries(own)[0]?.cap);
  expect(caps).toEqual([100, 0, 65_536, 65_536, 65_536]);
});
