import type { Part } from './part.ts';

/** What front ends may ask for. `tag` comes back on what the command causes. */
export type Command = { tag?: string } & CommandBody;

export type CommandBody =
  | { type: 'prompt'; text: string; parts?: Part[] }
  | { type: 'steer'; text: string }
  | { type: 'abort' }
  | { type: 'answer'; id: string; value: unknown; feedback?: string }
  | { type: 'facet' | 'model' | 'effort' | 'permission-mode'; to: string }
  | { type: 'harness'; to: string; new?: boolean }
  | { type: 'tools'; allow?: string[]; deny?: string[] }
  | { type: 'compact'; guidance?: string }
  | { type: 'clear' }
  | { type: 'reload' }
  | { type: 'rewind'; to: string }
  | { type: 'fork'; at?: string }
  | { type: 'title'; text: string }
  | { type: 'end' };

export type CommandType = CommandBody['type'];
