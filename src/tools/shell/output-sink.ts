import { TerminalText } from '../../base/index.ts';
import type { OutputChunk } from '../../host/index.ts';
import type { ToolContext } from '../contract/index.ts';
import { MaskedText } from './masked-text.ts';
import { OutputWindow } from './output-window.ts';
import { SpillFile } from './spill-file.ts';

// A command that floods its output must not flood the screens that follow it.
const SHOWN_BYTES_PER_SECOND = 64 * 1024;

/** Where a command's bytes go: decoded, cleaned and masked to the window, the spill file and whoever watches. */
export class OutputSink {
  readonly #context: ToolContext;
  readonly #window: OutputWindow;
  // One decoder for each pipe: a character cut at a chunk's end continues in the same pipe.
  readonly #decoders = { stdout: new TextDecoder('utf-8'), stderr: new TextDecoder('utf-8') };
  readonly #text = new TerminalText();
  readonly #masked: MaskedText;
  #spill: SpillFile | null | undefined;
  #second = Number.NEGATIVE_INFINITY;
  #shown = 0;

  constructor(context: ToolContext) {
    this.#context = context;
    this.#window = new OutputWindow(context.limits.headBytes, context.limits.tailBytes);
    this.#masked = new MaskedText((text) => context.mask?.(text) ?? text);
  }

  async push({ stream, bytes }: OutputChunk): Promise<void> {
    const text = this.#decoders[stream].decode(bytes, { stream: true });
    await this.#add(this.#masked.push(this.#text.push(text)));
  }

  async finish(): Promise<{ head: string; tail: string; droppedBytes: number; spill: string | undefined }> {
    const rest = this.#decoders.stdout.decode() + this.#decoders.stderr.decode();
    await this.#add(this.#masked.push(this.#text.push(rest) + this.#text.finish()) + this.#masked.finish());
    this.#spill?.close();
    return { ...this.#window.finish(), spill: this.#spill?.path };
  }

  async #add(text: string): Promise<void> {
    if (text === '') return;
    this.#show(text);
    const before = this.#spill === undefined && !this.#window.hasRoomFor(text) ? this.#window.kept : '';
    this.#window.push(text);
    if (this.#window.isWhole) return;
    if (this.#spill === undefined) {
      this.#spill = await this.#openSpill();
      this.#spill?.write(before);
    }
    this.#spill?.write(text);
  }

  async #openSpill(): Promise<SpillFile | null> {
    const { host, spillDirectory, limits } = this.#context;
    return spillDirectory === null ? null : SpillFile.create(host, spillDirectory, limits.spillBytes);
  }

  #show(text: string): void {
    const now = this.#context.host.clock.monotonicMs();
    if (now - this.#second >= 1000) {
      this.#second = now;
      this.#shown = 0;
    }
    if (this.#shown > SHOWN_BYTES_PER_SECOND) return;
    this.#shown += text.length;
    this.#context.progress(text.slice(0, SHOWN_BYTES_PER_SECOND));
  }
}
