import type { Wire, WireShape } from '../model/index.ts';
import type { Harness } from './contract/index.ts';

/** What is said where a wire and a harness do not go together (spec/kimi-cli.md 1.2). */
export function wireRefusal(wire: Wire, harness: string): string {
  return `wire_api = "${wire}" is not supported by harness = "${harness}"`;
}

/** For a harness that could take every wire, of which this version has Chat Completions alone. */
export function chatOnly(harness: string, shape: WireShape): Harness['wires'] {
  const refuse = (wire: Wire): { accepted: false; error: string } => ({
    accepted: false,
    error: `${wireRefusal(wire, harness)}: this version has no such wire yet; use wire "chat"`,
  });
  return { chat: { accepted: true, shape }, responses: refuse('responses'), messages: refuse('messages') };
}
