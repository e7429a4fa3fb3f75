import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { type Assembled, assemble } from './assemble.ts';

/** What happens before a prompt; the files of the chain may also come into being, or change. */
type Before = { write: '/r/AGENTS.md' | '/r/a/CLAUDE.md' | '/r/a/notes.txt' | null; text: string; resume: boolean };
type Step = { before: Before; prompt: string; batches: readonly number[] };

const before: fc.Arbitrary<Before> = fc.record({
  write: fc.constantFrom('/r/AGENTS.md', '/r/a/CLAUDE.md', '/r/a/notes.txt', null),
  text: fc.constantFrom('one rule', 'another é🙂', '</system-reminder>', '\u2028 lines\r\n'),
  resume: fc.boolean(),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    before,
    prompt: fc.constantFrom('go', 'say \u2028 "it"', '\u{1f642}\n'),
    // Calls of each batch.
    batches: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  }),
  { minLength: 2, maxLength: 4 },
);

/** The scripted model's answers as JSON, which is YAML too. */
function script(taken: readonly Step[]): string {
  const read = { name: 'read', arguments: { path: 'notes.txt' } };
  const replies = taken.flatMap(({ batches }) => [
    ...batches.map((calls) => ({ text: 'I look.', calls: Array.from({ length: calls }, () => read) })),
    { text: 'Done \u{1f642}.' },
  ]);
  return JSON.stringify(replies);
}

type Sent = { body: string; submission: number; rules: string };

/** Plays the steps; each request's body, the submission it belongs to and what the chain's files then held. */
async function play(harness: string, taken: readonly Step[]): Promise<Sent[]> {
  const host = createMemoryHost({
    cwd: '/r/a',
    home: '/u',
    files: { '/r/.git': { directory: true }, '/r/a/notes.txt': 'notes' },
  });
  const options = { harness, model: 'rehearsal/script.json' };
  const sent: Sent[] = [];
  let run: Assembled | null = null;
  for (const [submission, { before: change, prompt }] of taken.entries()) {
    host.clock.advance(5000);
    if (change.write !== null) host.files.put(change.write, { content: change.text, mtimeMs: submission });
    if (run === null || change.resume) {
      // A scripted model that is opened anew begins with its first answer.
      host.files.put('/r/a/script.json', script(taken.slice(submission)));
      run = await open(run, options, host);
    }
    await run.session.send({ type: 'prompt', text: prompt });
    const { log } = run.parts;
    const rules = JSON.stringify([
      host.files.snapshot('/r')['/r/AGENTS.md'],
      host.files.snapshot('/r')['/r/a/CLAUDE.md'],
    ]);
    for (const request of log.requests().slice(sent.length)) {
      sent.push({ body: log.requestBody(request), submission, rules });
    }
  }
  await run?.session.close();
  return sent;
}

async function open(before: Assembled | null, options: object, host: MemoryHost): Promise<Assembled> {
  await before?.session.close();
  const session = before === null ? { type: 'new' as const } : { type: 'resume' as const, id: before.parts.log.id };
  return await assemble({ ...options, session }, host, { sends: true });
}

/** The bytes up to the end of the last message, and those of the tools. */
function stretches(body: string): { messages: string; tools: string } {
  const { messages, tools } = JSON.parse(body) as { messages: unknown[]; tools: unknown };
  const last = JSON.stringify(messages.at(-1));
  const at = body.lastIndexOf(last);
  expect(at).toBeGreaterThan(0);
  const written = JSON.stringify(tools);
  expect(body.slice(at)).toContain(written);
  return { messages: body.slice(0, at + last.length), tools: written };
}

test.each([
  // Everything that changes travels in the history.
  { harness: 'rein', keeps: () => true },
  {
    // Made anew with each request, of what the disk says then; time and listing stay.
    harness: 'kimi-cli',
    keeps: (one: Sent, two: Sent) => one.rules === two.rules,
  },
  // The system prompt is made anew with each submission, of the same bytes where its sources are the same.
  {
    harness: 'kli',
    keeps: (one: Sent, two: Sent) => one.submission === two.submission || one.rules === two.rules,
  },
])(
  '$harness: a request begins with the bytes of the one before, its tools are the same',
  async ({ harness, keeps }) => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const sent = await play(harness, taken);
        expect(sent.length).toBe(taken.reduce((sum, { batches }) => sum + batches.length + 1, 0));
        for (const [index, two] of sent.entries()) {
          const one = sent[index - 1];
          if (one === undefined || !keeps(one, two)) continue;
          const first = stretches(one.body);
          expect(two.body.slice(0, first.messages.length)).toBe(first.messages);
          expect(stretches(two.body).tools).toBe(first.tools);
        }
      }),
      { numRuns: 60 },
    );
  },
  60_000,
);
