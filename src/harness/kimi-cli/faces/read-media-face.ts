import type { ToolFailure } from '../../../model/index.ts';
import type { ReadArgs, ReadValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/read-media-file.md';
import type { KimiResult } from '../tool-result.ts';
import { type Ground, placeOf, quotedPath } from './ground.ts';
import { kimiFace } from './kimi-face.ts';

const ADVICE =
  'Say where something is in it by shares of its width and height, and work out pixels from the original size. After making or changing an image, read it again before going on.';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function toResult(value: ReadValue): KimiResult {
  // It was asked for a picture alone.
  if (value.kind !== 'image') return { failed: true, message: `\`${value.path}\` is no image.` };
  const { path, mime, size, sha256 } = value;
  const { width, height } = value.was ?? value;
  return {
    message: `Loaded image file \`${path}\` (${mime}, ${size} bytes, original size ${width}x${height}px). ${ADVICE}`,
    media: [
      { type: 'text', text: `<image path="${escaped(path)}">` },
      { type: 'media', sha256, mime },
      { type: 'text', text: '</image>' },
    ],
  };
}

function failureMessage(error: ToolFailure): string {
  const path = quotedPath(error);
  const { mime, size, limit } = error.data ?? {};
  switch (error.code) {
    case 'read/absent':
      return `${path} does not exist.`;
    case 'read/not-regular':
      return `${path} is not a file.`;
    case 'read/empty':
      return `${path} is empty.`;
    case 'read/too-large':
      return `${path} has ${Number(size)} bytes, more than the ${Number(limit)} that are read of a media file.`;
    case 'read/is-text':
      return `${path} is text. Use ReadFile to read it.`;
    case 'read/not-picture':
      return typeof mime === 'string' && /^(image|video)\//.test(mime)
        ? `${path} is ${mime}, which the current model cannot be shown. Tell the user.`
        : `${path} is no image. Use Shell, a Python script or an MCP tool that knows its format.`;
    case 'read/no-pictures':
      return 'The current model does not take images. Tell the user that another model is needed for this file.';
    default:
      return error.code.startsWith('read/') ? `Failed to read ${path}. Error: ${error.message}` : error.message;
  }
}

/** Executor `read` (spec/kimi-cli.md 13.7). Images alone: the engine sends no videos. */
export function kimiReadMediaFace(ground: Ground): ToolFace {
  return kimiFace<ReadArgs, ReadValue>({
    name: 'ReadMediaFile',
    description,
    executor: 'read',
    parameters: [
      {
        name: 'path',
        required: true,
        schema: { type: 'string', description: 'The image. Outside the working directory the path must be absolute.' },
      },
    ],
    toArgs({ path }) {
      const place = placeOf(path as string, ground);
      return 'error' in place ? place : { args: { path: place.path, only: 'picture' } };
    },
    toResult,
    toFailure: (error) => ({ failed: true, message: failureMessage(error) }),
  });
}
