import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createNodeHost } from '../src/host/node/index.ts';
import {
  type CapturedRequest,
  type RehearsalReply,
  type RehearsalServer,
  type ServerRules,
  serveRehearsal,
} from '../src/testing/index.ts';
import { systemOf } from './rig/captured.ts';
import { type Entry, type Folders, locate, type Tree, writeEntry, writeTree } from './rig/files.ts';
import { type Ended, type Launch, runProgram } from './rig/program.ts';
import { StreamSession } from './rig/stream-session.ts';

export { bodyOf, messagesOf, systemOf, toolNamesOf } from './rig/captured.ts';
export type { Ended } from './rig/program.ts';
export type { Line } from './rig/stream-session.ts';

export type RunOptions = {
  /** Below the project; default the project itself. */
  cwd?: string;
  input?: string | Uint8Array;
  env?: Readonly<Record<string, string>>;
};

export type WorkspaceOptions = {
  replies?: readonly RehearsalReply[];
  /** How the scripted model's server differs from a lenient one. */
  server?: ServerRules;
  /** Default: `kli`. */
  harness?: string;
};

/** Answers `ok` to everything. */
export const SAY_OK: readonly RehearsalReply[] = [{ text: 'ok', repeat: true }];

/**
 * A project and a home of its own in a temporary directory, and a scripted model that keeps what it was sent. The
 * built program runs there; nothing of the machine's user is seen or touched. Removed when the test ends.
 */
export class Workspace implements Folders {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly server: RehearsalServer;
  readonly harness: string;

  constructor(folders: Folders, server: RehearsalServer, harness: string) {
    this.root = folders.root;
    this.home = folders.home;
    this.project = folders.project;
    this.server = server;
    this.harness = harness;
  }

  path(path: string): string {
    return locate(this, path);
  }

  write(path: string, entry: Entry): void {
    writeEntry(this.path(path), entry);
  }

  remove(path: string): void {
    rmSync(this.path(path), { recursive: true });
  }

  requests(): readonly CapturedRequest[] {
    return this.server.requests();
  }

  /** Runs `rein ARGS`. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const { input } = options;
    return runProgram({ ...this.#launch(args, options), ...(input === undefined ? {} : { input }) });
  }

  /** Runs `rein -p ARGS` in the workspace's harness and expects it to end well. */
  async print(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const ended = await this.run(['-p', ...args], options);
    if (ended.code !== 0) throw new Error(`exit code ${ended.code}: ${ended.stderr}`);
    return ended;
  }

  /** One prompt in a process of its own; returns the system prompt of its first request. */
  async systemPrompt(options: RunOptions & { args?: readonly string[] } = {}): Promise<string> {
    const before = this.requests().length;
    await this.print([...(options.args ?? []), 'hello'], options);
    return systemOf(this.requests()[before]);
  }

  /** Opens `rein -p --input stream-json ARGS`. */
  stream(args: readonly string[] = [], options: RunOptions = {}): StreamSession {
    const session = new StreamSession(this.#launch(['-p', '--input', 'stream-json', ...args], options));
    onTestFinished(() => session.kill());
    return session;
  }

  /** The files of all stored sessions. */
  sessionFiles(): string[] {
    const directory = join(this.home, '.local/state/rein/sessions');
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(directory, name))
      .sort();
  }

  /** The lines of the only stored session. */
  sessionLines(): Record<string, unknown>[] {
    const [file, ...more] = this.sessionFiles();
    if (file === undefined || more.length > 0) throw new RangeError(`${more.length} sessions more than one`);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** What the program is given: nothing of the environment the tests run in but PATH. */
  environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      REIN_BASE_URL: this.server.url,
      REIN_MODEL: 'rehearsed',
      REIN_HARNESS: this.harness,
      REIN_NOW: '2026-11-30T12:00:00+00:00',
      ...more,
    };
  }

  #launch(args: readonly string[], options: RunOptions): Launch {
    return { args, cwd: join(this.project, options.cwd ?? '.'), env: this.environment(options.env) };
  }
}

export async function workspace(tree: Tree, options: WorkspaceOptions = {}): Promise<Workspace> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-')));
  const folders = { root, home: join(root, 'home'), project: join(root, 'project') };
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeTree(folders, { '~/': null, './': null, ...tree });
  const server = await serveRehearsal({
    host: createNodeHost(),
    script: {
      path: 'test',
      replies: options.replies ?? SAY_OK,
      ...(options.server === undefined ? {} : { server: options.server }),
    },
    wire: 'chat',
  });
  onTestFinished(() => server.close());
  return new Workspace(folders, server, options.harness ?? 'kli');
}
