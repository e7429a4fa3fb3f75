import type { Diagnostic } from '../../base/index.ts';
import type { FoundFile, JsonSchema } from '../../model/index.ts';
import type { DefinitionWords, FacetRules, ShippedDefinition } from '../facets/definition.ts';
import type { DefinitionSource, ProductSection } from '../facets/definition-source.ts';
import { KeyReader, ROLE_KEYS } from '../facets/key-reader.ts';
import { checkDefinition, type DefinitionReader, readDefinitions } from '../facets/read-definitions.ts';
import { DEFAULT_EXIT_SCHEMA, readExitSchema } from './exit-schema.ts';
import type { Subagent, SubagentKeys } from './subagent.ts';

const WORDS: DefinitionWords = { one: 'subagent', many: 'subagents' };
const EXIT_SCHEMA = 'exit_tool_schema';
const INSTRUCTIONS = 'project_instructions';
const KEYS: readonly string[] = [...ROLE_KEYS, 'inherit_tools', 'allow_subagent_spawn', EXIT_SCHEMA, INSTRUCTIONS];

function exitSchema(reader: KeyReader): JsonSchema {
  const value = reader.value(EXIT_SCHEMA);
  if (value === undefined) return DEFAULT_EXIT_SCHEMA;
  const read = readExitSchema(value);
  if ('schema' in read) return read.schema;
  reader.bad(`${EXIT_SCHEMA}: ${read.fault.message}`, [EXIT_SCHEMA, ...read.fault.at]);
  return DEFAULT_EXIT_SCHEMA;
}

function readSubagentKeys(
  section: ProductSection,
  source: DefinitionSource,
): { keys: SubagentKeys; diagnostics: Diagnostic[] } {
  const reader = new KeyReader(section, source, WORDS);
  const keys: SubagentKeys = {
    ...reader.roleKeys(),
    inheritTools: reader.flag('inherit_tools'),
    spawns: reader.flag('allow_subagent_spawn'),
    exitSchema: exitSchema(reader),
    projectInstructions: reader.flag(INSTRUCTIONS, true),
  };
  if (keys.inheritTools && keys.tools !== null) {
    const message = 'with tools beside it, inherit_tools gives only those of the caller’s tools that are listed';
    reader.say('warning', 'inherit-and-list', message, ['inherit_tools']);
  }
  reader.unknownKeys(KEYS);
  return { keys, diagnostics: reader.diagnostics };
}

const SUBAGENTS: DefinitionReader<SubagentKeys> = {
  words: WORDS,
  known: KEYS,
  described: true,
  keys: readSubagentKeys,
};

/** The subagents there are, by name. `files`: the nearest scope first. */
export function readSubagents(
  files: readonly FoundFile[],
  shipped: readonly ShippedDefinition[],
  rules: FacetRules,
): { subagents: Subagent[]; diagnostics: Diagnostic[] } {
  const { definitions, diagnostics } = readDefinitions(files, shipped, rules, SUBAGENTS);
  return { subagents: definitions, diagnostics };
}

/** All that is to be said of one file by itself. */
export function checkSubagent(file: FoundFile, rules: FacetRules): Diagnostic[] {
  return checkDefinition(file, rules, SUBAGENTS);
}
