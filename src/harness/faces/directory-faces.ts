import type { DirectoryValue, PopdArgs, PushdArgs, ToolFace } from '../../tools/contract/index.ts';
import { makeFace } from './face.ts';

/** Where one is, and the way back. */
function toText({ stack, cwd }: DirectoryValue): string {
  const below = stack.slice(0, -1).reverse();
  const way = below.length === 0 ? '' : ` popd leads back to ${below.join(', then ')}.`;
  return `The working directory is ${cwd}.${way}`;
}

/** Executor `pushd`. */
export function pushdFace(words: { name: string; description: string }): ToolFace {
  return makeFace<PushdArgs, DirectoryValue>({
    ...words,
    executor: 'pushd',
    parameters: [{ name: 'path', type: 'string', required: true, description: 'The directory.' }],
    toArgs(given) {
      const { path } = given as PushdArgs;
      return { args: { path } };
    },
    toText,
  });
}

/** Executor `popd`. */
export function popdFace(words: { name: string; description: string }): ToolFace {
  return makeFace<PopdArgs, DirectoryValue>({
    ...words,
    executor: 'popd',
    parameters: [],
    toArgs: () => ({ args: {} }),
    toText,
  });
}
