import type { Workspace } from '../rig.ts';
import type { ModelCall } from './tool-results.ts';

type Calls = {
  read(path: string): ModelCall;
  /** The first line alone. */
  readStart(path: string): ModelCall;
  write(path: string, content: string): ModelCall;
  grep(pattern: string, path: string): ModelCall;
  glob(pattern: string, path: string): ModelCall;
  shell(command: string): ModelCall;
};

/** What the harnesses that place the facet in the system prompt, and all else in the history, differ in. */
export type Faceted = {
  harness: 'rein' | 'polytoken';
  /** The project's directory of this harness. */
  inside: string;
  /** The user's. */
  user: string;
  /** Before `://` of shipped texts; each names the same ones. */
  schemes: readonly string[];
  /** Below which a file's front matter speaks to the program; each is understood. */
  keys: readonly string[];
  /** Directories of the project that hold skills, the first to be asked first. */
  skillPlaces: readonly string[];
  names: { read: string; grep: string; write: string };
  call: Calls;
};

const REIN: Calls = {
  read: (path) => ['read', { path }],
  readStart: (path) => ['read', { path, start: 1, end: 1 }],
  write: (path, content) => ['write', { path, content }],
  grep: (pattern, path) => ['grep', { pattern, path }],
  glob: (pattern, path) => ['glob', { pattern, path }],
  shell: (command) => ['shell', { command }],
};

const POLYTOKEN: Calls = {
  ...REIN,
  read: (path) => ['file_read', { path }],
  readStart: (path) => ['file_read', { path, limit: 1 }],
  write: (path, content) => ['file_write', { path, content }],
  shell: (command) => ['shell_exec', { command }],
};

export const FACETED: readonly Faceted[] = [
  {
    harness: 'polytoken',
    inside: '.polytoken',
    user: '~/.config/polytoken',
    schemes: ['polytoken'],
    keys: ['polytoken'],
    skillPlaces: ['.polytoken/skills', '.agents/skills'],
    names: { read: 'file_read', grep: 'grep', write: 'file_write' },
    call: POLYTOKEN,
  },
  {
    harness: 'rein',
    inside: '.rein',
    user: '~/.config/rein',
    schemes: ['polytoken', 'rein'],
    keys: ['polytoken', 'rein'],
    skillPlaces: ['.rein/skills', '.agents/skills', '.claude/skills'],
    names: { read: 'read', grep: 'grep', write: 'write' },
    call: REIN,
  },
];

/** A facet's file. `keys`: further lines of its front matter, each with its line end. */
export function facetFile(name: string, body: string, keys: string = ''): string {
  return `---\nname: ${name}\n${keys}---\n${body}`;
}

/** A skill's file; `keys` as above. */
export function skillFile(name: string, description: string, body: string, keys: string = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${keys}---\n${body}`;
}

/** What stderr says of a file: the lines that name it by its path. */
export function linesAbout(w: Workspace, stderr: string, path: string): string[] {
  return stderr.split('\n').filter((line) => line.includes(w.path(path)));
}
