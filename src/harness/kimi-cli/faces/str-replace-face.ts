import type { JsonSchema, ToolFailure } from '../../../model/index.ts';
import type { EditArgs, EditPlanArgs, EditValue, PlanValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/str-replace-file.md';
import { type Ground, placeOf, quotedPath } from './ground.ts';
import { kimiFace } from './kimi-face.ts';

type GivenEdit = { old: string; new: string; replace_all: boolean };
type Given = { path: string; edit: GivenEdit | GivenEdit[] };

const EDIT: JsonSchema = {
  type: 'object',
  properties: {
    old: {
      type: 'string',
      description: 'The text to replace, exactly as it stands in the file; several lines are allowed.',
    },
    new: { type: 'string', description: 'The text that takes its place.' },
    replace_all: { type: 'boolean', default: false, description: 'Whether every occurrence is replaced.' },
  },
  required: ['old', 'new'],
};

function failureMessage(error: ToolFailure): string {
  switch (error.code) {
    case 'edit/no-change':
    case 'plan/no-change':
      return 'No replacements were made. The old string was not found in the file.';
    case 'plan/none':
      return 'There is no plan yet: create the plan file with WriteFile first.';
    case 'edit/absent':
      return `${quotedPath(error)} does not exist.`;
    case 'edit/not-regular':
      return `${quotedPath(error)} is not a file.`;
    // These say what to do.
    case 'edit/not-read':
    case 'edit/stale':
      return error.message;
    default:
      return error.code.startsWith('edit/') ? `Failed to edit. Error: ${error.message}` : error.message;
  }
}

/**
 * Executor `edit` (spec/kimi-cli.md 13.4): without `replace_all` the first occurrence, misses passed over unless nothing
 * changes. Replacements are counted where they are made, in the text that the edits before left. As with WriteFile the
 * engine's rule holds that the file was read as it is now.
 */
export function kimiStrReplaceFace(ground: Ground): ToolFace {
  return kimiFace<EditArgs | EditPlanArgs, EditValue | PlanValue>({
    name: 'StrReplaceFile',
    description,
    executor: 'edit',
    parameters: [
      {
        name: 'path',
        required: true,
        schema: { type: 'string', description: 'The file. Outside the working directory the path must be absolute.' },
      },
      {
        name: 'edit',
        required: true,
        schema: {
          anyOf: [EDIT, { type: 'array', items: EDIT }],
          description: 'One edit, or several that are made one after the other.',
        },
      },
    ],
    toArgs(given) {
      const { path, edit } = given as Given;
      const place = placeOf(path, ground);
      if ('error' in place) return place;
      const edits = (Array.isArray(edit) ? edit : [edit]).map(({ old, new: text, replace_all: all }) => ({
        old,
        new: text,
        ...(all ? { all } : { first: true as const }),
      }));
      if (place.path === ground.planFile) return { args: { edits, misses: 'ignored' }, executor: 'edit_plan' };
      return { args: { path: place.path, edits, misses: 'ignored' } };
    },
    toResult({ replacements }, _outcome, _turn, args) {
      const count = args?.edits.length ?? 0;
      return {
        message: `File successfully edited. Applied ${count} edit(s) with ${replacements ?? 0} total replacement(s).`,
      };
    },
    toFailure: (error) => ({ failed: true, message: failureMessage(error) }),
  });
}
