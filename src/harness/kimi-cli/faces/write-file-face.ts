import type { ToolFailure } from '../../../model/index.ts';
import type { PlanValue, ToolFace, WriteArgs, WritePlanArgs, WriteValue } from '../../../tools/contract/index.ts';
import description from '../descriptions/write-file.md';
import { type Ground, placeOf, quotedPath } from './ground.ts';
import { kimiFace } from './kimi-face.ts';

type Given = { path: string; content: string; mode: 'overwrite' | 'append' };

function failureMessage(error: ToolFailure): string {
  switch (error.code) {
    case 'write/no-parent':
      return `${quotedPath(error, 'parent')}: parent directory does not exist.`;
    case 'write/not-regular':
      return `${quotedPath(error)} is not a file.`;
    // These say what to do.
    case 'write/not-read':
    case 'write/stale':
    case 'write/partly-read':
      return error.message;
    default:
      return error.code.startsWith('write/')
        ? `Failed to write to ${quotedPath(error)}. Error: ${error.message}`
        : error.message;
  }
}

/**
 * Executor `write` (spec/kimi-cli.md 13.3). The original overwrites whatever is there; here the engine's rule holds that
 * a file with contents is replaced only by who has read all of it as it is now. It contradicts no statement about the
 * tool, and appending does not need it.
 */
export function kimiWriteFileFace(ground: Ground): ToolFace {
  return kimiFace<WriteArgs | WritePlanArgs, WriteValue | PlanValue>({
    name: 'WriteFile',
    description,
    executor: 'write',
    parameters: [
      {
        name: 'path',
        required: true,
        schema: { type: 'string', description: 'The file. Outside the working directory the path must be absolute.' },
      },
      { name: 'content', required: true, schema: { type: 'string', description: 'The text to write.' } },
      {
        name: 'mode',
        schema: {
          type: 'string',
          enum: ['overwrite', 'append'],
          default: 'overwrite',
          description: '`overwrite` makes the text the whole file; `append` puts it at the end.',
        },
      },
    ],
    toArgs(given) {
      const { path, content, mode } = given as Given;
      const place = placeOf(path, ground);
      if ('error' in place) return place;
      const append = mode === 'append' ? { append: true as const } : {};
      // The plan is the session's own: it needs no permission, and its log is what counts.
      if (place.path === ground.planFile) return { args: { text: content, ...append }, executor: 'write_plan' };
      return { args: { path: place.path, content, parent: 'must-exist' as const, ...append } };
    },
    toResult({ size }, _outcome, _turn, args) {
      const what = args?.append === true ? 'appended to' : 'overwritten';
      return { message: `File successfully ${what}. Current size: ${size} bytes.` };
    },
    toFailure: (error) => ({ failed: true, message: failureMessage(error) }),
  });
}
