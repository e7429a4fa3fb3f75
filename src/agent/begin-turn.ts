import type { SessionState, Turn, World, WorldLook } from '../model/index.ts';
import { workingDirectory } from '../model/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';
import { narrowTools, toToolSpec } from './narrow-tools.ts';
import type { AgentParts } from './parts.ts';
import { type ModelInUse, modelInUse } from './wished-model.ts';

/** A turn as the harness sees it, with the model and the tools of its next request. */
export type Equipped = { turn: Turn; faces: readonly ToolFace[]; used: ModelInUse };

/** What the harness wants to know of the disk now. */
export async function lookAround(
  parts: AgentParts,
  state: SessionState,
  moment: WorldLook['moment'],
  typed?: string,
): Promise<World> {
  const settings = parts.settings(parts.harness.name);
  const queries = parts.harness.sources({ settings, session: state, ...(typed === undefined ? {} : { typed }) });
  return parts.world.look({
    queries,
    cwd: workingDirectory(state),
    stack: state.directories,
    moment,
    ...(parts.harness.lists?.(state) === true ? { listing: true } : {}),
  });
}

/** A turn whose submission is this moment. */
export async function beginTurn(
  parts: AgentParts,
  session: SessionState,
  world: World,
  reason: Turn['reason'],
): Promise<Equipped> {
  const settings = parts.settings(parts.harness.name);
  const used = await modelInUse(parts, { world, session, settings });
  const now = await parts.clock.now();
  const model = used.model.info;
  const submission = { startedAt: now, world, model, tools: [] };
  const base = { world, session, model, settings, submission, now, agent: agentOf(session), reason };
  const faces = narrowTools(parts.harness, base, parts.onlyTools);
  const tools = faces.map(toToolSpec);
  return { turn: { ...base, tools, submission: { ...submission, tools } }, faces, used };
}

function agentOf({ header }: SessionState): Turn['agent'] {
  return header.spawnedBy === null ? { role: 'root' } : { role: 'subagent', name: header.spawnedBy.agent };
}

/** The same submission with what is so now. */
export async function carryOnTurn(
  parts: AgentParts,
  previous: Turn,
  session: SessionState,
  world: World,
  reason: Turn['reason'],
): Promise<Equipped> {
  const { prompt: _answered, resumed: _told, ...rest } = previous;
  const settings = parts.settings(parts.harness.name);
  const used = await modelInUse(parts, { world, session, settings });
  const base = { ...rest, world, session, settings, model: used.model.info, now: await parts.clock.now(), reason };
  const faces = narrowTools(parts.harness, base, parts.onlyTools);
  return { turn: { ...base, tools: faces.map(toToolSpec) }, faces, used };
}
