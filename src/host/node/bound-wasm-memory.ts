import { ReinError } from '../../base/index.ts';

/** Of the section that declares a module's memory. */
const MEMORY_SECTION = 5;
/** Magic number and version. */
const HEADER = 8;

/**
 * The same WebAssembly module with a memory that cannot grow beyond so many pages of 64 KiB: past it an allocation
 * fails, instead of the machine. Throws ReinError where it is no module with one memory that starts smaller.
 */
export function boundWasmMemory(module: Uint8Array, maxPages: number): Uint8Array {
  for (let at = HEADER; at < module.length; ) {
    const id = module[at];
    const size = readUnsigned(module, at + 1);
    const end = size.next + size.value;
    if (id === MEMORY_SECTION) {
      const body = boundedMemory(module.subarray(size.next, end), maxPages);
      const section = Uint8Array.from([MEMORY_SECTION, ...unsigned(body.length), ...body]);
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw unreadable('the module declares no memory');
}

/** One memory: count, flags, pages at the start, and pages at most where the flags say so. */
function boundedMemory(body: Uint8Array, maxPages: number): number[] {
  const flags = body[1] ?? 0xff;
  const pages = readUnsigned(body, 2);
  if (body[0] !== 1 || flags > 1 || pages.value > maxPages) throw unreadable('the memory cannot be bounded');
  return [1, 1, ...unsigned(pages.value), ...unsigned(maxPages)];
}

function unreadable(why: string): ReinError {
  return new ReinError('templates/engine-unreadable', `the template engine is not as expected: ${why}`);
}

/** LEB128. */
function readUnsigned(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let index = at, scale = 1; index < at + 5; index += 1, scale *= 128) {
    const byte = bytes[index];
    if (byte === undefined) break;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next: index + 1 };
  }
  throw unreadable('a number of the module does not end');
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}
