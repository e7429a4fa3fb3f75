import { screenLine, screenText } from '../../base/index.ts';
import type { SessionSummary, TranscriptEntry } from '../../sdk/index.ts';
import { pieceText } from './piece-origin.ts';

/** A session for a person at a terminal, piece by piece; nothing in it can steer the terminal. */
export function* transcriptText(session: SessionSummary, entries: Iterable<TranscriptEntry>): Generator<string> {
  yield `session    ${session.id}\n`;
  yield `directory  ${screenLine(session.cwd, 400)}\n`;
  yield `begun      ${screenLine(session.time, 40)}\n`;
  if (session.title !== null) yield `title      ${screenLine(session.title, 400)}\n`;
  for (const entry of entries) yield entryText(entry);
}

function entryText(entry: TranscriptEntry): string {
  const time = screenLine(entry.time, 40).slice(11, 19);
  switch (entry.type) {
    case 'prompt':
      return section(`${entry.from === 'user' ? 'you' : entry.from}  ${time}`, [entry.text, ...media(entry.media)]);
    case 'reminder':
      return section(`reminder: ${entry.reason}`, [...entry.pieces.map(pieceLine), entry.text]);
    case 'instructions':
      return section(`system prompt (${entry.harness}, ${entry.model}, ${entry.bytes} bytes)`, [
        entry.pieces.map(pieceLine).join('\n'),
      ]);
    case 'answer':
      return section(`${entry.model}${entry.partial ? ' (cut)' : ''}  ${time}`, [
        ...(entry.reasoning === '' ? [] : [`(reasoning) ${entry.reasoning}`]),
        entry.text,
        ...entry.calls.map(({ name, arguments: given }) => `→ ${name} ${given}`),
      ]);
    case 'result':
      return section(`result of ${entry.tool} (${entry.status})`, [entry.text, ...media(entry.media)]);
    case 'summary':
      return section('what was before, summarised', [...entry.pieces.map(pieceLine), entry.text]);
    case 'change':
      return section(entry.text, []);
  }
}

function section(title: string, parts: readonly string[]): string {
  const body = parts
    .map((part) => screenText(part).trimEnd())
    .filter((part) => part !== '')
    .map((part) => `${part.replace(/^(?=.)/gm, '  ')}\n`);
  return `\n── ${screenLine(title, 400)}\n${body.join('')}`;
}

function pieceLine(piece: Parameters<typeof pieceText>[0]): string {
  return `· ${pieceText(piece)}`;
}

function media(types: readonly string[]): string[] {
  return types.map((mime) => `[${mime}]`);
}
