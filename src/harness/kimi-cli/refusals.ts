import { isText, type Part, type Turn } from '../../model/index.ts';
import { errorText } from './tool-result.ts';

/** What the engine says of a call that did not run is an error as any other, wrapped once (spec/kimi-cli.md 11). */
export function wrapErrors(parts: Part[]): Part[] {
  return parts.map((part) => (isText(part) ? { type: 'text', text: errorText(part.text) } : part));
}

/**
 * A person said no (spec/kimi-cli.md 15): with a word on it the turn goes on with that; without one the root stops and
 * waits, and a subagent, which nobody waits for, looks for another way.
 */
export function deniedByPerson(feedback: string | null, { agent }: Turn): { text: string; ends: boolean } {
  if (feedback !== null) return { text: `The call was rejected by the user. User feedback: ${feedback}`, ends: false };
  if (agent.role === 'subagent') {
    const text =
      'The call was rejected by the user. Try another way to do your task; do not retry the call or work around the refusal.';
    return { text, ends: false };
  }
  return {
    text: 'The call was rejected by the user. Stop what you are doing, and wait for the user to say what to do instead.',
    ends: true,
  };
}
