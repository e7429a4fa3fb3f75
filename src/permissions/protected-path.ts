import { dirname, join } from 'node:path';

export type ProtectedRoots = {
  home: string;
  /** `$XDG_CONFIG_HOME`. */
  configHome: string;
  /** `$XDG_STATE_HOME`. */
  stateHome: string;
};

const AGENT = 'the agent’s own configuration';
/** Where this program and those whose places it reads keep instructions and settings. */
const OWN_DIRECTORIES = ['.rein', '.kli', '.kimi', '.polytoken'];
/** The same below the user's configuration. */
export const OWN_CONFIG: readonly string[] = OWN_DIRECTORIES.map(undotted);
const AGENT_DIRECTORIES = [...OWN_DIRECTORIES, '.agents', '.claude', '.codex', '.cursor', '.gemini', '.opencode'];

/** Directories anywhere whose whole content decides what an agent, git or an editor runs. */
const DIRECTORIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(AGENT_DIRECTORIES.map((name) => [name, AGENT])),
  '.git': 'git’s own files, hooks included',
  '.githooks': 'git hooks',
  '.husky': 'git hooks',
  '.devcontainer': 'what an editor runs',
  '.circleci': 'a continuous integration file',
  '.buildkite': 'a continuous integration file',
  '.woodpecker': 'a continuous integration file',
};
/** The same for a directory within a certain one. */
const NESTED: Readonly<Record<string, string>> = {
  '.github/workflows': 'a continuous integration file',
  '.github/actions': 'a continuous integration file',
  '.cargo/config': 'a package registry’s settings',
  '.cargo/config.toml': 'a package registry’s settings',
  '.bundle/config': 'a package registry’s settings',
  '.vscode/tasks.json': 'what an editor runs',
  '.vscode/settings.json': 'what an editor runs',
  '.vscode/launch.json': 'what an editor runs',
};
const REGISTRY = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.pypirc',
  'pip.conf',
  'pip.ini',
  '.condarc',
  '.gemrc',
  'nuget.config',
  '.netrc',
  '.gitmodules',
];
const PIPELINES = [
  '.gitlab-ci.yml',
  '.travis.yml',
  'azure-pipelines.yml',
  'jenkinsfile',
  'bitbucket-pipelines.yml',
  '.drone.yml',
  'appveyor.yml',
  '.woodpecker.yml',
];
const HOOKS = [
  '.envrc',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.lefthook.yml',
  '.mcp.json',
  '.gitconfig',
  '.devcontainer.json',
];
/** Files of the home directory that a shell reads when it starts. */
export const PROFILES: readonly string[] = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.inputrc',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.xprofile',
  '.xinitrc',
];
const AGENT_CONFIG = AGENT_DIRECTORIES.map(undotted);

const FILES: ReadonlyMap<string, string> = new Map([
  ...REGISTRY.map((name) => [name, 'a package registry’s settings'] as const),
  ...PIPELINES.map((name) => [name, 'a continuous integration file'] as const),
  ...HOOKS.map((name) => [name, 'hooks that other programs run'] as const),
]);

/**
 * Why a file must not be changed without a person's word: it decides what this program or another one may do or runs by
 * itself. Null: it does not. Names are compared in lower case, since some disks do.
 */
export function protection(path: string, { home, configHome, stateHome }: ProtectedRoots): string | null {
  if (AGENT_CONFIG.some((name) => isInside(path, join(configHome, name)))) return AGENT;
  if (isInside(path, join(stateHome, 'rein'))) return 'the agent’s own records';
  if (isInside(path, join(home, '.ssh'))) return 'settings of remote logins';
  if (isInside(path, join(home, '.config/fish')) || isInside(path, join(home, '.config/git'))) return 'a shell profile';
  const names = path
    .toLowerCase()
    .split('/')
    .filter((name) => name !== '');
  const name = names.at(-1) ?? '';
  if (dirname(path) === home && PROFILES.includes(name)) return 'a shell profile';
  for (const [index, part] of names.entries()) {
    const why = lookUp(DIRECTORIES, part) ?? lookUp(NESTED, `${part}/${names[index + 1] ?? ''}`);
    if (why !== null) return why;
  }
  return FILES.get(name) ?? null;
}

function lookUp(table: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function undotted(name: string): string {
  return name.slice(1);
}
