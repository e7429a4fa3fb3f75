import type { ToolFace, WriteArgs, WriteValue } from '../../tools/contract/index.ts';
import { grouped, makeFace } from './face.ts';

/** Executor `write`. */
export function writeFace(words: { name: string; description: string }): ToolFace {
  return makeFace<WriteArgs, WriteValue>({
    ...words,
    executor: 'write',
    parameters: [
      {
        name: 'path',
        type: 'string',
        required: true,
        description: 'The file, absolute or from the working directory.',
      },
      { name: 'content', type: 'string', required: true, description: 'The whole content, byte for byte.' },
    ],
    toArgs(given) {
      const { path, content } = given as WriteArgs;
      return { args: { path, content } };
    },
    toText: (value) => `${value.created ? 'Created' : 'Overwrote'} ${value.path} (${grouped(value.size)} bytes).`,
  });
}
