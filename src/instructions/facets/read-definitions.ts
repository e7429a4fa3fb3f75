import { compareCodePoints, type Diagnostic, printable } from '../../base/index.ts';
import type { FoundFile } from '../../model/index.ts';
import { boundedScopes } from './bounded-scopes.ts';
import type { Definition, DefinitionWords, FacetRules, RoleKeys, ShippedDefinition } from './definition.ts';
import { descriptionLine, isSafeName, MAX_NAME, shownName } from './definition-name.ts';
import {
  bodyOf,
  type DefinitionSource,
  entriesOf,
  fileSource,
  frontMatterValue,
  headLines,
  keyDiagnostic,
  type ProductSection,
  productSection,
  shippedSource,
} from './definition-source.ts';
import { RESTRICTING_KEYS } from './key-reader.ts';
import { modelDiagnostics } from './model-wish.ts';
import { unknownTools } from './offers-tool.ts';

/** Files that are read; more than anybody has. */
const MAX_FILES = 256;

/** How one kind of definitions is read. */
export type DefinitionReader<K extends RoleKeys> = {
  words: DefinitionWords;
  /** Keys below the product key. */
  known: readonly string[];
  /** It is chosen by its description: without one it is not used. */
  described: boolean;
  keys(section: ProductSection, source: DefinitionSource): { keys: K; diagnostics: Diagnostic[] };
};

type Read<K extends RoleKeys> = { definition: Definition<K> | null; diagnostics: Diagnostic[] };

function stemOf(file: FoundFile): string {
  return file.name.replace(/\.md$/i, '');
}

/** The file cannot be used as a whole. */
function rejection(
  file: FoundFile,
  { one, many }: DefinitionWords,
  what: string,
  message: string,
  at: readonly string[] = [],
): Diagnostic {
  return keyDiagnostic(fileSource(file), 'error', `${many}/${what}`, `${message}; the ${one} is not used`, at);
}

/** Front matter that is no YAML, in the parser's words and at its place. */
function notYaml(file: FoundFile, { many }: DefinitionWords, severity: 'error' | 'warning', end: string): Diagnostic {
  const [fault = { message: 'it cannot be read', line: 1, column: 1 }] = file.frontMatter?.faults ?? [];
  return {
    severity,
    code: `${many}/not-yaml`,
    message: `the front matter is not valid YAML: ${printable(fault.message)}; ${end}`,
    path: file.path,
    line: fault.line,
    column: fault.column,
  };
}

/** Read line by line, all below the product key is lost; where it may be there the role would be allowed too much. */
function mayHoldKeys(file: FoundFile, productKeys: readonly string[]): boolean {
  return headLines(file).some((line) => productKeys.some((key) => line.includes(key)));
}

/** Why the file as a whole cannot be a definition. */
function rejectFile(file: FoundFile, { productKeys }: FacetRules, words: DefinitionWords): Diagnostic | null {
  const head = file.frontMatter ?? null;
  if (file.status !== 'read') return rejection(file, words, 'too-large', `it is too large (${file.size} bytes)`);
  if (head === null) {
    return rejection(file, words, 'no-front-matter', `a ${words.one} begins with front matter that has its name`);
  }
  if (head.read === 'failed' || (head.read === 'line-wise' && mayHoldKeys(file, productKeys))) {
    return notYaml(file, words, 'error', `the ${words.one} is not used`);
  }
  return rejectName(file, words);
}

function rejectName(file: FoundFile, words: DefinitionWords): Diagnostic | null {
  const stem = stemOf(file);
  const name = frontMatterValue(file, 'name');
  if (!isSafeName(stem) || stem.length > MAX_NAME) {
    const message = `${shownName(stem)} is no name for a ${words.one}: at most ${MAX_NAME} characters, no blanks, no < or >`;
    return rejection(file, words, 'name', message);
  }
  if (name === undefined || name === null) {
    return rejection(file, words, 'name', `the front matter has no name; it must be ${shownName(stem)}, as the file’s`);
  }
  if (typeof name !== 'string') return rejection(file, words, 'name', 'name must be a text, in quotes', ['name']);
  if (name === stem) return null;
  const message = `its name is ${shownName(name)}, and the file’s is ${shownName(stem)}; they must be the same`;
  return rejection(file, words, 'name', message, ['name']);
}

function readDescription(
  file: FoundFile,
  { words, described }: Pick<DefinitionReader<RoleKeys>, 'words' | 'described'>,
): { description: string; diagnostics: Diagnostic[] } {
  const value = frontMatterValue(file, 'description') ?? '';
  const { line, cut } = descriptionLine(typeof value === 'string' ? value : '');
  const said = (diagnostic: Diagnostic) => ({ description: line, diagnostics: [diagnostic] });
  if (line === '' && described) {
    return said(
      rejection(file, words, 'description', 'it needs a description, by which it is chosen', ['description']),
    );
  }
  const warn = (message: string): Diagnostic =>
    keyDiagnostic(fileSource(file), 'warning', `${words.many}/description`, message, ['description']);
  if (typeof value !== 'string') return said(warn('description must be a text; it is ignored'));
  return cut ? said(warn('description is too long; its end is left out')) : { description: line, diagnostics: [] };
}

