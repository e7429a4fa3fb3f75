/** Tokens of one answer. The context's size is input + cacheRead + cacheWrite. */
export type Usage = {
  /** Without what came from or went into a cache. */
  input: number;
  /** Reasoning included. */
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** The part of `output` that was reasoning, where the provider says so. */
  reasoning: number;
};

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
};

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    reasoning: left.reasoning + right.reasoning,
  };
}
