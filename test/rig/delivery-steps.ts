import fc from 'fast-check';

/** A call of the model. `id`: no other call of the sequence has it, nor has the text that it writes. */
export type ModelCall = { id: number } & (
  | { read: string; part: boolean }
  | { write: string }
  | { edit: string }
  | { facet: string }
  | { shell: string }
);

/** What a file that is written from outside is like. */
export type Make = 'plain' | 'link' | 'template' | 'broken' | 'large';

/** What a person may do between two prompts, and what the model does in one. Paths are absolute. */
export type Step =
  | { type: 'write'; path: string; make: Make }
  | { type: 'remove'; path: string }
  | { type: 'prompt'; text: string; batches: readonly (readonly ModelCall[])[] }
  | { type: 'facet'; to: string }
  | { type: 'pushd'; path: string }
  | { type: 'popd' }
  | { type: 'clear' }
  | { type: 'compact' }
  | { type: 'reload' }
  | { type: 'resume' }
  | { type: 'fork' }
  /** To one of the prompts of the branch: a share of their number. */
  | { type: 'rewind'; share: number };

export type HarnessName = 'rein' | 'polytoken';

export const START = '/r/a';
export const LINKED = '/r/a/linked.md';
export const SOURCES: readonly string[] = ['/r/a/x.txt', '/r/a/n/x.txt', '/r/a/n/d/x.txt', '/r/a/b/x.txt'];
/** A file that nothing makes an instruction file. */
const PROSE = '/r/a/notes.md';
/** An instruction file that the model reads and edits too. */
const NESTED = '/r/a/n/AGENTS.md';
const DIRECTORIES = ['/', '/r', '/r/a', '/r/a/n', '/r/a/n/d', '/r/a/b'];
const NAMES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'];

/** Whatever is larger goes out by its path. Bytes. */
export const CAP = 400;
/** Stands once in each file that is written from outside, for edits. */
export const LAST_LINE = 'last line';

/** The text of a file with a mark that no other text has. */
export function textOf(make: Make, mark: string, harness: HarnessName): string {
  const head = `---\n${harness}: true\n---\n`;
  const body = {
    plain: mark,
    link: `${mark} and @${LINKED}`,
    template: `${head}${mark.replace('RULE', '{{ "RULE" }}')}`,
    broken: `${head}${mark} {{ nothing.of_this }}`,
    // No two of the same size.
    large: `${mark} ${'x'.repeat(CAP + Number(mark.slice('RULE-'.length)))}`,
  }[make];
  return `${body}\n${LAST_LINE}\n`;
}

/** Few, so that a sequence comes back to the same file: a member of the chain, one that is found, one that is linked. */
const HOT = ['/r/a/AGENTS.md', NESTED, LINKED];
const RARE = [
  'user',
  'fragment',
  'facet',
  'skill',
  PROSE,
  ...DIRECTORIES.flatMap((at) => NAMES.map((name) => `${at === '/' ? '' : at}/${name}`)),
];
const edited = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...HOT) },
  { weight: 1, arbitrary: fc.constantFrom(...RARE) },
);
const facet = fc.constantFrom('execute', 'plan', 'one');
const id = fc.constant(0);
const call: fc.Arbitrary<ModelCall> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      read: fc.constantFrom(...SOURCES, NESTED, LINKED, PROSE, '/r/a/CLAUDE.md'),
      part: fc.boolean(),
      id,
    }),
  },
  { weight: 1, arbitrary: fc.record({ facet, id }) },
  { weight: 1, arbitrary: fc.record({ shell: fc.constant('true'), id }) },
);
// Alone: what a call beside it would see of the file is a matter of luck.
const change: fc.Arbitrary<ModelCall> = fc.oneof(
  fc.record({ write: fc.constantFrom('/r/a/n/d/GEMINI.md', '/r/a/b/AGENTS.md', '/r/a/CLAUDE.md', NESTED, LINKED), id }),
  fc.record({ edit: fc.constantFrom(NESTED, LINKED), id }),
);
const batch = fc.oneof(
  { weight: 3, arbitrary: fc.array(call, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.tuple(change) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      path: edited,
      make: fc.constantFrom<Make>('plain', 'plain', 'link', 'link', 'template', 'broken', 'large'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), path: edited }) },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant('prompt' as const),
      text: fc.constantFrom('go', 'go on', `read @${LINKED}`, 'use @skill:helper', `@skill:helper with @${LINKED}`),
      batches: fc.array(batch, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('facet' as const), to: facet }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('pushd' as const), path: fc.constantFrom('/r/a/b', '/r/a/n') }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Step>(
      { type: 'popd' },
      { type: 'clear' },
      { type: 'compact' },
      { type: 'reload' },
      { type: 'reload' },
      { type: 'reload' },
      { type: 'resume' },
      { type: 'fork' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('rewind' as const),
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
    }),
  },
);

