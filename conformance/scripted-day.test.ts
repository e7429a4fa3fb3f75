import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { reply } from '../src/testing/index.ts';
import { summaries } from './rig/compaction.ts';
import { FACETED, skillFile } from './rig/faceted.ts';
import type { StreamSession } from './rig/stream-session.ts';
import { type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

type Row = { id: string; kind: string; status: string; reason: string | null; placement: string };

/** What the model knows at a request, and what was left out: a line each, in the order of the request. */
function known(w: Workspace, stdout: string): string {
  const { pieces } = JSON.parse(stdout) as { pieces: Row[] };
  const shown = (text: string): string =>
    text
      .replaceAll(w.project, '/repo')
      .replaceAll(w.home, '~')
      .replace(/event \w+/g, 'event …');
  return pieces
    .filter(({ placement }) => placement !== 'tools')
    .map(({ id, kind, status, reason, placement }) => {
      const why = reason === null ? '' : `: ${shown(reason)}`;
      return `${placement.padEnd(11)} ${kind.padEnd(13)} ${shown(id)}  ${status}${why}`;
    })
    .join('\n');
}

class Day {
  turns = 0;
  readonly #w: Workspace;
  #session: StreamSession;
  /** Of the last copy. */
  #id = '';

  constructor(w: Workspace) {
    this.#w = w;
    this.#session = w.stream(['--facet', 'plan']);
  }

  async prompt(text: string): Promise<void> {
    this.turns += 1;
    await this.#session.prompt(text);
  }

  async idle(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await this.prompt(`turn ${this.turns + 1}`);
  }

  async command(command: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#session.carryOut(command);
  }

  async compact(): Promise<void> {
    expect(await this.command({ type: 'compact' })).toMatchObject({ compacted: true });
  }

  /** Goes on in a copy. */
  async fork(): Promise<void> {
    const { session: id } = (await this.command({ type: 'fork' })) as { session: string };
    await this.#session.end();
    this.#id = id;
    this.#session = this.#w.stream(['--resume', id]);
  }

  /** The program is killed; the session is taken up again. */
  async crash(): Promise<void> {
    this.#session.kill();
    await this.#session.ended;
    this.#session = this.#w.stream(['--resume', this.#id]);
  }

  async end(): Promise<string> {
    await this.#session.end();
    return this.#id;
  }
}

for (const { harness, inside, call } of FACETED) {
  verifies(
    ['P49', 'P53', 'P37', 'P35', 'P48'],
    `${harness}: a day of 200 turns, 6 compactions, 3 forks and 2 crashes ends with what the model should know`,
    async () => {
      const calls = (
        ...made: (readonly [string, Readonly<Record<string, unknown>>])[]
      ): ReturnType<typeof reply.calls> => reply.calls(made.map(([name, args]) => ({ name, arguments: { ...args } })));
      const on = (text: string, ...made: (readonly [string, Readonly<Record<string, unknown>>])[]) => ({
        ...calls(...made),
        when: { text },
      });
      const todo =
        harness === 'rein'
          ? (['todo', { todos: [{ title: 'write the parser', status: 'pending' }] }] as const)
          : (['todo_create', { title: 'write the parser' }] as const);
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md': 'ROOT RULES, see @style.md',
          'style.md': 'STYLE RULES',
          'src/AGENTS.md': 'SOURCE RULES',
          'src/x.txt': 'x',
          'test/AGENTS.md': 'TEST RULES',
          'test/x.txt': 'x',
          'untouched/AGENTS.md': 'NEVER SEEN',
          [`${inside}/skills/notes/SKILL.md`]: skillFile('notes', 'Takes notes.', 'NOTES TEXT'),
        },
        {
          harness,
          replies: [
            summaries('What happened so far.'),
            on('look into src', call.read('src/x.txt'), todo),
            on('look into test', call.read('test/x.txt')),
            on('write the plan', ['write_plan', { plan: '1. Parse.\n2. Test.\n3. Release, and tell those who wait.' }]),
            on('change the plan', ['edit_plan', { edits: [{ old: '2. Test.', new: '2. Test twice.' }] }]),
            { text: 'ok', repeat: true },
          ],
        },
      );
      const day = new Day(w);
      await day.prompt('look into src');
      await day.prompt('@skill:notes begin');
      await day.idle(28);
      await day.compact();
      await day.prompt('write the plan');
      await day.idle(29);
      await day.fork();
      await day.prompt('change the plan');
      await day.idle(19);
      await day.compact();
      await day.idle(20);
      await day.crash();
      await day.prompt('look into test');
      await day.compact();
      await day.idle(29);
      await day.fork();
      await day.compact();
      await day.idle(30);
      await day.crash();
      await day.idle(10);
      await day.compact();
      await day.fork();
      await day.idle(25);
      await day.compact();
      await day.idle(200 - day.turns - 1);
      await day.prompt('the last one');
      expect(day.turns).toBe(200);
      const id = await day.end();
      const file = w.sessionFiles().find((path) => path.endsWith(`${id}.jsonl`)) ?? '';
      const count = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"type":"request"')).length;
      const lines = (await w.run(['context', '--session', id, '--request', String(count), '--json'])).stdout;
      await expect(`${known(w, lines)}\n`).toMatchFileSnapshot(`./goldens/scripted-day-${harness}.txt`);
      expect(w.server.failures()).toEqual([]);
    },
    120_000,
  );
}
