import { nearest, UsageError } from '../base/index.ts';
import type { Harness } from './contract/index.ts';

/** built: it can be chosen. elsewhere: another program's. */
export type HarnessEntry = { name: string; status: 'built' | 'elsewhere'; summary: string };

export const DEFAULT_HARNESS: string = 'rein';

/** The built ones first, in the order in which they are shown. Ids known elsewhere: spec/kimi-cli.md 1.1. */
export const HARNESS_CATALOGUE: readonly HarnessEntry[] = [
  { name: 'rein', status: 'built', summary: 'the facet in the system prompt, instruction files in the history' },
  { name: 'kli', status: 'built', summary: 'everything in the system prompt, rebuilt on every submission' },
  { name: 'polytoken', status: 'built', summary: 'the same placement with the places and tools of Polytoken' },
  {
    name: 'kimi-cli',
    status: 'built',
    summary:
      'one rendered template in the system prompt, for Chat Completions alone: the legacy profile of the retired Kimi CLI',
  },
  ...[
    'claude-code',
    'claude-code-bare',
    'deepseek-tui',
    'kimi-code',
    'little-coder',
    'mini-swe-agent',
    'minimal',
    'opencode',
    'pi',
    'qwen-code',
    'swe-agent',
    'terminus-2',
    'zcode',
  ].map(
    (name): HarnessEntry => ({
      name,
      status: 'elsewhere',
      summary: name === 'kimi-code' ? 'the profile to take for new Kimi sessions' : 'known from other programs',
    }),
  ),
];

// One door each: only the chosen harness is loaded.
const BUILT: Readonly<Record<string, () => Promise<Harness>>> = {
  rein: async () => (await import('./rein/harness.ts')).reinHarness,
  kli: async () => (await import('./kli/harness.ts')).kliHarness,
  polytoken: async () => (await import('./polytoken/harness.ts')).polytokenHarness,
  'kimi-cli': async () => (await import('./kimi-cli/harness.ts')).kimiCliHarness,
};

function builtNames(): string {
  return HARNESS_CATALOGUE.filter(({ status }) => status === 'built')
    .map(({ name }) => name)
    .join(', ');
}

function refusal(name: string): UsageError {
  const entry = HARNESS_CATALOGUE.find((known) => known.name === name);
  if (entry !== undefined) {
    return new UsageError(
      'harness/not-built',
      `harness "${name}" belongs to another program; there are: ${builtNames()}`,
      {
        data: { name },
      },
    );
  }
  const near = nearest(
    name,
    HARNESS_CATALOGUE.filter(({ status }) => status !== 'elsewhere').map((known) => known.name),
  );
  const shown = JSON.stringify(name.slice(0, 100));
  const hint = near === undefined ? `there are: ${builtNames()}` : `did you mean "${near}"?`;
  return new UsageError('harness/unknown', `unknown harness ${shown}; ${hint}`, {
    data: { name, nearest: near ?? null },
  });
}

/** The harness of that name, loaded now. UsageError: harness/unknown, with the nearest name; harness/not-built. */
export async function findHarness(name: string): Promise<Harness> {
  const load = Object.hasOwn(BUILT, name) ? BUILT[name] : undefined;
  if (load === undefined) throw refusal(name);
  return load();
}
