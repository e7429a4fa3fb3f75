/**
 * The import table of ARCHITECTURE.md as data. A unit is a folder of `src/` with an `index.ts` that others may import;
 * `host/node` and the like are units inside a layer. `types`: only by `import type`. `lazily`: only by `import()`.
 * What a unit does not list it does not import.
 */
export type Unit = { imports: readonly string[]; types?: readonly string[]; lazily?: readonly string[] };

const ABOVE_HOST = ['base', 'host', 'model'];
const FRONT_ENDS = ['print', 'terminal', 'acp', 'inspect'];
const FRONT_END: Unit = { imports: ['sdk', 'base'], types: ['model'] };

export const UNITS: Readonly<Record<string, Unit>> = {
  base: { imports: [] },
  host: { imports: ['base'] },
  'host/node': { imports: ['base', 'host'] },
  'host/memory': { imports: ['base', 'host'] },
  model: { imports: ['base'] },
  wire: { imports: ABOVE_HOST },
  'wire/rehearsal': { imports: [...ABOVE_HOST, 'wire'] },
  media: { imports: ['base', 'model'] },
  config: { imports: ABOVE_HOST },
  session: { imports: ABOVE_HOST },
  permissions: { imports: ABOVE_HOST },
  discovery: { imports: [...ABOVE_HOST, 'config'] },
  instructions: { imports: ['base', 'model'], types: ['discovery'] },
  'harness/contract': { imports: ['base', 'model', 'tools/contract'] },
  harness: {
    imports: ['base', 'model', 'instructions', 'harness/contract', 'tools/contract'],
    types: ['discovery'],
  },
  'tools/contract': { imports: ABOVE_HOST },
  tools: { imports: [...ABOVE_HOST, 'tools/contract'], types: ['permissions'] },
  mcp: { imports: [...ABOVE_HOST, 'tools/contract'], types: ['permissions'] },
  agent: {
    imports: [...ABOVE_HOST, 'instructions', 'harness/contract', 'session', 'tools/contract', 'permissions'],
  },
  runtime: {
    imports: [
      ...ABOVE_HOST,
      'host/node',
      'wire',
      'wire/rehearsal',
      'media',
      'config',
      'session',
      'permissions',
      'discovery',
      'instructions',
      'harness',
      'harness/contract',
      'tools',
      'tools/contract',
      'mcp',
      'agent',
    ],
  },
  sdk: { imports: ['runtime', 'agent', 'model', 'base'] },
  testing: { imports: ['wire', 'wire/rehearsal', 'model', 'base', 'sdk'], types: ['host'] },
  print: FRONT_END,
  terminal: FRONT_END,
  acp: FRONT_END,
  inspect: FRONT_END,
  cli: { imports: ['base', 'sdk', 'config'], lazily: [...FRONT_ENDS, 'testing'] },
};

/** What a test may import beside what its unit may: the hosts it runs on. */
export const TEST_IMPORTS: readonly string[] = ['host', 'host/memory', 'host/node'];

/** Folders of one layer that never import each other. */
export const SEPARATE: readonly { layer: string; folders: readonly string[] | 'all'; shared: readonly string[] }[] = [
  { layer: 'harness', folders: ['rein', 'kli', 'kimi-cli', 'polytoken'], shared: [] },
  { layer: 'tools', folders: 'all', shared: ['contract'] },
];
