import { lay } from '../../instructions/index.ts';
import type { Harness } from '../contract/index.ts';
import { chatOnly } from '../wires.ts';
import { kliCompaction } from './compaction.ts';
import { composeKli } from './compose.ts';
import { kliSources } from './sources.ts';
import { kliTools } from './tools.ts';

/** kli: all instructions in the system prompt, rebuilt for every submission (seed 000). */
export const kliHarness: Harness = {
  name: 'kli',
  wires: chatOnly('kli', { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false }),
  // spec/kli.md 9.9 and 16.5.
  schedule: { parallel: false, identicalCallsOnce: false, onSteer: 'skip-rest' },
  sources: ({ settings }) => kliSources(settings),
  expand: (typed) => ({ parts: [{ type: 'text', text: typed }], reminders: [] }),
  compose: composeKli,
  tools: ({ settings }) => kliTools(settings),
  gate: () => 'pass',
  finish: (_call, parts) => parts,
  afterBatch: () => ({ reminders: [] }),
  // kli marks nothing in the history.
  notice: (piece) => lay(piece, 'notice'),
  stop: () => null,
  compaction: kliCompaction,
};
