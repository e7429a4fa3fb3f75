import type { EditArgs, EditValue, ReadArgs, ReadValue, ToolFace } from '../../tools/contract/index.ts';
import { grouped, makeFace } from '../faces/face.ts';
import { readMedia, readText } from '../faces/read-face.ts';
import edit from './descriptions/file-edit.md';
import read from './descriptions/file-read.md';

/** Lines of one result where the call does not say (spec/polytoken.md 22). */
const DEFAULT_LINES = 200;

/** Executor `read`, asked for by the lines to skip. */
export const FILE_READ: ToolFace = makeFace<ReadArgs, ReadValue>({
  name: 'file_read',
  description: read,
  executor: 'read',
  parameters: [
    {
      name: 'path',
      type: 'string',
      required: true,
      description: 'File or directory, absolute or from the working directory.',
    },
    { name: 'offset', type: 'integer', minimum: 0, description: 'Lines to skip. Default: 0.' },
    { name: 'limit', type: 'integer', minimum: 1, description: `Most lines to return. Default: ${DEFAULT_LINES}.` },
  ],
  toArgs(given) {
    const { path, offset = 0, limit = DEFAULT_LINES } = given as { path: string; offset?: number; limit?: number };
    return { args: { path, firstLine: offset + 1, lineCount: limit } };
  },
  toText: (value) => readText(value, (lastLine) => `offset ${lastLine}`),
  toMedia: readMedia,
});

type EditGiven = { path: string; search: string; replace: string; replace_all?: boolean };

/** Executor `edit`, one replacement a call. */
export const FILE_EDIT: ToolFace = makeFace<EditArgs, EditValue>({
  name: 'file_edit_search_replace',
  description: edit,
  executor: 'edit',
  parameters: [
    { name: 'path', type: 'string', required: true, description: 'The file, absolute or from the working directory.' },
    {
      name: 'search',
      type: 'string',
      required: true,
      description: 'The text to replace, exactly as it is in the file.',
    },
    { name: 'replace', type: 'string', required: true, description: 'The text in its place; empty deletes it.' },
    { name: 'replace_all', type: 'boolean', description: 'Replace every occurrence. Default: false.' },
  ],
  toArgs(given) {
    const { path, search, replace, replace_all } = given as EditGiven;
    const edit = { old: search, new: replace, ...(replace_all === true ? { all: true } : {}) };
    return { args: { path, edits: [edit] } };
  },
  toText({ path, replacements, firstLine, lastLine }) {
    const times = replacements === 1 ? '1 replacement' : `${grouped(replacements)} replacements`;
    const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
    return `Edited ${path}: ${times}, ${lines}.`;
  },
});
