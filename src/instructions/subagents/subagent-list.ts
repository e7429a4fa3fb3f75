import { byteLength } from '../../base/index.ts';
import type { Laid } from '../../model/index.ts';
import { lay, layBetween } from '../layout.ts';
import { makePiece } from '../piece.ts';
import { escapeMarkup } from '../skills/escape-markup.ts';
import type { Subagent } from './subagent.ts';

/** Of all names and descriptions: they go out with every request. Any of them can be started, listed or not. */
const MAX_BYTES = 8 * 1024;

type Listed = Pick<Subagent, 'name' | 'description' | 'file'>;

function layListed({ name, file }: Listed, text: string): Laid {
  const piece = makePiece({
    id: `subagent-list:${name}`,
    kind: 'subagent-list',
    origin: file === null ? { type: 'shipped' } : { type: 'file', path: file.path, scope: file.scope },
    placement: 'tools',
    rule: 'The model knows of a subagent by its name and description.',
    text,
    ...(file === null ? {} : { fileSha256: file.sha256 }),
  });
  return lay(piece, 'every-request');
}

function layRest(names: readonly string[]): Laid {
  const piece = makePiece({
    id: 'subagent-list/rest',
    kind: 'subagent-list',
    origin: { type: 'session' },
    placement: 'tools',
    rule: 'There are more subagents than the list has room for.',
    text: `(${names.length} more not listed.)`,
  });
  return lay(piece, 'every-request');
}

/** The subagents for the description of the tool that starts them, a line each; empty: there are none. */
export function subagentList(subagents: readonly Listed[]): Laid {
  let used = 0;
  const lines = subagents.map((subagent) => {
    const text = `- ${escapeMarkup(subagent.name)}: ${escapeMarkup(subagent.description)}`;
    used += byteLength(text) + 1;
    return { subagent, text, fits: used <= MAX_BYTES };
  });
  const laid = lines.filter(({ fits }) => fits).map(({ subagent, text }) => layListed(subagent, text));
  const rest = lines.filter(({ fits }) => !fits).map(({ subagent }) => subagent.name);
  return layBetween('\n', rest.length === 0 ? laid : [...laid, layRest(rest)]);
}
