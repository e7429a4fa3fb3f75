import type { EditArgs, EditValue, ToolFace } from '../../tools/contract/index.ts';
import type { Parameter } from './arguments.ts';
import { grouped, makeFace } from './face.ts';

type Given = { path: string; old?: string; new?: string; all?: boolean; edits?: EditArgs['edits'] };

function invalid(
  message: string,
  field: string,
): { error: { code: string; message: string; data: { field: string } } } {
  return { error: { code: 'arguments/invalid', message, data: { field } } };
}

const EDIT_FIELDS: readonly Parameter[] = [
  { name: 'old', type: 'string', required: true, description: '' },
  { name: 'new', type: 'string', required: true, description: '' },
  { name: 'all', type: 'boolean', description: '' },
];

/** Executor `edit`. One replacement in `old` and `new`, or several in `edits`: never both, never neither. */
export function editFace(words: { name: string; description: string }): ToolFace {
  return makeFace<EditArgs, EditValue>({
    ...words,
    executor: 'edit',
    parameters: [
      {
        name: 'path',
        type: 'string',
        required: true,
        description: 'The file, absolute or from the working directory.',
      },
      { name: 'old', type: 'string', description: 'The text to replace, exactly as it is in the file.' },
      { name: 'new', type: 'string', description: 'The text in its place; empty deletes it.' },
      { name: 'all', type: 'boolean', description: 'Replace every occurrence. Default: false.' },
      {
        name: 'edits',
        type: 'objects',
        least: 1,
        fields: EDIT_FIELDS,
        description: 'Instead of old and new: several replacements, all applied or none.',
      },
    ],
    toArgs(given) {
      const { path, old, new: replacement, all, edits } = given as Given;
      if (edits !== undefined) {
        const single = (['old', 'new', 'all'] as const).find((field) => given[field] !== undefined);
        if (single !== undefined) return invalid(`give either edits or old and new, not edits and ${single}`, single);
        return { args: { path, edits: edits.map(dropNull) } };
      }
      if (old === undefined) return invalid('old is missing', 'old');
      if (replacement === undefined) return invalid('new is missing', 'new');
      return { args: { path, edits: [dropNull({ old, new: replacement, ...(all === undefined ? {} : { all }) })] } };
    },
    toText(value) {
      const times = value.replacements === 1 ? '1 replacement' : `${grouped(value.replacements)} replacements`;
      const lines =
        value.firstLine === value.lastLine
          ? `line ${value.firstLine}`
          : `lines ${value.firstLine} to ${value.lastLine}`;
      return `Edited ${value.path}: ${times}, ${lines}.`;
    },
  });
}

function dropNull(edit: EditArgs['edits'][number]): EditArgs['edits'][number] {
  return { old: edit.old, new: edit.new, ...(edit.all === true ? { all: true } : {}) };
}
