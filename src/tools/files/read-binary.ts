import type { FileFacts } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';
import type { ReadValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { observe } from './observe.ts';
import { looksBinary, sniffMime } from './text-form.ts';

type Outcome = ToolOutcome<ReadValue>;
type Found = { bytes: Uint8Array; facts: FileFacts; real: string };

/** The largest picture that is read where a picture is asked for. */
const PICTURE_BYTES = 100 * 1024 * 1024;

/** A picture is shown where the model takes pictures; of anything else its kind and size are told. */
export async function readBinary(
  path: string,
  { bytes, facts, real }: Found,
  context: ToolContext,
): Promise<ToolOutcome<ReadValue> & { value: ReadValue }> {
  const mime = sniffMime(bytes);
  const observed = [observe(real, bytes, facts, { how: 'read', complete: false, decorated: false })];
  const size = bytes.length;
  const image = isPicture(mime) ? await context.takeImage?.(bytes) : undefined;
  if (image === undefined) return { value: { kind: 'binary', path, size, mime }, observed };
  if (!image.taken) return { value: { kind: 'binary', path, size, mime, why: image.why }, observed };
  const { sha256, width, height, was } = image;
  return { value: { kind: 'image', path, size, mime: image.mime, sha256, width, height, was }, observed };
}

/** Only a picture. What is none is a failure that says what it is instead. */
export async function readPicture(path: string, facts: FileFacts, context: ToolContext): Promise<Outcome> {
  const { files } = context.host;
  if (facts.size === 0) return refused('empty', `${path} is empty.`, { path });
  if (facts.size > PICTURE_BYTES) {
    const message = `${path} has ${facts.size} bytes, more than the ${PICTURE_BYTES} of a picture.`;
    return refused('too-large', message, { path, size: facts.size, limit: PICTURE_BYTES });
  }
  const found = await files.readRegular(path, { maxBytes: PICTURE_BYTES });
  if (!found.ok) return refused(found.why, `Cannot read ${path}: ${found.detail}.`, { path });
  const mime = sniffMime(found.bytes);
  const data = { path, mime };
  if (!isPicture(mime)) {
    return looksBinary(found.bytes)
      ? refused('not-picture', `${path} is no picture that can be shown.`, data)
      : refused('is-text', `${path} is text.`, data);
  }
  if (context.takeImage === undefined) return refused('no-pictures', 'The model takes no pictures.', data);
  const real = (await files.realPath(path)) ?? path;
  const outcome = await readBinary(path, { bytes: found.bytes, facts: found.facts, real }, context);
  if (outcome.value.kind === 'image') return outcome;
  const why = outcome.value.kind === 'binary' ? outcome.value.why : undefined;
  return refused('unfit', `${path} cannot be shown${why === undefined ? '' : `: ${why}`}.`, data);
}

function isPicture(mime: string | null): boolean {
  return mime !== null && ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(mime);
}

function refused(why: string, message: string, data: ToolFailure['data'] & {}): Outcome {
  return { error: { code: `read/${why}`, message, data }, observed: [] };
}
