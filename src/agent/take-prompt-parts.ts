import { resolve } from 'node:path';
import { type Part, type PromptPart, workingDirectory } from '../model/index.ts';
import { CommandError } from './error.ts';
import type { AgentParts } from './parts.ts';
import { takeImage } from './take-image.ts';

/** Largest picture that is opened, bytes; what is sent is smaller. */
const MAX_PICTURE = 32 * 1024 * 1024;

/**
 * What came with a prompt, as the log holds it: pictures measured, made to fit and stored. One that cannot be made to
 * fit is replaced by a line that says so. Throws CommandError media/unreadable, media/not-a-picture, media/unknown.
 */
export async function takePromptParts(parts: AgentParts, given: readonly PromptPart[]): Promise<Part[]> {
  const taken: Part[] = [];
  for (const part of given) taken.push(await takePart(parts, part));
  return taken;
}

async function takePart(parts: AgentParts, part: PromptPart): Promise<Part> {
  if (part.type === 'text') return part;
  if ('sha256' in part) {
    if (parts.log.media(part.sha256) !== undefined) return part;
    throw new CommandError(
      'media/unknown',
      `this session holds no picture ${JSON.stringify(part.sha256.slice(0, 64))}`,
    );
  }
  const { bytes, name } = 'path' in part ? await readPicture(parts, part.path) : decodePicture(part.base64);
  const image = await takeImage(parts, bytes);
  if (image.taken) return { type: 'media', sha256: image.sha256, mime: image.mime };
  const { fault, why } = image;
  if (fault !== 'too-large') throw new CommandError('media/not-a-picture', `${name} cannot be sent: ${why}`);
  return { type: 'text', text: `[picture left out: ${name}, ${why}]` };
}

async function readPicture(parts: AgentParts, given: string): Promise<{ bytes: Uint8Array; name: string }> {
  const state = parts.log.state();
  const path = resolve(workingDirectory(state), given);
  const read = await parts.host.files.readRegular(path, { maxBytes: MAX_PICTURE });
  if (read.ok) return { bytes: read.bytes, name: path };
  throw new CommandError('media/unreadable', `cannot read the picture ${path}: ${read.detail}`, { data: { path } });
}

function decodePicture(base64: string): { bytes: Uint8Array; name: string } {
  const bytes = Buffer.from(base64, 'base64');
  // Buffer skips what is no base64: without this check a wrong text would be a short, broken picture.
  const sound = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && Math.abs(bytes.length * 4 - base64.length * 3) <= 8;
  if (!sound) throw new CommandError('media/not-a-picture', 'a picture given as base64 is not base64');
  return { bytes, name: 'a picture given as base64' };
}
