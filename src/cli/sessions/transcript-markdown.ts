import { printable, screenText } from '../../base/index.ts';
import type { SessionSummary, TranscriptEntry, TranscriptPiece } from '../../sdk/index.ts';
import { pieceText } from './piece-origin.ts';

/** A session as Markdown. Texts of the session stand in fences that nothing in them can close. */
export function* transcriptMarkdown(session: SessionSummary, entries: Iterable<TranscriptEntry>): Generator<string> {
  yield `# ${inline(session.title ?? session.firstPrompt ?? `Session ${session.id}`)}\n\n`;
  yield `- session: \`${session.id}\`\n- directory: ${inline(session.cwd)}\n- begun: ${inline(session.time)}\n`;
  for (const entry of entries) yield entryMarkdown(entry);
}

function entryMarkdown(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'prompt':
      return section(entry.from === 'user' ? 'User' : `User (${entry.from})`, [fenced(entry.text), media(entry.media)]);
    case 'reminder':
      return section(`Reminder: ${entry.reason}`, [pieces(entry.pieces), fenced(entry.text)]);
    case 'instructions':
      return section(`System prompt (${entry.harness}, ${entry.model}, ${entry.bytes} bytes)`, [
        pieces(entry.pieces),
        ...entry.pieces.flatMap((piece) =>
          piece.change === 'gone' ? [] : [`${inline(piece.id)}:`, fenced(piece.text ?? '')],
        ),
      ]);
    case 'answer':
      return section(`Answer (${entry.model}${entry.partial ? ', cut' : ''})`, [
        entry.reasoning === '' ? '' : `Reasoning:\n\n${fenced(entry.reasoning)}`,
        fenced(entry.text),
        ...entry.calls.map(({ name, arguments: given }) => `Call of ${inline(name)}:\n\n${fenced(given)}`),
      ]);
    case 'result':
      return section(`Result of ${entry.tool} (${entry.status})`, [fenced(entry.text), media(entry.media)]);
    case 'summary':
      return section('What was before, summarised', [pieces(entry.pieces), fenced(entry.text)]);
    case 'change':
      return `\n*${inline(entry.text)}*\n`;
  }
}

function section(title: string, parts: readonly string[]): string {
  return `\n## ${inline(title)}\n${parts
    .filter((part) => part !== '')
    .map((part) => `\n${part}\n`)
    .join('')}`;
}

function pieces(list: readonly TranscriptPiece[]): string {
  return list.map((piece) => `- ${inline(pieceText(piece))}`).join('\n');
}

function media(types: readonly string[]): string {
  return types.map((mime) => inline(`[${mime}]`)).join('\n');
}

function fenced(text: string): string {
  if (text === '') return '';
  const clean = screenText(text);
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${clean}${clean.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** One line in which nothing is markup. */
function inline(text: string): string {
  return printable(text, 2000).replace(/[\\`*_{}[\]<>#|~&!]/g, (mark) => `\\${mark}`);
}
