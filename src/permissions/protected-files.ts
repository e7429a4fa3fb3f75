import { basename, join } from 'node:path';
import { type Diagnostic, sha256 } from '../base/index.ts';
import type { FileFacts, FilePort } from '../host/index.ts';
import { OWN_CONFIG, PROFILES, type ProtectedRoots, protection } from './protected-path.ts';

/** Files of the home directory, and of each directory worked in, that `protection` names one by one. */
const HOME_FILES = [
  ...PROFILES,
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.condarc',
  '.gemrc',
  '.netrc',
  '.cargo/config.toml',
  '.bundle/config',
  '.config/pip/pip.conf',
  '.pip/pip.conf',
  '.gitconfig',
  '.ssh/config',
  '.ssh/authorized_keys',
  '.ssh/rc',
  '.ssh/environment',
  '.config/git/config',
  '.config/git/attributes',
  '.config/fish/config.fish',
];
const HOME_FOLDERS = ['.config/fish/conf.d', '.config/fish/functions'];
const PROJECT_FILES = [
  '.git/config',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.pypirc',
  'pip.conf',
  '.gitmodules',
  '.gitlab-ci.yml',
  '.travis.yml',
  'azure-pipelines.yml',
  'Jenkinsfile',
  'bitbucket-pipelines.yml',
  '.envrc',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.mcp.json',
  '.drone.yml',
  'appveyor.yml',
  '.woodpecker.yml',
  '.lefthook.yml',
  '.netrc',
  '.gitconfig',
  '.cargo/config.toml',
  '.bundle/config',
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.vscode/launch.json',
];
/** Directories of which every file counts. */
const PROJECT_FOLDERS = [
  '.rein',
  '.kli',
  '.kimi',
  '.polytoken',
  '.agents',
  '.claude',
  '.codex',
  '.cursor',
  '.gemini',
  '.opencode',
  '.devcontainer',
  '.git/hooks',
  '.githooks',
  '.husky',
  '.github/workflows',
  '.github/actions',
  '.circleci',
  '.buildkite',
  '.woodpecker',
];
/** Of one folder: a full one must not hide the others. */
const MAX_FILES = 200;
const MAX_DEPTH = 4;
/** A larger file is compared by size and times. Bytes. */
const MAX_HASHED = 1024 * 1024;

type Seen = { facts: FileFacts; sha256: string };

export type ProtectedFilesOptions = {
  files: FilePort;
  roots: ProtectedRoots;
  /** Where the project begins, and the working directory. */
  directories: readonly string[];
};

/**
 * Tells which of the protected files changed while a command ran, or after it by what it left running: what a command
 * does is not known beforehand. Files are looked at by their times first and read where those differ. Bounded: a file
 * beyond the bounds is not seen.
 */
export class ProtectedFiles {
  readonly #options: ProtectedFilesOptions;
  #known = new Map<string, Seen>();
  /** As they were after the last command; null: there was none. */
  #last: Map<string, Seen> | null = null;

  constructor(options: ProtectedFilesOptions) {
    this.#options = options;
  }

  async watch(): Promise<() => Promise<readonly Diagnostic[]>> {
    const before = await this.#look();
    return async () => {
      const after = await this.#look();
      this.#last = after;
      return this.#changes(before, after, 'while a command ran');
    };
  }

  /** What changed since the last command had ended. */
  async since(): Promise<readonly Diagnostic[]> {
    const before = this.#last;
    if (before === null) return [];
    this.#last = await this.#look();
    return this.#changes(before, this.#last, 'after a command had run');
  }

  /** These were changed by a tool that was allowed to: no command did it. */
  async accept(paths: readonly string[]): Promise<void> {
    const last = this.#last;
    if (last === null) return;
    for (const path of paths) {
      for (const name of [path, await this.#options.files.realPath(path).catch(() => null)]) {
        if (name === null || protection(name, this.#options.roots) === null) continue;
        const facts = await this.#options.files.stat(name).catch(() => null);
        if (facts?.kind === 'file') last.set(name, await this.#hashed(name, facts));
      }
    }
  }

  #changes(before: ReadonlyMap<string, Seen>, after: ReadonlyMap<string, Seen>, when: string): Diagnostic[] {
    return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path) => {
      const how = change(before.get(path), after.get(path));
      return how === null ? [] : [tell(path, how, when, protection(path, this.#options.roots))];
    });
  }

  async #look(): Promise<Map<string, Seen>> {
    const seen = new Map<string, Seen>();
    for (const path of await this.#paths()) {
      const facts = await this.#options.files.stat(path).catch(() => null);
      if (facts?.kind === 'file') seen.set(path, await this.#hashed(path, facts));
    }
    this.#known = seen;
    return seen;
  }

  async #hashed(path: string, facts: FileFacts): Promise<Seen> {
    const known = this.#known.get(path);
    if (known !== undefined && sameFacts(known.facts, facts)) return known;
    const read = await this.#options.files.readRegular(path, { maxBytes: MAX_HASHED });
    return { facts, sha256: read.ok ? sha256(read.bytes) : `${facts.size} ${facts.mtimeMs}` };
  }

  async #paths(): Promise<string[]> {
    const { roots, directories } = this.#options;
    const fixed = [
      ...HOME_FILES.map((name) => join(roots.home, name)),
      join(roots.stateHome, 'rein', 'trust.json'),
      join(roots.configHome, 'rein', 'settings.json'),
      ...directories.flatMap((directory) => PROJECT_FILES.map((name) => join(directory, name))),
    ];
    const folders = [
      ...OWN_CONFIG.map((name) => join(roots.configHome, name)),
      ...HOME_FOLDERS.map((name) => join(roots.home, name)),
      ...directories.flatMap((directory) => PROJECT_FOLDERS.map((name) => join(directory, name))),
    ];
    const found = new Set(fixed);
    for (const folder of folders) {
      const below = new Set<string>();
      await this.#filesBelow(folder, below, 0);
      for (const path of below) found.add(path);
    }
    return [...found];
  }

  async #filesBelow(folder: string, found: Set<string>, depth: number): Promise<void> {
    const entries = await this.#options.files.list(folder).catch(() => []);
    for (const { name, kind } of entries) {
      if (found.size >= MAX_FILES || name.endsWith('.sample')) continue;
      const path = join(folder, name);
      if (kind === 'file' || kind === 'link') found.add(path);
      else if (kind === 'directory' && depth < MAX_DEPTH) await this.#filesBelow(path, found, depth + 1);
    }
  }
}

function sameFacts(left: FileFacts, right: FileFacts): boolean {
  return (
    left.size === right.size &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.inode === right.inode &&
    left.device === right.device
  );
}

function change(before: Seen | undefined, after: Seen | undefined): 'created' | 'removed' | 'changed' | null {
  if (before === undefined) return after === undefined ? null : 'created';
  if (after === undefined) return 'removed';
  return before.sha256 === after.sha256 ? null : 'changed';
}

function tell(path: string, how: string, when: string, why: string | null): Diagnostic {
  const what = why === null ? basename(path) : `${basename(path)}, ${why},`;
  return {
    severity: 'warning',
    code: 'permissions/protected-changed',
    message: `${what} was ${how} ${when}; this session keeps the rules it began with`,
    path,
    data: { how },
  };
}
