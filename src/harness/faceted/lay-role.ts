import { byteLength, isBlank } from '../../base/index.ts';
import { type Definition, joinLaid, lay, makePiece } from '../../instructions/index.ts';
import type { Laid, Piece, Segment, Trigger } from '../../model/index.ts';

/** What stands for the shipped base prompt, where something does. */
export type Standin = { uri: string; laid: Laid };

/** What a role's own text is in the request. */
export type RoleText = { kind: 'facet' | 'subagent'; trigger: Trigger; rule: string; requirement: string };

export const FACET_TEXT: RoleText = {
  kind: 'facet',
  trigger: 'facet-active',
  rule: 'The body of the facet in force is the system prompt; fragments that it transcludes are part of it.',
  requirement: 'P6',
};

export const SUBAGENT_TEXT: RoleText = {
  kind: 'subagent',
  trigger: 'session-start',
  rule: 'The body of a subagent’s definition follows the base prompt; fragments that it transcludes are part of it.',
  requirement: 'P43',
};

/** What a shipped text is, by the last part of its URI. */
const SHIPPED_RULES: Readonly<Record<string, string>> = {
  identity: 'Who the agent is and what it is to do.',
  'subagent-task': 'What a subagent is to do with its task, and how it gives its result.',
  work: 'How to go about a task.',
  tools: 'How the offered tools go together.',
  care: 'What must not be lost, leaked or done unasked.',
  instructions: 'What reminders and instruction files mean.',
  answers: 'How to answer.',
  environment:
    'The working directory, the platform, and the date at the start of the conversation; it does not change after.',
};

function shippedPiece(uri: string, text: string): Piece {
  const name = (uri.split('/').at(-1) ?? uri).replace(/\.md$/, '');
  const environment = name === 'environment';
  return makePiece({
    id: `base/${name}`,
    kind: environment ? 'environment' : 'base',
    origin: environment ? { type: 'session' } : { type: 'shipped' },
    placement: 'system',
    rule: SHIPPED_RULES[name] ?? 'A shipped text that the role transcludes.',
    text,
  });
}

type Named = Pick<Definition, 'name' | 'path' | 'scope' | 'file'>;

/** Neighbouring stretches of a role's own text and of files that it brings in: one piece, with its fragments. */
class OwnText {
  readonly #text: RoleText;
  readonly #role: Named;
  readonly #embedded: readonly string[];
  #parts: Segment[] = [];
  #count = 0;

  constructor(text: RoleText, role: Named, embedded: readonly string[]) {
    this.#text = text;
    this.#role = role;
    this.#embedded = embedded;
  }

  add(segment: Segment): void {
    this.#parts.push(segment);
  }

  /** What was added since the last time, as a layout. Blank text between shipped ones separates them. */
  take(): Laid {
    const parts = this.#parts;
    this.#parts = [];
    const text = parts.map((part) => part.text).join('');
    if (text === '') return [];
    const fragments = this.#fragments(parts);
    if (isBlank(text) && fragments.length === 0) return [{ separator: text }];
    this.#count += 1;
    const { name, path, scope, file } = this.#role;
    const { kind, trigger, rule, requirement } = this.#text;
    const piece = makePiece({
      id: this.#count === 1 ? `${kind}:${name}` : `${kind}:${name}/${this.#count}`,
      kind,
      origin: path === null || scope === 'shipped' ? { type: 'shipped' } : { type: 'file', path, scope },
      placement: 'system',
      rule,
      requirement,
      text,
      ...(file === null ? {} : { fileSha256: file.sha256 }),
      ...(fragments.length === 0 ? {} : { fragments }),
    });
    return lay(piece, trigger);
  }

  #fragments(parts: readonly Segment[]): NonNullable<Piece['fragments']> {
    let start = 0;
    return parts.flatMap(({ text, from }) => {
      const at: [number, number] = [start, start + byteLength(text.toWellFormed())];
      start = at[1];
      return from === null || text === '' ? [] : [{ at, from: { path: this.#pathOf(from) } }];
    });
  }

  #pathOf(from: string): string {
    const index = /^embedded:(\d+)$/.exec(from)?.[1];
    return index === undefined ? from : (this.#embedded[Number(index)] ?? from);
  }
}

function isShipped(from: string | null): from is string {
  return from?.includes('://') === true;
}

/** Neighbours of one source become one. */
function merged(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if (last !== undefined && last.from === segment.from)
      joined[joined.length - 1] = { ...last, text: last.text + segment.text };
    else joined.push(segment);
  }
  return joined;
}

/**
 * The rendered role as pieces: its own text with the fragments of its directory, and each shipped text by itself.
 * `embedded`: the paths of embedded files, by number. `standin`: what is laid in the place of that shipped text.
 */
export function layRole(
  roleText: RoleText,
  role: Named,
  segments: readonly Segment[],
  embedded: readonly string[],
  standin: Standin | null,
): Laid {
  const own = new OwnText(roleText, role, embedded);
  const laid: Laid[] = [];
  for (const segment of merged(segments)) {
    const { text, from } = segment;
    if (!isShipped(from)) {
      own.add(segment);
      continue;
    }
    laid.push(own.take());
    if (from === standin?.uri) laid.push(standin.laid);
    else laid.push(isBlank(text) ? joinLaid(text) : lay(shippedPiece(from, text), roleText.trigger));
  }
  return joinLaid(...laid, own.take());
}
