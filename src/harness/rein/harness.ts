import type { Harness } from '../contract/index.ts';
import { chatOnly } from '../wires.ts';
import { composeRein } from './compose.ts';
import { reinNotice } from './reminders.ts';
import { reinSources } from './sources.ts';
import { reinTools } from './tools.ts';

/** rein: a system prompt that does not change in a conversation; instruction files in the history. */
export const reinHarness: Harness = {
  name: 'rein',
  wires: chatOnly('rein', { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false }),
  schedule: { parallel: true, identicalCallsOnce: false, onSteer: 'after-batch' },
  sources: ({ settings }) => reinSources(settings),
  expand: (typed) => ({ parts: [{ type: 'text', text: typed }], reminders: [] }),
  compose: composeRein,
  tools: ({ settings }) => reinTools(settings),
  gate: () => 'pass',
  finish: (_call, parts) => parts,
  afterBatch: () => ({ reminders: [] }),
  notice: reinNotice,
  stop: () => null,
};
