import type { Diagnostic } from '../base/index.ts';
import type { Harness } from '../harness/contract/index.ts';
import {
  type Composition,
  isNeeds,
  type Needs,
  type RenderResult,
  type SourceQuery,
  type Turn,
} from '../model/index.ts';
import { TurnError } from './error.ts';
import type { AgentParts } from './parts.ts';

/**
 * A harness may ask for more of the disk, or for a rendering, this many times in one answer: fragments of fragments,
 * links of links. It bounds their depth itself, with a better message; this is for one that does not.
 */
const MAX_ROUNDS = 48;

type Ports = Pick<AgentParts, 'world' | 'templates'>;

/**
 * Asks a pure function of a harness again with what it needs, until it answers. Returns the answer and the turn that it
 * was made from. Throws TurnError turn/needs-unbounded.
 */
export async function answerNeeds<T extends object>(
  ask: (turn: Turn) => T | Needs,
  turn: Turn,
  ports: Ports,
): Promise<{ answer: Exclude<T, Needs>; turn: Turn }> {
  let current = turn;
  let queries: readonly SourceQuery[] = [];
  let rendered: Readonly<Record<string, RenderResult>> = {};
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const answer = ask(current);
    if (!isNeeds(answer)) return { answer: answer as Exclude<T, Needs>, turn: current };
    for (const request of answer.renders ?? []) {
      rendered = { ...rendered, [request.id]: await ports.templates.render(request) };
    }
    if (answer.needs.length > 0) queries = [...queries, ...answer.needs];
    current = { ...turn, rendered, world: await withMore(turn, queries, ports) };
  }
  throw new TurnError(
    'turn/needs-unbounded',
    `the instructions refer to further files more than ${MAX_ROUNDS} levels deep`,
    {
      data: { rounds: MAX_ROUNDS },
    },
  );
}

/** What the looks at the disk that an answer needed had to tell. */
export function foundMeanwhile(answered: { turn: Turn }, asked: Turn): readonly Diagnostic[] {
  return answered.turn.world.diagnostics.slice(asked.world.diagnostics.length);
}

async function withMore({ world }: Turn, queries: readonly SourceQuery[], ports: Ports): Promise<Turn['world']> {
  if (queries.length === 0) return world;
  const { cwd, stack } = world;
  const more = await ports.world.look({ queries, cwd, stack, moment: 'request' });
  return {
    ...world,
    files: [...world.files, ...more.files],
    searched: [...world.searched, ...more.searched],
    diagnostics: [...world.diagnostics, ...more.diagnostics],
  };
}

/** The harness's composition for this turn. */
export async function composeTurn(
  harness: Harness,
  turn: Turn,
  ports: Ports,
): Promise<{ composition: Composition; turn: Turn }> {
  const { answer, turn: composed } = await answerNeeds((current) => harness.compose(current), turn, ports);
  return { composition: answer, turn: composed };
}
