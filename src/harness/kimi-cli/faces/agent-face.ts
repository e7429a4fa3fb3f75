import type { Json, ToolFailure } from '../../../model/index.ts';
import type { AgentArgs, AgentValue, ToolFace } from '../../../tools/contract/index.ts';
import { resultText } from '../../faces/job-text.ts';
import description from '../descriptions/agent.md';
import type { KimiResult } from '../tool-result.ts';
import { nullable } from './kimi-arguments.ts';
import { kimiFace } from './kimi-face.ts';

type Given = {
  description: string;
  prompt: string;
  subagent_type: string;
  model: string | null;
  resume: string | null;
  run_in_background: boolean;
  timeout: number | null;
};

/** Seconds that an agent in the background has where the call does not say. */
const BACKGROUND_SECONDS = 900;

function toArgs(given: Readonly<Record<string, Json>>): { args: AgentArgs } | { error: ToolFailure } {
  const {
    description: what,
    prompt,
    subagent_type: agent,
    model,
    resume,
    run_in_background: beside,
    timeout,
  } = given as Given;
  if (what.trim() === '' || prompt.trim() === '') {
    const field = what.trim() === '' ? 'description' : 'prompt';
    return {
      error: { code: 'arguments/invalid', message: `Error validating JSON arguments: ${field} must not be empty` },
    };
  }
  const seconds = timeout ?? (beside ? BACKGROUND_SECONDS : null);
  return {
    args: {
      agent,
      prompt,
      description: what,
      background: beside,
      timeoutMs: seconds === null ? null : seconds * 1000,
      ...(model === null || model.trim() === '' ? {} : { model }),
      ...(resume === null || resume.trim() === '' ? {} : { resumeFrom: resume }),
    },
  };
}

/** spec/kimi-cli.md 17. */
function toResult({ task, background }: AgentValue, _outcome: unknown, _turn: unknown, args?: AgentArgs): KimiResult {
  const actual = task.detail.agent?.name ?? args?.agent ?? '';
  if (background) {
    return {
      output: [
        `task_id: ${task.id}`,
        'kind: agent',
        `status: ${task.state}`,
        `description: ${task.description}`,
        `agent_id: ${task.id}`,
        `actual_subagent_type: ${actual}`,
        'automatic_notification: true',
        'next_step: You will be notified when it has ended; go on, or give control back to the user.',
        'next_step: TaskOutput shows how far it is without waiting; use block=true only to wait on purpose.',
        `resume_hint: To go on with it when it has ended, call Agent with resume="${task.id}".`,
      ].join('\n'),
    };
  }
  const requested = args === undefined || args.agent === actual ? [] : [`requested_subagent_type: ${args.agent}`];
  const { result = '' } = task.detail;
  return {
    output: [
      `agent_id: ${task.id}`,
      `resumed: ${args?.resumeFrom !== undefined}`,
      ...requested,
      `actual_subagent_type: ${actual}`,
      `status: ${task.state}`,
      '',
      '[summary]',
      resultText(result),
    ].join('\n'),
  };
}

function toFailure({ code, message, data }: ToolFailure, _turn: unknown, args?: AgentArgs): KimiResult {
  if (code !== 'subagent/no-result') return { message, failed: true };
  const { id, reason, timedOut } = data as { id: string; reason: string; timedOut: boolean };
  const said = timedOut
    ? `Agent timed out after ${(args?.timeoutMs ?? 0) / 1000}s.`
    : `Failed to run agent: ${reason.replace(/\.$/, '')}.`;
  return { message: `${said} To go on with it, call Agent with resume="${id}".`, failed: true };
}

/** Executor `agent`. */
export const AGENT: ToolFace = kimiFace<AgentArgs, AgentValue>({
  name: 'Agent',
  description,
  executor: 'agent',
  parameters: [
    {
      name: 'description',
      required: true,
      schema: { type: 'string', description: 'The task in three to five words.' },
    },
    { name: 'prompt', required: true, schema: { type: 'string', description: 'The task, whole.' } },
    {
      name: 'subagent_type',
      schema: { type: 'string', default: 'coder', description: 'coder, explore or plan.' },
    },
    { name: 'model', schema: nullable({ type: 'string' }, { description: 'Another model than its own.' }) },
    { name: 'resume', schema: nullable({ type: 'string' }, { description: 'The agent_id of one to go on with.' }) },
    {
      name: 'run_in_background',
      schema: { type: 'boolean', default: false, description: 'Do not wait; you are notified of its end.' },
    },
    {
      name: 'timeout',
      schema: nullable(
        { type: 'integer', minimum: 30, maximum: 3600 },
        { description: `Seconds. Left out: none in the foreground, ${BACKGROUND_SECONDS} in the background.` },
      ),
    },
  ],
  toArgs,
  toResult,
  toFailure,
});
