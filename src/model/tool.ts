import type { Json } from './wire.ts';

export type JsonSchema = { [key: string]: Json };

/** What the model is offered. */
export type ToolSpec = {
  name: string;
  description: string;
  schema: JsonSchema;
};

export type Effect = 'none' | 'read' | 'write' | 'execute' | 'network';

/** What a call touches: judged by the permissions before it runs. */
export type Subject =
  | { type: 'path'; path: string; access: 'read' | 'write' }
  | { type: 'command'; command: string }
  | { type: 'host'; host: string };

/** A call whose arguments were understood. `executor` names the engine's tool behind the harness's name. */
export type Call = {
  id: string;
  name: string;
  executor: string;
  args: unknown;
};

/** What went wrong with a call, for the model: what, and what to do instead. `code` is stable: 'edit/not-unique'. */
export type ToolFailure = {
  code: string;
  message: string;
  data?: Record<string, unknown>;
};
