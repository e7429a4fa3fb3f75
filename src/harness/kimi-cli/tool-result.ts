import type { MediaPart, Part, TextPart } from '../../model/index.ts';

/** What a tool has to say: a message of the program, the tool's own output, and what the model is shown beside it. */
export type KimiResult = {
  /** Without the tag: `Command executed successfully.` */
  message?: string;
  /** It did not work: the message is an error, the output may still say more. */
  failed?: true;
  output?: string;
  media?: readonly (TextPart | MediaPart)[];
};

const EMPTY = '<system>Tool output is empty.</system>';
const NOT_TEXT = '<system>Tool returned non-text content.</system>';

function text(content: string): TextPart {
  return { type: 'text', text: content };
}

/** A text of the program that must not be wrapped again (spec/kimi-cli.md 11). */
function isSystemText(content: string): boolean {
  return (
    content.startsWith('<system>ERROR:') ||
    content.startsWith('<system>Command executed successfully.') ||
    content === EMPTY ||
    content === NOT_TEXT
  );
}

/** Output as it goes out: blank and binary output are named, everything else is as it is. */
export function outputText(content: string): string {
  if (isSystemText(content)) return content;
  if (content.trim() === '') return EMPTY;
  return content.includes('\u0000') ? NOT_TEXT : content;
}

/** A failure as it goes out, wrapped once. */
export function errorText(content: string): string {
  return isSystemText(content) ? content : `<system>ERROR: ${content}</system>`;
}

/** The parts of one result (spec/kimi-cli.md 11): the message first, then the output, then what is shown. */
export function resultParts({ message, failed, output = '', media = [] }: KimiResult): Part[] {
  const said = message === undefined ? [] : [text(failed ? errorText(message) : `<system>${message}</system>`)];
  const written = output === '' ? [] : [text(outputText(output))];
  const parts = [...said, ...written, ...media];
  return parts.length === 0 ? [text(EMPTY)] : parts;
}
