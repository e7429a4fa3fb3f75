import { realpathSync } from 'node:fs';

const HEADER = '\n\n# Project Context\n\nProject-specific instructions and guidelines:\n\n';

/** The bytes of kli's context section (spec/kli.md 1.16) for files given as path and text, in order. */
export function contextSection(...files: readonly (readonly [path: string, text: string])[]): string {
  return HEADER + files.map(([path, text]) => `## ${realpathSync(path)}\n\n${text}\n\n`).join('');
}

/** The part of a system prompt from its first `# Project Context` on; empty where there is none. */
export function contextOf(system: string): string {
  const start = system.indexOf(HEADER);
  return start === -1 ? '' : system.slice(start);
}

/** The part before it: base or override, and what was appended. */
export function baseOf(system: string): string {
  return system.slice(0, system.length - contextOf(system).length);
}

/** The lines of one block of the base prompt that begin with a dash, from its title to the first other text. */
export function bulletsOf(base: string, title: string): string[] {
  const start = base.indexOf(`${title}\n`);
  if (start === -1) return [];
  const lines = base
    .slice(start + title.length + 1)
    .replace(/^\n+/, '')
    .split('\n');
  const end = lines.findIndex((line) => !line.startsWith('- '));
  return lines.slice(0, end === -1 ? undefined : end);
}
