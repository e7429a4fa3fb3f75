import { type Condition, type Output, parseCondition, parseOutput } from './plain-expression.ts';
import { plainTokens, type Token } from './plain-tokens.ts';

export type PlainNode =
  | { type: 'text'; text: string }
  | { type: 'output'; output: Output; line: number }
  | { type: 'if'; branches: readonly PlainBranch[] };
/** `when: null`: else. */
export type PlainBranch = { when: Condition | null; nodes: readonly PlainNode[] };

type OpenIf = { parent: PlainNode[]; branches: { when: Condition | null; nodes: PlainNode[] }[] };

/** Blocks within each other. */
const MAX_BLOCKS = 32;

/** Templates that were parsed: the same few are rendered for every request. Longer ones are parsed each time. */
const MAX_KNOWN = 64;
const MAX_KNOWN_LENGTH = 32 * 1024;
const known = new Map<string, readonly PlainNode[] | null>();

/** A template in the small language that is rendered without the engine; null for every other, faulty ones too. */
export function parsePlain(source: string): readonly PlainNode[] | null {
  const before = known.get(source);
  if (before !== undefined) return before;
  const nodes = parse(source);
  if (source.length <= MAX_KNOWN_LENGTH) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(source, nodes);
  }
  return nodes;
}

function parse(source: string): readonly PlainNode[] | null {
  const tokens = plainTokens(source);
  if (tokens === null) return null;
  const root: PlainNode[] = [];
  const open: OpenIf[] = [];
  let nodes = root;
  for (const token of tokens) {
    const into = token.type === 'block' ? readBlock(token, open, nodes) : append(token, nodes);
    if (into === null) return null;
    nodes = into;
  }
  return open.length === 0 ? root : null;
}

type Code = Exclude<Token, { type: 'text' }>;

function append(token: Token, nodes: PlainNode[]): PlainNode[] | null {
  if (token.type === 'text') {
    nodes.push(token);
    return nodes;
  }
  const output = parseOutput(token.words);
  if (output === null) return null;
  nodes.push({ type: 'output', output, line: token.line });
  return nodes;
}

/** Returns where what follows belongs. */
function readBlock({ words }: Code, open: OpenIf[], nodes: PlainNode[]): PlainNode[] | null {
  const [keyword, ...rest] = words;
  if (keyword?.type !== 'name') return null;
  if (keyword.text === 'if') return openIf(parseCondition(rest), open, nodes);
  const current = open.at(-1);
  if (current === undefined) return null;
  if (keyword.text === 'endif') {
    if (rest.length > 0) return null;
    open.pop();
    current.parent.push({ type: 'if', branches: current.branches });
    return current.parent;
  }
  const isElse = keyword.text === 'else' && rest.length === 0;
  const when = keyword.text === 'elif' ? parseCondition(rest) : null;
  if (current.branches.at(-1)?.when === null || (when === null && !isElse)) return null;
  return openBranch(current, when);
}

function openIf(when: Condition | null, open: OpenIf[], parent: PlainNode[]): PlainNode[] | null {
  if (when === null || open.length >= MAX_BLOCKS) return null;
  const opened: OpenIf = { parent, branches: [] };
  open.push(opened);
  return openBranch(opened, when);
}

function openBranch({ branches }: OpenIf, when: Condition | null): PlainNode[] {
  const nodes: PlainNode[] = [];
  branches.push({ when, nodes });
  return nodes;
}
