import { screenText } from '../../base/index.ts';
import type { SessionSummary, TranscriptEntry, TranscriptPiece } from '../../sdk/index.ts';
import { pieceText } from './piece-origin.ts';

const STYLE = `
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
section { border-left: 3px solid #8886; margin: 1.5rem 0; padding-left: 1rem; }
section.prompt { border-color: #36c; }
section.answer { border-color: #393; }
section.reminder, section.instructions { border-color: #c80; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; font: 14px/1.45 ui-monospace, monospace; }
li, .change, dd, dt { font-size: .875rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; } body { background: #111; color: #ddd; } }
`;

/**
 * A session as one HTML page: no script, nothing loaded from anywhere, and a policy in the page that forbids both. All
 * text is escaped.
 */
export function* transcriptHtml(session: SessionSummary, entries: Iterable<TranscriptEntry>): Generator<string> {
  const title = escaped((session.title ?? session.firstPrompt ?? `Session ${session.id}`).slice(0, 200));
  yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  yield '<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n';
  yield '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">\n';
  yield `<title>${title}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<h1>${title}</h1>\n<dl>`;
  yield `<dt>session</dt><dd>${escaped(session.id)}</dd><dt>directory</dt><dd>${escaped(session.cwd)}</dd>`;
  yield `<dt>begun</dt><dd>${escaped(session.time)}</dd></dl>\n`;
  for (const entry of entries) yield entryHtml(entry);
  yield '</body>\n</html>\n';
}

function entryHtml(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'prompt': {
      const title = entry.from === 'user' ? 'User' : `User (${entry.from})`;
      return section(entry.type, title, [block(entry.text), media(entry.media)]);
    }
    case 'reminder':
      return section(entry.type, `Reminder: ${entry.reason}`, [pieces(entry.pieces), block(entry.text)]);
    case 'instructions':
      return section(entry.type, `System prompt (${entry.harness}, ${entry.model}, ${entry.bytes} bytes)`, [
        pieces(entry.pieces),
        ...entry.pieces.filter(({ change }) => change !== 'gone').map((piece) => folded(piece.id, piece.text ?? '')),
      ]);
    case 'answer':
      return section(entry.type, `Answer (${entry.model}${entry.partial ? ', cut' : ''})`, [
        entry.reasoning === '' ? '' : folded('Reasoning', entry.reasoning),
        block(entry.text),
        ...entry.calls.map(
          ({ name, arguments: given }) => `<p>Call of <code>${escaped(name)}</code></p>${block(given)}`,
        ),
      ]);
    case 'result':
      return section(entry.type, `Result of ${entry.tool} (${entry.status})`, [
        entry.text === '' ? '' : folded(`${entry.text.split('\n').length} lines`, entry.text),
        media(entry.media),
      ]);
    case 'summary':
      return section(entry.type, 'What was before, summarised', [pieces(entry.pieces), block(entry.text)]);
    case 'change':
      return `<p class="change">${escaped(entry.text)}</p>\n`;
  }
}

function section(type: string, title: string, parts: readonly string[]): string {
  return `<section class="${type}">\n<h2>${escaped(title)}</h2>\n${parts.join('\n')}\n</section>\n`;
}

function pieces(list: readonly TranscriptPiece[]): string {
  if (list.length === 0) return '';
  return `<ul>${list.map((piece) => `<li>${escaped(pieceText(piece))}</li>`).join('')}</ul>`;
}

function block(text: string): string {
  return text === '' ? '' : `<pre>${escaped(text)}</pre>`;
}

function folded(title: string, text: string): string {
  return `<details><summary>${escaped(title)}</summary>${block(text)}</details>`;
}

function media(types: readonly string[]): string {
  return types.map((mime) => `<p>[${escaped(mime)}]</p>`).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return screenText(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
}
