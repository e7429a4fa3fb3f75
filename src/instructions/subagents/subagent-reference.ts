import { nearest } from '../../base/index.ts';
import type { Laid } from '../../model/index.ts';
import { neutraliseClosingTags } from '../closing-tag.ts';
import { listedNames, shownName } from '../facets/definition-name.ts';
import { inTag, lay } from '../layout.ts';
import { makePiece } from '../piece.ts';
import { escapeMarkup } from '../skills/escape-markup.ts';
import type { Subagent } from './subagent.ts';

/** What the model is told where the user names a subagent. */
export function subagentReference(
  { name, description, file }: Pick<Subagent, 'name' | 'description' | 'file'>,
  tag: string,
): Laid {
  const text = `The user wants the subagent ${name} used for this: ${escapeMarkup(description)}`;
  const piece = makePiece({
    id: `subagent-reference:${name}`,
    kind: 'notice',
    origin: file === null ? { type: 'shipped' } : { type: 'file', path: file.path, scope: file.scope },
    placement: 'history',
    rule: 'The user named this subagent in a message.',
    text: neutraliseClosingTags(text, [tag]).text,
  });
  return inTag(tag, lay(piece, 'on-invocation'), '\n');
}

/** One line that says that there is no such subagent, which is near, and which there are. */
export function unknownSubagent(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === undefined ? '' : `did you mean ${shownName(near)}? `;
  const all = names.length === 0 ? 'there are none' : `there are: ${listedNames(names)}`;
  return `there is no subagent ${shownName(name)}; ${hint}${all}`;
}
