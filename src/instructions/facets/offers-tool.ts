import { type Diagnostic, nearest } from '../../base/index.ts';
import type { Definition, DefinitionWords, RoleKeys } from './definition.ts';
import { shownName } from './definition-name.ts';
import { type DefinitionSource, keyDiagnostic } from './definition-source.ts';

/** Every tool that is not of an MCP server, but those that a list must name; every tool of an MCP server. */
const ALL = 'tag!ALL';
const ALL_MCP = 'tag!ALL_MCP';
const MCP = 'mcp__';

/** Unknown names that are told of one by one, for each list. */
const MAX_TOLD = 16;

/** `mcpServer`: the MCP server whose tool it is. */
export type NamedTool = { name: string; mcpServer?: string };

function isOfServer(tool: NamedTool): boolean {
  return tool.mcpServer !== undefined || tool.name.startsWith(MCP);
}

/** `mcp__a` is server a. Where the server is not told, the name must do, though `mcp__a__b` may be a server too. */
function isServerOf(entry: string, tool: NamedTool): boolean {
  if (!entry.startsWith(MCP)) return false;
  return tool.mcpServer === undefined ? tool.name.startsWith(`${entry}__`) : entry === `${MCP}${tool.mcpServer}`;
}

function isListed(entry: string, tool: NamedTool, exceptFromAll: readonly string[]): boolean {
  if (entry === ALL) return !isOfServer(tool) && !exceptFromAll.includes(tool.name);
  if (entry === ALL_MCP) return isOfServer(tool);
  return entry === tool.name || isServerOf(entry, tool);
}

/** A denial is read widely: `tag!ALL` then has no exceptions, and a server is known by its tools' names as well. */
function isDenied(entry: string, tool: NamedTool): boolean {
  return isListed(entry, tool, []) || (entry.startsWith(MCP) && tool.name.startsWith(`${entry}__`));
}

/**
 * Whether the role gives the model this tool. `exceptFromAll`: tools that `tag!ALL` leaves out, so that a role has
 * them only where it names them. One without `tools` has `tag!ALL` and `tag!ALL_MCP`.
 */
export function offersTool(
  { keys }: Pick<Definition, 'keys'>,
  tool: NamedTool,
  exceptFromAll: readonly string[] = [],
): boolean {
  const listed = keys.tools ?? [ALL, ALL_MCP];
  if (!listed.some((entry) => isListed(entry, tool, exceptFromAll))) return false;
  return !keys.toolsDeny.some((entry) => isDenied(entry, tool));
}

/** Names in a role's lists of tools that no tool has. Tools of MCP servers are not known before these have started. */
export function unknownTools(
  keys: RoleKeys,
  sectionKey: string | null,
  source: DefinitionSource,
  knownTools: readonly string[],
  many: DefinitionWords['many'],
): Diagnostic[] {
  const known = new Set([...knownTools, ALL, ALL_MCP]);
  const lists = { tools: keys.tools ?? [], tools_deny: keys.toolsDeny, undeferred_tools: keys.undeferredTools };
  return Object.entries(lists).flatMap(([key, entries]) =>
    entries
      .filter((entry) => !known.has(entry) && !entry.startsWith(MCP))
      .slice(0, MAX_TOLD)
      .map((entry) => {
        const near = nearest(entry, [...known]);
        const hint = near === undefined ? '' : `; did you mean ${near}?`;
        const message = `${key}: there is no tool ${shownName(entry)}${hint}`;
        const at = sectionKey === null ? [key] : [sectionKey, key];
        return keyDiagnostic(source, 'warning', `${many}/unknown-tool`, message, at, entry);
      }),
  );
}
