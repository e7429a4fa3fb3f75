import { expect, test } from 'vitest';
import { session, turn } from '../test-scenario.ts';
import { kliHarness } from './harness.ts';

test('kli looks for four names from the directory to the repository root, and for its two files in .kli, then at home', () => {
  const rest = {
    match: 'exact',
    perDirectory: 'first',
    dedupe: 'real-path',
    cap: 2_097_152,
    decode: 'sniff',
    followStubs: false,
    refresh: 'turn',
    writableByOthers: 'notice',
  };
  const override = {
    ...rest,
    places: [
      { at: 'project', inside: '.kli', scope: 'project', reportNearer: true },
      { at: 'directory', path: '/home/ada/.config/kli', scope: 'user' },
    ],
    order: 'listed',
    take: 'first',
    overCap: 'skip',
    blank: 'absent',
  };
  expect(kliHarness.sources({ settings: turn().settings, session: session() })).toEqual([
    {
      ...rest,
      kind: 'context-file',
      names: ['AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'],
      places: [
        { at: 'directory', path: '/home/ada/.config/kli', scope: 'user' },
        { at: 'walk', to: 'repository' },
      ],
      order: 'outermost-first',
      take: 'all',
      overCap: 'next-name',
      blank: 'present',
    },
    { ...override, kind: 'override', names: ['SYSTEM.md'] },
    { ...override, kind: 'append', names: ['APPEND_SYSTEM.md'] },
  ]);
});
