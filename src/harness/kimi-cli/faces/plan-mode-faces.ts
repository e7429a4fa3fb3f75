import type { Json, ToolFailure } from '../../../model/index.ts';
import type { PlanModeArgs, PlanModeValue, ToolFace } from '../../../tools/contract/index.ts';
import enterDescription from '../descriptions/enter-plan-mode.md';
import exitDescription from '../descriptions/exit-plan-mode.md';
import { planWorkflow } from '../plan-mode.ts';
import type { KimiResult } from '../tool-result.ts';
import { nullable } from './kimi-arguments.ts';
import { kimiFace } from './kimi-face.ts';

type Option = { label: string; description: string };

const RESERVED = ['reject', 'revise', 'approve', 'reject and exit'];

function invalid(message: string): { error: ToolFailure } {
  return { error: { code: 'arguments/invalid', message: `Error validating JSON arguments: ${message}` } };
}

function optionsOf({ options }: Readonly<Record<string, Json>>): { args: PlanModeArgs } | { error: ToolFailure } {
  const given = (options ?? []) as Option[];
  const labels = given.map(({ label }) => label.trim().toLowerCase());
  const reserved = labels.find((label) => RESERVED.includes(label));
  if (reserved !== undefined) return invalid(`the label "${reserved}" is reserved`);
  if (labels.some((label) => label === '')) return invalid('a label must not be empty');
  if (new Set(labels).size < labels.length) return invalid('the labels must differ');
  return { args: { action: 'leave', options: given } };
}

function entered({ outcome, file }: PlanModeValue): KimiResult {
  switch (outcome) {
    case 'entered':
      return { message: 'Plan mode is on.', output: `Plan file: ${file}\n\n${planWorkflow(file)}` };
    case 'declined':
      return { output: 'The user does not want plan mode. Ask them how they want it done before you go on.' };
    default:
      return { output: 'The question was dismissed. Go on with the task directly.' };
  }
}

function left({ outcome, file, plan = '', option, feedback }: PlanModeValue): KimiResult {
  switch (outcome) {
    case 'approved': {
      const way = option === undefined ? '' : `\nSelected approach: ${option}. Carry out this approach alone.\n`;
      return {
        message: 'Plan mode is off. The plan is approved: carry it out.',
        output: `Plan saved to: ${file}\n${way}\n## Approved Plan:\n${plan}`,
      };
    }
    case 'left':
      return { message: 'The user rejected the plan and ended plan mode. Wait for what they say next.', failed: true };
    case 'revise':
      return { message: 'The plan is to be revised; plan mode stays on.', output: `User feedback: ${feedback ?? ''}` };
    case 'nobody':
      return {
        message: `Nobody is there to approve the plan. It stays in ${file}, and plan mode stays on: end your answer with what the plan says in short and where it is.`,
        failed: true,
      };
    case 'dismissed':
      return { message: 'The question was dismissed; plan mode stays on.', failed: true };
    default:
      return { message: 'The user rejected the plan; plan mode stays on. Wait for what they say next.', failed: true };
  }
}

/** Executor `plan_mode` (spec/kimi-cli.md 16). */
export const ENTER_PLAN_MODE: ToolFace = kimiFace<PlanModeArgs, PlanModeValue>({
  name: 'EnterPlanMode',
  description: enterDescription,
  executor: 'plan_mode',
  parameters: [],
  toArgs: () => ({ args: { action: 'enter' } }),
  toResult: entered,
});

/** Executor `plan_mode` (spec/kimi-cli.md 16). */
export const EXIT_PLAN_MODE: ToolFace = kimiFace<PlanModeArgs, PlanModeValue>({
  name: 'ExitPlanMode',
  description: exitDescription,
  executor: 'plan_mode',
  parameters: [
    {
      name: 'options',
      schema: nullable(
        {
          type: 'array',
          maxItems: 3,
          items: {
            type: 'object',
            properties: {
              label: { type: 'string', description: 'The way, in one to eight words.' },
              description: { type: 'string', default: '', description: 'What speaks for it, and against it.' },
            },
            required: ['label'],
          },
        },
        { description: 'Two or three ways to carry it out, where there are several.' },
      ),
    },
  ],
  toArgs: optionsOf,
  toResult: left,
});
