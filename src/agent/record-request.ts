import type { PreparedRequest, RequestEvent } from '../model/index.ts';
import type { AgentParts } from './parts.ts';
import type { Prepared } from './submission.ts';

/** Logs a request before it is sent: its exact body, and which piece each stretch of its instructions is. */
export function recordRequest(parts: AgentParts, prepared: Prepared, request: PreparedRequest): RequestEvent {
  const { log, model } = parts;
  const { provider, id, wire } = model.port.info;
  return log.recordRequest(
    {
      purpose: 'turn',
      harness: parts.harness.name,
      wire,
      provider,
      model: id,
      ...(parts.effort === null ? {} : { effort: parts.effort }),
      system: log.toLayout(prepared.composition.system),
      tools: prepared.faces.map(({ name, description }) => ({ name, description: log.toLayout(description) })),
    },
    request.body,
  );
}
