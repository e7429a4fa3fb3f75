import { reportContext } from '../instructions/index.ts';
import {
  type ContextReport,
  type Message,
  modelName,
  type Piece,
  type RequestEvent,
  workingDirectory,
} from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import type { AgentParts } from './parts.ts';
import type { Preview } from './preview.ts';
import { readBody } from './read-body.ts';

/** What the previewed request is made of. What it would write is pending; the rest is in the session already. */
export function explainPreview(parts: AgentParts, preview: Preview): ContextReport {
  const { log, prepared } = preview;
  const { model, turn } = prepared;
  const { world } = turn;
  const known = new Set(parts.log.recent().map(({ id }) => id));
  return reportContext({
    harness: parts.harness.name,
    facet: parts.harness.facets?.(turn).active ?? null,
    model: model.info === null ? null : modelName(model.info),
    wire: model.port.info.wire,
    cwd: world.cwd,
    projectRoot: world.projectRoot,
    system: prepared.composition.system,
    tools: prepared.faces,
    messages: log.state().history,
    pending: ({ event }) => !known.has(event),
    encoded: readBody(preview.body.join('')).messages,
    pieceOf: (ref) => log.piece(ref),
    omitted: omittedIn(log, log.state().history),
    world,
    diagnostics: [...parts.diagnostics, ...prepared.diagnostics, ...prepared.composition.diagnostics],
    placeholders: placeholders(parts, preview),
  });
}

/** What reminders of this context left out, as the log has it. */
function omittedIn(log: SessionLog, messages: readonly Message[]): { piece: Piece; why: string }[] {
  return messages.flatMap(({ event }) => {
    const said = log.event(event);
    if (said?.type !== 'reminder') return [];
    return (said.omitted ?? []).flatMap(({ piece: ref, why }) => {
      const piece = log.piece(ref);
      return piece === undefined ? [] : [{ piece, why }];
    });
  });
}

function placeholders(parts: AgentParts, { prepared, body }: Preview): ContextReport['placeholders'] {
  const found: ContextReport['placeholders'] = [];
  if (prepared.model.info === null) {
    found.push({ name: 'model', value: prepared.model.port.info.id, why: 'no model is configured' });
  }
  if (body.join('').includes(parts.log.id) && parts.log.state().leaf === null) {
    found.push({ name: 'session', value: parts.log.id, why: 'the session gets its own id when it begins' });
  }
  for (const { name, value } of prepared.composition.pins) {
    found.push({ name, value, why: 'frozen when the conversation begins' });
  }
  return found;
}

/** A facet that nobody chose has no name in the log. */
function facetOf(log: SessionLog, event: RequestEvent): string | null {
  const hasFacet = log.fromLayout(event.system).some((item) => 'piece' in item && item.piece.kind === 'facet');
  return hasFacet ? log.stateAt(event.parentId).choices.facet : null;
}

/** What a stored request was made of, from the log alone: its pieces as they were then. */
export function explainRequest(log: SessionLog, event: RequestEvent): { report: ContextReport; body: string } {
  const body = log.requestBody(event);
  const { messages, schemas } = readBody(body);
  const state = log.stateAt(event.parentId);
  const report = reportContext({
    harness: event.harness,
    facet: facetOf(log, event),
    model: `${event.provider}/${event.model}`,
    wire: event.wire,
    cwd: workingDirectory(state),
    projectRoot: log.header.projectRoot,
    system: log.fromLayout(event.system),
    tools: event.tools.map(({ name, description }) => ({
      name,
      description: log.fromLayout(description),
      schema: schemas.get(name) ?? {},
    })),
    messages: state.history,
    pending: () => false,
    encoded: messages,
    pieceOf: (ref) => log.piece(ref),
    omitted: omittedIn(log, state.history),
    world: null,
    diagnostics: log.diagnostics,
    placeholders: [],
  });
  return { report, body };
}
