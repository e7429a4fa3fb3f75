import type { EditPlanArgs, PlanValue, ToolFace, WritePlanArgs } from '../../tools/contract/index.ts';
import { grouped, makeFace } from './face.ts';

type Words = { name: string; description: string };

function placeOf({ path }: PlanValue): string {
  return path === null ? '' : ` The user can open it: ${path}.`;
}

/** Executor `write_plan`. */
export function writePlanFace(words: Words): ToolFace {
  return makeFace<WritePlanArgs, PlanValue>({
    ...words,
    executor: 'write_plan',
    parameters: [{ name: 'plan', type: 'string', required: true, description: 'The whole plan, in Markdown.' }],
    toArgs: (given) => ({ args: { text: (given as { plan: string }).plan } }),
    toText: (value) =>
      `The plan is kept, ${grouped(value.lines)} ${value.lines === 1 ? 'line' : 'lines'}.${placeOf(value)}`,
  });
}

/** Executor `edit_plan`. */
export function editPlanFace(words: Words): ToolFace {
  return makeFace<EditPlanArgs, PlanValue>({
    ...words,
    executor: 'edit_plan',
    parameters: [
      {
        name: 'edits',
        type: 'objects',
        required: true,
        least: 1,
        fields: [
          {
            name: 'old',
            type: 'string',
            required: true,
            description: 'The text to replace, exactly as it is in the plan.',
          },
          { name: 'new', type: 'string', required: true, description: 'The text in its place; empty deletes it.' },
          { name: 'all', type: 'boolean', description: 'Replace every occurrence. Default: false.' },
        ],
        description: 'Replacements, each in what the one before left; all are made or none.',
      },
    ],
    toArgs: (given) => ({ args: { edits: (given as EditPlanArgs).edits } }),
    toText: (value) => {
      const count = value.replacements ?? 0;
      return `The plan was changed: ${grouped(count)} ${count === 1 ? 'replacement' : 'replacements'}.${placeOf(value)}`;
    },
  });
}
