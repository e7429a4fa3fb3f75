import type { Laid } from '../../model/index.ts';
import type { AgentArgs, AgentValue, MessageArgs, MessageValue, ToolFace } from '../../tools/contract/index.ts';
import { describeTool, makeFace } from './face.ts';
import { missing } from './job-face.ts';
import { resultText, stateText } from './job-text.ts';

export type SubagentWords = {
  name: string;
  description: string;
  /** Names and descriptions of those that can be started, after the description. */
  list: Laid;
  /** `choice`: the model says whether it waits; `always`: it never does. */
  background: 'choice' | 'always';
};

type Given = {
  agent: string;
  prompt: string;
  description: string;
  background?: boolean;
  cwd?: string;
  model?: string;
  resume_from?: string;
  timeout?: number;
};

const SHORTEST_SECONDS = 30;

function startedText({ task, background }: AgentValue): string {
  if (background) return `Started ${task.id} (${task.description}). You will be told when it has ended.`;
  const { result } = task.detail;
  const head = `${task.id}: ${stateText(task)}`;
  if (result === undefined) return head;
  return `${head}\n${resultText(result)}`;
}

/** Executor `agent`. */
export function subagentFace({ name, description, list, background }: SubagentWords): ToolFace {
  return makeFace<AgentArgs, AgentValue>({
    name,
    description: describeTool(name, description, list),
    executor: 'agent',
    parameters: [
      { name: 'agent', type: 'string', required: true, description: 'One of the names above.' },
      {
        name: 'prompt',
        type: 'string',
        required: true,
        description: 'The task, whole: it sees nothing of this conversation.',
      },
      { name: 'description', type: 'string', required: true, description: 'The task in a few words.' },
      ...(background === 'choice'
        ? [{ name: 'background', type: 'boolean' as const, description: 'Do not wait; you are told of its end.' }]
        : []),
      { name: 'resume_from', type: 'string', description: 'Id of an earlier run to go on with.' },
      { name: 'cwd', type: 'string', description: 'Its working directory. Default: yours.' },
      { name: 'model', type: 'string', description: 'Another model than its own.' },
      { name: 'timeout', type: 'integer', minimum: SHORTEST_SECONDS, description: 'Seconds. Default: none.' },
    ],
    toArgs(given) {
      const {
        agent,
        prompt,
        description: what,
        cwd,
        model,
        resume_from: resumeFrom,
        timeout,
        ...rest
      } = given as Given;
      if (what.trim() === '') return missing('description', 'the task in a few words');
      return {
        args: {
          agent,
          prompt,
          description: what,
          background: background === 'always' || rest.background === true,
          timeoutMs: timeout === undefined ? null : timeout * 1000,
          ...(cwd === undefined ? {} : { cwd }),
          ...(model === undefined ? {} : { model }),
          ...(resumeFrom === undefined ? {} : { resumeFrom }),
        },
      };
    },
    toText: startedText,
  });
}

/** Executor `message`. */
export function messageFace(words: { name: string; description: string }): ToolFace {
  return makeFace<MessageArgs, MessageValue>({
    ...words,
    executor: 'message',
    parameters: [
      { name: 'id', type: 'string', required: true, description: 'Of the running subagent.' },
      { name: 'text', type: 'string', required: true, description: '' },
    ],
    toArgs: (given) => ({ args: given as MessageArgs }),
    toText: ({ task }) => `${task.id} gets the message at its next pause.`,
  });
}
