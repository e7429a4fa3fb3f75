import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createNodeHost } from '../src/host/node/index.ts';
import { createSessionStore, makeCheckpoint, type SessionLog } from '../src/session/index.ts';
import { answer, FOLDS, laidOf, prompt, resultOf } from '../test/rig/session-rig.ts';
import { messagesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const MEGABYTE = 1024 * 1024;
const OUTPUT = `${'A line of output that somebody asked for once.\n'.repeat(50)}`;
const HEAP = '--max-old-space-size=512';
const PEAK = join(import.meta.dirname, '../bench/record-peak.cjs');

function outputOf(index: number): string {
  return `output ${index}\n${OUTPUT.repeat(Math.ceil((2 * MEGABYTE) / OUTPUT.length))}`;
}

/** A turn: a prompt, an answer that calls a tool, what the tool said, and the end. */
function takeTurn(log: SessionLog, index: number, text = outputOf(index)): void {
  log.append(prompt(`question ${index}`));
  const call = answer(log, [{ type: 'call', id: `call${index}`, name: 'read', arguments: '{"path":"big.txt"}' }]);
  log.append({ ...resultOf(call.id, `call${index}`), parts: [{ type: 'text', text }] } as Parameters<
    typeof log.append
  >[0]);
  answer(log, [{ type: 'text', text: `answer ${index}` }]);
  log.append({ type: 'turn-end', stop: 'end' });
}

function compact(log: SessionLog): void {
  log.append({
    type: 'compaction',
    kind: 'text',
    why: 'threshold',
    summary: log.toLayout(laidOf('What was before.', 'summary')),
    keptFrom: log.recent().at(-1)?.id ?? '',
    todos: [],
    skills: [],
    files: [],
    checkpoint: makeCheckpoint(log.state()),
  });
}

/** 500 MB of outputs of 2 MB, compacted on the way and once more near the end. */
async function longSession(w: Workspace): Promise<{ id: string; path: string }> {
  const directory = join(w.home, '.local/state/rein/sessions');
  const store = createSessionStore({ host: createNodeHost(), directory, folds: FOLDS });
  const log = store.create({ cwd: w.project, projectRoot: w.project, program: 'test' });
  await log.begin();
  log.note({ type: 'title', text: 'A long day' });
  for (let index = 0; index < 250; index += 1) {
    takeTurn(log, index);
    if (index % 50 === 44) compact(log);
  }
  compact(log);
  takeTurn(log, 250, 'a short output');
  await log.close();
  return { id: log.id, path: log.path ?? '' };
}

verifies(
  'C69',
  'a session of 500 MB is listed by its ends and resumed in bounded memory, with the context that its late compaction left',
  async () => {
    const w = await workspace({ '.git/': null }, { harness: 'rein' });
    const { id, path } = await longSession(w);
    expect(statSync(path).size).toBeGreaterThan(500 * MEGABYTE);
    const peak = async (args: readonly string[]): Promise<{ stdout: string; megabytes: number; ms: number }> => {
      const started = performance.now();
      const env = { NODE_OPTIONS: `${HEAP} --require ${PEAK}`, REIN_PEAK: w.path('~/peak') };
      const { code, stdout, stderr } = await w.run(args, { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const megabytes = Number(readFileSync(w.path('~/peak'), 'utf8')) / 1024;
      return { stdout, megabytes, ms: performance.now() - started };
    };

    const listed = await peak(['sessions']);
    expect(listed.stdout).toMatch(new RegExp(`^${id}  .*MB  A long day\n$`));
    expect(listed.megabytes).toBeLessThan(150);

    // Without the table of lines, as where no run came to its end, and with the one that the first round leaves.
    rmSync(path.replace('.jsonl', '.lines'));
    for (const round of ['first', 'second']) {
      const resumed = await peak(['-p', '--resume', id.slice(0, 12), `the ${round} question after all`]);
      expect(resumed.megabytes).toBeLessThan(250);
      const contents = messagesOf(w.requests().at(-1)).map(({ content }) => content);
      expect(contents.at(-1)).toBe(`the ${round} question after all`);
      expect(contents.filter((content) => content !== null && content.length > MEGABYTE)).toEqual([]);
      expect(contents).toContain('question 250');
      expect(contents).toContain('a short output');
      expect(contents[0]).toContain('What was before.');
    }
    const bodies = w.requests().map(({ body }) => Buffer.byteLength(body));
    expect(Math.max(...bodies)).toBeLessThan(100_000);
  },
);
