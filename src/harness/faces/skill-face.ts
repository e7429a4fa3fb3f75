import type { Laid } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import { HARNESS_EXECUTOR } from '../contract/index.ts';
import { describeTool, makeFace } from './face.ts';

export type SkillWords = {
  name: string;
  description: string;
  /** Names and descriptions of the skills, after the description. */
  list: Laid;
};

/** Loads a skill: the harness answers with its text. */
export function skillFace({ name, description, list }: SkillWords): ToolFace {
  return makeFace<{ name: string }, string>({
    name,
    description: describeTool(name, description, list),
    executor: HARNESS_EXECUTOR,
    parameters: [{ name: 'name', type: 'string', required: true, description: 'The name of the skill.' }],
    toArgs: (given) => ({ args: { name: (given as { name: string }).name } }),
    toText: (text) => text,
  });
}
