import { inTag, lay } from '../../instructions/index.ts';
import type { Harness } from '../contract/index.ts';
import { wireRefusal } from '../wires.ts';
import { kimiCompaction } from './compaction.ts';
import { composeKimiCli } from './compose.ts';
import { isUnlisted } from './pins.ts';
import { gatePlanMode } from './plan-mode.ts';
import { deniedByPerson, wrapErrors } from './refusals.ts';
import { ENDS_TURN, longestRow, stepCount, withRepeatReminder } from './repeated-calls.ts';
import { kimiSources } from './sources.ts';
import { hasTool, KIMI_SUBAGENTS } from './subagents.ts';
import { taskNotification } from './task-notification.ts';
import { kimiTools } from './tools.ts';

/** Answers with calls in one turn (spec/kimi-cli.md 20). */
const MOST_STEPS = 1000;

/** One template, rendered for each request, over Chat Completions alone (seed 003). */
export const kimiCliHarness: Harness = {
  name: 'kimi-cli',
  wires: {
    // spec/kimi-cli.md 8, in this order after the messages.
    chat: {
      accepted: true,
      shape: {
        fields: [
          ['max_tokens', 32_000],
          ['prompt_cache_key', '$session'],
        ],
        toolsWhenEmpty: 'empty-list',
        trimUserNewlines: true,
        effort: 'folded',
        results: 'parts',
        unanswered: 'drop',
        imageIds: true,
      },
    },
    responses: { accepted: false, error: wireRefusal('responses', 'kimi-cli') },
    messages: { accepted: false, error: wireRefusal('messages', 'kimi-cli') },
  },
  schedule: { parallel: true, identicalCallsOnce: true, onSteer: 'after-batch' },
  sources: ({ settings }) => kimiSources(settings),
  lists: isUnlisted,
  expand: (typed) => ({ parts: [{ type: 'text', text: typed }], reminders: [] }),
  compose: composeKimiCli,
  tools: (turn) => kimiTools(turn),
  gate: gatePlanMode,
  finish: (call, parts, turn, given) => withRepeatReminder(call, given, parts, turn),
  unrun: wrapErrors,
  denied: deniedByPerson,
  afterBatch: () => ({ reminders: [] }),
  notice: (piece) => inTag('system-reminder', lay(piece, 'notice'), '\n'),
  offers: ({ name }, { session, settings }) =>
    hasTool(session, name) && (name !== 'Agent' || settings.startsAgents !== false),
  subagents: KIMI_SUBAGENTS,
  taskEnded: taskNotification,
  compaction: kimiCompaction,
  stop: (turn) => {
    if (longestRow(turn) >= ENDS_TURN) return 'tool_call_repeat';
    return stepCount(turn) >= MOST_STEPS ? 'max_steps' : null;
  },
};