/** Texts of the model are numbered from here, so that none is one of the person's. */
const FIRST_ID = 1000;

function numbered(steps: readonly Step[]): Step[] {
  let next = FIRST_ID;
  const number = (one: ModelCall): ModelCall => {
    next += 1;
    return { ...one, id: next };
  };
  return steps.map((one) =>
    one.type === 'prompt' ? { ...one, batches: one.batches.map((calls) => calls.map(number)) } : one,
  );
}

/** What there may be from the start: something to edit, to find and to follow. */
const BEFORE: readonly (readonly Make[])[] = [['link', 'plain', 'plain'], ['plain', 'link', 'plain'], []];

function before(makes: readonly Make[]): Step[] {
  return makes.map((make, index) => ({ type: 'write', path: HOT[index] ?? LINKED, make }));
}

export const sequences: fc.Arbitrary<Step[]> = fc
  .tuple(fc.constantFrom(...BEFORE), fc.array(step, { minLength: 3, maxLength: 10, size: 'max' }))
  .map(([makes, steps]) => numbered([...before(makes), ...steps]));

const TOOLS = {
  rein: { read: 'read', edit: 'edit', write: 'write', shell: 'shell', part: { end: 1 }, words: ['old', 'new'] },
  polytoken: {
    read: 'file_read',
    edit: 'file_edit_search_replace',
    write: 'file_write',
    shell: 'shell_exec',
    part: { limit: 1 },
    words: ['search', 'replace'],
  },
} as const;

/** The name of the tool that a call is for. */
export function toolOf(one: ModelCall, harness: HarnessName): string {
  const tools = TOOLS[harness];
  if ('read' in one) return tools.read;
  if ('write' in one) return tools.write;
  if ('edit' in one) return tools.edit;
  return 'shell' in one ? tools.shell : 'switch_facet';
}

/** What an edit puts in the place of the last line. */
export function editedLine(ruleId: number): string {
  return `RULE-${ruleId} ${LAST_LINE}`;
}

export function writtenText(ruleId: number): string {
  return `RULE-${ruleId}\n${LAST_LINE}\n`;
}

function argumentsOf(one: ModelCall, harness: HarnessName): object {
  const { part, words } = TOOLS[harness];
  if ('read' in one) return { path: one.read, ...(one.part ? part : {}) };
  if ('write' in one) return { path: one.write, content: writtenText(one.id) };
  if ('edit' in one) return { path: one.edit, [words[0]]: LAST_LINE, [words[1]]: editedLine(one.id) };
  return 'shell' in one ? { command: one.shell } : { facet: one.facet };
}

/** The script of a model that plays these steps, as JSON, which is YAML too. */
export function scriptOf(steps: readonly Step[], harness: HarnessName): string {
  const prompts = steps.flatMap((one) => (one.type === 'prompt' ? [one] : []));
  return JSON.stringify([
    { when: { purpose: 'compaction' }, text: 'A summary.', repeat: true },
    ...[...prompts, { batches: [] }].flatMap(({ batches }) => [
      ...batches.map((calls) => ({
        calls: calls.map((one) => ({
          id: `call_${one.id}`,
          name: toolOf(one, harness),
          arguments: argumentsOf(one, harness),
        })),
      })),
      { text: 'Done.' },
    ]),
  ]);
}
