import type { Diagnostic } from '../base/index.ts';
import type { FoundFile, Laid, Piece, Trigger } from '../model/index.ts';
import { closingTagDiagnostic, neutraliseClosingTags } from './closing-tag.ts';
import { joinLaid, lay } from './layout.ts';
import { movedFragments } from './moved-fragments.ts';
import { filePiece, guidancePiece } from './piece.ts';
import { shownPath } from './references/shown-path.ts';

type Fragments = NonNullable<Piece['fragments']>;

/**
 * An instruction file as it goes out. `text`: what the model gets, where the file is rendered not what was read;
 * `fragments`: which stretches of it (UTF-8 bytes) came from other files.
 */
export type ReminderBody = { file: FoundFile; text: string; fragments?: Fragments };

/** The words around files in one kind of reminder. */
export type FileWords = {
  /** Said before the bodies. */
  intro: string;
  rule: string;
  requirement?: string;
};

export type BodyTags = {
  /** The tag around the reminder; the program's own, so a body's closing tag of this name is neutralised. */
  tag: string;
  /** The tag around each body. */
  bodyTag: string;
};

function bodyPiece({ file, text, fragments = [] }: ReminderBody, sent: string, words: FileWords): Piece {
  const { rule, requirement } = words;
  const piece = filePiece(file, {
    kind: 'context-file',
    placement: 'history',
    rule,
    text: sent,
    ...(requirement === undefined ? {} : { requirement }),
  });
  if (fragments.length === 0) return piece;
  return { ...piece, fragments: sent === text ? fragments : movedFragments(fragments, text, sent) };
}

/** The bodies in their order, each in its tag with its real path, a blank line before each. */
export function layBodies(
  bodies: readonly ReminderBody[],
  tags: BodyTags,
  words: FileWords,
  trigger: Trigger,
): { laid: Laid; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const parts = bodies.flatMap((body): (Laid | string)[] => {
    const { file } = body;
    const { text, lines } = neutraliseClosingTags(body.text, [tags.tag, tags.bodyTag]);
    if (lines.length > 0) diagnostics.push(closingTagDiagnostic(file.path, lines));
    const end = text.endsWith('\n') ? '' : '\n';
    return [
      `\n<${tags.bodyTag} path="${shownPath(file.realPath)}">\n`,
      lay(bodyPiece(body, text, words), trigger),
      `${end}</${tags.bodyTag}>\n`,
    ];
  });
  return { laid: joinLaid(...parts), diagnostics };
}

/** A line for the list of files that go out by path only. */
export function pathLine(file: FoundFile): string {
  return `- ${shownPath(file.realPath)} (${file.size} bytes)`;
}

/** Files too large for a body, each a piece of its own, so that each is known to have been given. */
export function layPathLines(files: readonly FoundFile[], oversized: string, rule: string, trigger: Trigger): Laid {
  if (files.length === 0) return [];
  const heading = guidancePiece('path-list/intro', 'Says why these files are named without their text.', oversized);
  const lines = files.flatMap((file): (Laid | string)[] => {
    const fields = { kind: 'path-list', placement: 'history', rule, requirement: 'P27' } as const;
    return [lay(filePiece(file, { ...fields, text: pathLine(file) }), trigger), '\n'];
  });
  return joinLaid('\n', lay(heading, trigger), '\n', ...lines);
}