/** Keys that would work below the product key, and do nothing where they stand. */
function misplacedKeys(
  file: FoundFile,
  section: ProductSection,
  { productKeys }: FacetRules,
  { words, known }: Pick<DefinitionReader<RoleKeys>, 'words' | 'known'>,
): Diagnostic[] {
  const below = productKeys[0] ?? '';
  const given = entriesOf(section.value).map(([key]) => key);
  return known
    .filter((key) => frontMatterValue(file, key) !== undefined)
    .map((key) => {
      const message = `${key} has no effect here; it belongs below ${below}:`;
      const at = [fileSource(file), `${words.many}/misplaced-key`] as const;
      // Read on, it would give the role more than was written.
      if (RESTRICTING_KEYS.includes(key) && !given.includes(key)) {
        return keyDiagnostic(at[0], 'error', at[1], `${message}; the ${words.one} is not used`, [key]);
      }
      return keyDiagnostic(at[0], 'warning', at[1], message, [key]);
    });
}

function keysOf<K extends RoleKeys>(
  section: ProductSection,
  source: DefinitionSource,
  { knownTools }: FacetRules,
  reader: DefinitionReader<K>,
): { keys: K; diagnostics: Diagnostic[] } {
  const { keys, diagnostics } = reader.keys(section, source);
  const { many } = reader.words;
  return {
    keys,
    diagnostics: [
      ...diagnostics,
      ...unknownTools(keys, section.key, source, knownTools, many),
      ...modelDiagnostics(keys, section.key, source, many),
    ],
  };
}

function readFile<K extends RoleKeys>(file: FoundFile, rules: FacetRules, reader: DefinitionReader<K>): Read<K> {
  const { words } = reader;
  const rejected = rejectFile(file, rules, words);
  if (rejected !== null) return { definition: null, diagnostics: [rejected] };
  const tolerated =
    file.frontMatter?.read === 'line-wise' ? [notYaml(file, words, 'warning', 'it was read line by line instead')] : [];
  const section = productSection(file, rules.productKeys);
  const read = keysOf(section, fileSource(file), rules, reader);
  const about = readDescription(file, reader);
  const diagnostics = [
    ...tolerated,
    ...about.diagnostics,
    ...misplacedKeys(file, section, rules, reader),
    ...read.diagnostics,
  ];
  if (diagnostics.some(({ severity }) => severity === 'error')) return { definition: null, diagnostics };
  const { description } = about;
  const { scope, path } = file;
  const { keys } = read;
  const definition = { name: stemOf(file), description, scope, path, uri: null, file, body: bodyOf(file), keys };
  return { definition, diagnostics };
}

function readShipped<K extends RoleKeys>(
  { name, description = '', uri, text, keys: values }: ShippedDefinition,
  rules: FacetRules,
  reader: DefinitionReader<K>,
): Read<K> {
  const { keys, diagnostics } = keysOf({ key: null, value: values }, shippedSource(uri), rules, reader);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { definition: null, diagnostics };
  const definition: Definition<K> = {
    name,
    description,
    scope: 'shipped',
    path: null,
    uri,
    file: null,
    body: { text, line: 1 },
    keys,
  };
  return { definition, diagnostics };
}

function shadowed(file: FoundFile, by: Definition, { many }: DefinitionWords): Diagnostic[] {
  if (by.file === null || by.file.sha256 === file.sha256) return [];
  const message = `not used: ${printable(by.path ?? '')} has the same name and comes first`;
  return [{ severity: 'info', code: `${many}/shadowed`, message, path: file.path, data: { by: by.path } }];
}

/**
 * The definitions there are, by name. `files`: the nearest scope first; one file replaces another of its name, and a
 * shipped definition, as a whole (spec/polytoken.md 3.1.3, 8.1.1). What is rejected leaves its name to the next.
 */
export function readDefinitions<K extends RoleKeys>(
  files: readonly FoundFile[],
  shipped: readonly ShippedDefinition[],
  rules: FacetRules,
  reader: DefinitionReader<K>,
): { definitions: Definition<K>[]; diagnostics: Diagnostic[] } {
  const definitions = new Map<string, Definition<K>>();
  const diagnostics: Diagnostic[] = [];
  const take = (read: Read<K>): void => {
    diagnostics.push(...read.diagnostics);
    if (read.definition !== null) definitions.set(read.definition.name, read.definition);
  };
  const bounded = boundedScopes(files, MAX_FILES, reader.words.many);
  for (const file of bounded.files) {
    const before = definitions.get(stemOf(file));
    if (before === undefined) take(readFile(file, rules, reader));
    else diagnostics.push(...shadowed(file, before, reader.words));
  }
  diagnostics.push(...bounded.diagnostics);
  for (const one of shipped) if (!definitions.has(one.name)) take(readShipped(one, rules, reader));
  return { definitions: [...definitions.values()].sort((a, b) => compareCodePoints(a.name, b.name)), diagnostics };
}

/** All that is to be said of one file by itself. */
export function checkDefinition<K extends RoleKeys>(
  file: FoundFile,
  rules: FacetRules,
  reader: DefinitionReader<K>,
): Diagnostic[] {
  return readFile(file, rules, reader).diagnostics;
}
