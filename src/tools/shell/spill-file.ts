import { join } from 'node:path';
import { byteLength, cutHead } from '../../base/index.ts';
import { type AppendHandle, FileError, type HostPorts } from '../../host/index.ts';

const NOTE = '\n[The output went on; no more of it was kept.]\n';

/** The whole of an output, up to a limit, in a file that only its owner can read. A full disk ends it quietly. */
export class SpillFile {
  readonly path: string;
  readonly #handle: AppendHandle;
  readonly #limit: number;
  #size = 0;
  #closed = false;

  private constructor(path: string, handle: AppendHandle, limit: number) {
    this.path = path;
    this.#handle = handle;
    this.#limit = limit;
  }

  /** Null where the file cannot be made: the output is then cut without one. */
  static async create(host: HostPorts, directory: string, limit: number): Promise<SpillFile | null> {
    const name = `shell-${Buffer.from(host.random.bytes(8)).toString('hex')}.txt`;
    const path = join(directory, name);
    try {
      await host.files.makeDirectory(directory, { mode: 0o700 });
      return new SpillFile(path, await host.files.openAppend(path, { mode: 0o600, create: true }), limit);
    } catch (error) {
      if (error instanceof FileError) return null;
      throw error;
    }
  }

  write(text: string): void {
    if (this.#closed) return;
    const room = this.#limit - this.#size;
    const fits = cutHead(text, room);
    try {
      this.#handle.write(fits);
      this.#size += byteLength(fits);
      if (fits.length < text.length) {
        this.#handle.write(NOTE);
        this.close();
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.close();
    }
  }

  close(): void {
    if (!this.#closed) this.#handle.close();
    this.#closed = true;
  }
}
