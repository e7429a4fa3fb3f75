/** `now`: a test must hold it. Otherwise the part of the program that will bring it. */
export type Due =
  | 'now'
  | 'tools-and-permissions'
  | 'facets'
  | 'skills-and-templates'
  | 'boundaries'
  | 'background'
  | 'subagents'
  | 'discovery'
  | 'wires'
  | 'kli-system'
  | 'kimi-cli'
  | 'terminal'
  | 'mcp'
  | 'lint'
  | 'other-agents';

/** One statement that a user can check. `id` is stable; lettered parts (`M35a`) are verified each by itself. */
export type Requirement = { id: string; statement: string; due: Due; source: string };

export function requirements(source: string, due: Due, statements: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(statements).map(([id, statement]) => ({ id, statement, due, source }));
}
