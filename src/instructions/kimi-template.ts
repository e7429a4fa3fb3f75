import type { Laid, Piece, Trigger } from '../model/index.ts';
import { withoutFinalNewlines } from './final-newlines.ts';
import { joinLaid, lay } from './layout.ts';
import { makePiece } from './piece.ts';

/** A block of the template that is kept or removed whole: from `start` to the next end marker. */
export type TemplateBlock = { start: string; include: boolean };

const END = '{% endif %}';

/**
 * The template with its conditional blocks resolved (spec/kimi-cli.md 2.2). Markers match literally; there is no
 * nesting. Kept: the inner text without newlines at its ends. Removed: the newline after the end marker goes too. A
 * start without an end stays as it is.
 */
export function resolveBlocks(template: string, blocks: readonly TemplateBlock[]): string {
  let text = template;
  for (const { start, include } of blocks) {
    for (;;) {
      const from = text.indexOf(start);
      const to = from < 0 ? -1 : text.indexOf(END, from + start.length);
      if (to < 0) break;
      const inner = withoutFinalNewlines(text.slice(from + start.length, to).replace(/^\n+/, ''));
      const after = to + END.length;
      const rest = text.slice(!include && text[after] === '\n' ? after + 1 : after);
      text = text.slice(0, from) + (include ? inner : '') + rest;
    }
  }
  return text;
}

/**
 * Puts values in the place of `${NAME}` in one pass: what a value holds is never looked at again, so a file name such
 * as `${KIMI_AGENTS_MD}` stays a name. Names that have no value, and every other `$`, stay as they are.
 */
function substitute(
  template: string,
  values: Readonly<Record<string, Laid>>,
  chunk: (text: string, index: number) => Laid,
): Laid {
  const parts: Laid[] = [];
  let from = 0;
  let chunks = 0;
  const literal = (to: number): void => {
    if (to === from) return;
    chunks += 1;
    parts.push(chunk(template.slice(from, to), chunks));
  };
  for (const match of template.matchAll(/\$\{([A-Z_]+)\}/g)) {
    const name = match[1] ?? '';
    if (!Object.hasOwn(values, name)) continue;
    literal(match.index);
    parts.push(values[name] ?? []);
    from = match.index + match[0].length;
  }
  literal(template.length);
  return joinLaid(...parts);
}

/** Without the newlines at the end, whichever pieces and separators they lie in. */
function trimFinalNewlines(laid: Laid): Laid {
  const items = [...laid];
  for (let last = items.pop(); last !== undefined; last = items.pop()) {
    const text = 'piece' in last ? last.piece.text : last.separator;
    const trimmed = withoutFinalNewlines(text);
    if (trimmed === '') continue;
    if ('separator' in last) return [...items, { separator: trimmed }];
    const { sha256: _before, ...fields } = last.piece;
    return [
      ...items,
      trimmed === text ? last : { piece: makePiece({ ...fields, text: trimmed }), trigger: last.trigger },
    ];
  }
  return [];
}

export type KimiTemplate = {
  template: string;
  blocks: readonly TemplateBlock[];
  values: Readonly<Record<string, Laid>>;
  /** Each stretch of the template itself as a piece. */
  chunk(text: string, index: number): Piece;
  trigger: Trigger;
  developer: readonly Piece[];
};

/**
 * The whole prompt (spec/kimi-cli.md 2.1): blocks, then values in one safe pass, no newline at the end, then the
 * developer texts under their heading, where there is one that is not blank.
 */
export function renderKimiTemplate(input: KimiTemplate): Laid {
  const { trigger } = input;
  const body = substitute(resolveBlocks(input.template, input.blocks), input.values, (text, index) =>
    lay(input.chunk(text, index), trigger),
  );
  const developer = input.developer.filter((piece) => piece.text.trim() !== '');
  if (developer.length === 0) return trimFinalNewlines(body);
  return joinLaid(
    trimFinalNewlines(body),
    '\n\n# Additional Developer Instructions',
    ...developer.flatMap((piece) => ['\n\n', lay(trimmedPiece(piece), trigger)]),
  );
}

function trimmedPiece(piece: Piece): Piece {
  const { sha256: _before, ...fields } = piece;
  return makePiece({ ...fields, text: piece.text.trim() });
}
