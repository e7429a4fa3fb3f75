import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBlank, sha256 } from '../base/index.ts';
import { createMemoryHost, type MemoryHost, type MemoryHostOptions } from '../host/memory/index.ts';
import { assemble } from './assemble.ts';
import { readContext } from './context.ts';

type Tree = NonNullable<MemoryHostOptions['files']>;
type Entry = Tree[string];

const CAP = 2 * 1024 * 1024;
const SCRIPT = '- { text: one }\n- { text: two }\n- { text: three }\n';
const DIRECTORIES = [
  '/',
  '/r',
  '/r/.kli',
  '/r/.rein',
  '/r/a',
  '/r/a/.kli',
  '/r/a/b',
  '/u/.config/kli',
  '/u/.config/rein',
];
const NAMES = [
  'AGENTS.md',
  'AGENTS.MD',
  'CLAUDE.md',
  'agents.md',
  'GEMINI.md',
  'SYSTEM.md',
  'APPEND_SYSTEM.md',
  '.kimi/AGENTS.md',
  '.kimi/skills/a/SKILL.md',
  '.git',
];
const PATHS = DIRECTORIES.flatMap((directory) => NAMES.map((name) => `${directory === '/' ? '' : directory}/${name}`));

const HARNESSES = ['kli', 'rein', 'polytoken', 'kimi-cli'];

/** The key of a session that is not there yet is not known before. */
const keyless = (body: string | undefined): string | undefined =>
  body?.replace(/"prompt_cache_key":"[^"]*"/, '"prompt_cache_key":""');

const sized = fc
  .record({ over: fc.integer({ min: -1, max: 1 }), filler: fc.constantFrom('x', 'é') })
  .map(({ over, filler }): Entry => Buffer.alloc(CAP + over, filler));
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) as fc.Arbitrary<Entry> },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Entry>('', ' \n\t', '</system-reminder>\n# x', '${KIMI_NOW} $& {{ x }}', '\ufeffBOM'),
  },
  { weight: 2, arbitrary: fc.constantFrom(...PATHS, '/nowhere').map((link): Entry => ({ link })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Entry>({ fifo: true }, { directory: true }, 'gitdir: /main/.git/worktrees/r'),
  },
  { weight: 1, arbitrary: fc.constantFrom<Entry>(Uint8Array.of(0xff, 0xfe, 0x41, 0x00), Uint8Array.of(0xc3, 0x28)) },
  { weight: 1, arbitrary: fc.constant<Entry>({ content: 'open to all', mode: 0o666 }) },
  { weight: 1, arbitrary: sized },
);
// A blank message is refused, by the preview and by the session alike.
const prompts = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !isBlank(text));
const trees = fc.dictionary(fc.constantFrom(...PATHS), entry, { maxKeys: 12 });

function hostOf(tree: Tree, cwd: string): MemoryHost {
  const files = { ...tree, [`${cwd}/script.yaml`]: SCRIPT };
  return createMemoryHost({ files, cwd, home: '/u' });
}

test('a preview is byte for byte the request that the next prompt sends, in a fresh and in a running session', async () => {
  const cases = fc.record({
    tree: trees,
    cwd: fc.constantFrom('/r', '/r/a', '/r/a/b'),
    harness: fc.constantFrom(...HARNESSES),
  });
  await fc.assert(
    fc.asyncProperty(cases, prompts, async ({ tree, cwd, harness }, prompt) => {
      const host = hostOf(tree, cwd);
      const options = { harness, model: 'rehearsal/script.yaml' };
      const before = await readContext({ ...options, prompt }, host);
      const { session, parts } = await assemble(options, host, { sends: true });
      await session.send({ type: 'prompt', text: prompt });
      const [first] = parts.log.requests();
      expect(first && keyless(parts.log.requestBody(first))).toBe(keyless(before.body));
      await session.send({ type: 'prompt', text: 'second' });
      await session.close();
      const again = { ...options, session: { type: 'resume' as const, id: parts.log.id } };
      const later = await readContext({ ...again, prompt }, host);
      const resumed = await assemble(again, host, { sends: true });
      await resumed.session.send({ type: 'prompt', text: prompt });
      const last = resumed.parts.log.requests().at(-1);
      expect(last && resumed.parts.log.requestBody(last)).toBe(later.body);
      await resumed.session.close();
    }),
    { numRuns: 150 },
  );
}, 60_000);

test('every byte of a previewed system prompt lies in one piece or in a separator', async () => {
  await fc.assert(
    fc.asyncProperty(trees, fc.constantFrom(...HARNESSES), async (tree, harness) => {
      const { report } = await readContext({ harness }, hostOf(tree, '/r/a'));
      const spans = report.pieces
        .flatMap((piece) => piece.at.filter((span) => span.in === 'system').map((span) => ({ ...span, piece })))
        .sort((left, right) => left.start - right.start || left.end - right.end);
      const system = Buffer.from(report.system, 'utf8');
      let end = 0;
      for (const span of spans) {
        expect(span.start).toBeGreaterThanOrEqual(end);
        expect(span.end - span.start).toBe(span.piece.bytes);
        expect(sha256(system.subarray(span.start, span.end))).toBe(span.piece.sha256);
        end = span.end;
      }
      expect(end).toBeLessThanOrEqual(system.length);
      expect(spans.length).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
}, 60_000);

test('a preview of a blank message is refused, as the message would be', async () => {
  await expect(readContext({ prompt: ' \n' }, hostOf({}, '/r'))).rejects.toMatchObject({
    code: 'context/blank-prompt',
  });
});
