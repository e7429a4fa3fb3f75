import type { Command, Reminder, StreamEvent } from '../../model/index.ts';
import type { AgentParts } from '../parts.ts';
import type { TurnEnd } from '../run-turn.ts';

/** The session of a subagent, as its caller drives it. */
export interface ChildSession {
  readonly parts: AgentParts;
  subscribe(listener: (event: StreamEvent) => void): () => void;
  send(command: Command): Promise<void>;
  /** One turn on a word of the caller. Null: it came to none. */
  ask(text: string): Promise<TurnEnd | null>;
  /** One turn on what the program has to say. */
  tell(reminders: readonly Reminder[]): Promise<TurnEnd | null>;
  /** Until nothing runs beside it that it would be told of. */
  settle(limitMs: number): Promise<void>;
  /** How its last turn ended. */
  readonly last: TurnEnd | null;
  abort(): void;
  close(): Promise<void>;
}
