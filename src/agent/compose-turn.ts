import type { Harness, WorldPort } from '../harness/contract/index.ts';
import { type Composition, isNeeds, type SourceQuery, type Turn, type World } from '../model/index.ts';
import { TurnError } from './error.ts';

/** A harness may ask for more of the disk this many times in one composition: fragments of fragments, links of links. */
const MAX_ROUNDS = 8;

/**
 * Asks a pure function of a harness again with what it needs, until it answers. Returns the answer and the turn whose
 * world it was made from. Throws TurnError turn/needs-unbounded.
 */
export async function answerNeeds<T extends object>(
  ask: (turn: Turn) => T | { needs: readonly SourceQuery[] },
  turn: Turn,
  look: (queries: readonly SourceQuery[]) => Promise<World>,
): Promise<{ answer: T; turn: Turn }> {
  let current = turn;
  let queries: readonly SourceQuery[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const answer = ask(current);
    if (!isNeeds(answer)) return { answer: answer as T, turn: current };
    queries = [...queries, ...answer.needs];
    const more = await look(queries);
    current = { ...turn, world: { ...turn.world, files: [...turn.world.files, ...more.files] } };
  }
  throw new TurnError(
    'turn/needs-unbounded',
    `the instructions refer to further files more than ${MAX_ROUNDS} levels deep`,
    {
      data: { rounds: MAX_ROUNDS },
    },
  );
}

/** The harness's composition for this turn. */
export async function composeTurn(
  harness: Harness,
  turn: Turn,
  world: WorldPort,
): Promise<{ composition: Composition; turn: Turn }> {
  const look = (queries: readonly SourceQuery[]): Promise<World> =>
    world.look({ queries, cwd: turn.world.cwd, stack: turn.world.stack, moment: 'request' });
  const { answer, turn: composed } = await answerNeeds((current) => harness.compose(current), turn, look);
  return { composition: answer as Composition, turn: composed };
}
