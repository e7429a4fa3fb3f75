/** [from, to) of a template that an engine reads as its own: expressions, statements, comments, raw text. UTF-16. */
export type MarkedStretch = { from: number; to: number };

const OPENING = /\{[{%#]/g;
const RAW = /\{%[-+]?\s*raw\s*[-+]?%\}/y;
const END_RAW = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;

/** Just behind `close`, strings passed over; the end of the text where nothing closes it. */
function afterCode(text: string, from: number, close: '}}' | '%}'): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const unit = text[at] ?? '';
    if (quote !== '') {
      if (unit === '\\') at += 1;
      else if (unit === quote) quote = '';
    } else if (unit === '"' || unit === "'") quote = unit;
    else if (text.startsWith(close, at)) return at + 2;
  }
  return text.length;
}

function endOfMark(text: string, at: number): number {
  if (text[at + 1] === '#') {
    const close = text.indexOf('#}', at + 2);
    return close < 0 ? text.length : close + 2;
  }
  RAW.lastIndex = at;
  if (RAW.test(text)) {
    END_RAW.lastIndex = RAW.lastIndex;
    return END_RAW.test(text) ? END_RAW.lastIndex : text.length;
  }
  return afterCode(text, at + 2, text[at + 1] === '{' ? '}}' : '%}');
}

/** In order, without overlap. One that nothing closes takes the rest of the text. */
export function markedStretches(text: string): MarkedStretch[] {
  const stretches: MarkedStretch[] = [];
  for (let end = 0; ; ) {
    OPENING.lastIndex = end;
    const from = OPENING.exec(text)?.index;
    if (from === undefined) return stretches;
    end = endOfMark(text, from);
    stretches.push({ from, to: end });
  }
}
