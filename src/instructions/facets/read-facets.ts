import { compareCodePoints, type Diagnostic, printable } from '../../base/index.ts';
import type { FoundFile } from '../../model/index.ts';
import { boundedScopes } from './bounded-scopes.ts';
import { descriptionLine, isSafeName, MAX_NAME, shownName } from './definition-name.ts';
import {
  bodyOf,
  type DefinitionSource,
  fileSource,
  frontMatterValue,
  headLines,
  keyDiagnostic,
  productSection,
  shippedSource,
} from './definition-source.ts';
import type { Facet, FacetRules, ShippedDefinition } from './facet.ts';
import { modelDiagnostics } from './model-wish.ts';
import { unknownTools } from './offers-tool.ts';
import { FACET_KEYS, readFacetKeys } from './read-facet-keys.ts';

/** Files that are read; more than anybody has. */
const MAX_FILES = 256;

type Read = { facet: Facet | null; diagnostics: Diagnostic[] };

function stemOf(file: FoundFile): string {
  return file.name.replace(/\.md$/i, '');
}

function rejection(file: FoundFile, code: string, message: string, at: readonly string[] = []): Diagnostic {
  return keyDiagnostic(fileSource(file), 'error', code, `${message}; the facet is not used`, at);
}

/** Front matter that is no YAML, in the parser's words and at its place. */
function notYaml(file: FoundFile, severity: 'error' | 'warning', end: string): Diagnostic {
  const [fault = { message: 'it cannot be read', line: 1, column: 1 }] = file.frontMatter?.faults ?? [];
  return {
    severity,
    code: 'facets/not-yaml',
    message: `the front matter is not valid YAML: ${printable(fault.message)}; ${end}`,
    path: file.path,
    line: fault.line,
    column: fault.column,
  };
}

/** Read line by line, all below the product key is lost; where it may be there the facet would be allowed too much. */
function mayHoldKeys(file: FoundFile, productKeys: readonly string[]): boolean {
  return headLines(file).some((line) => productKeys.some((key) => line.includes(key)));
}

/** Why the file as a whole cannot be a facet. */
function rejectFile(file: FoundFile, { productKeys }: FacetRules): Diagnostic | null {
  const head = file.frontMatter ?? null;
  if (file.status !== 'read') return rejection(file, 'facets/too-large', `it is too large (${file.size} bytes)`);
  if (head === null) {
    return rejection(file, 'facets/no-front-matter', 'a facet begins with front matter that has its name');
  }
  if (head.read === 'failed' || (head.read === 'line-wise' && mayHoldKeys(file, productKeys))) {
    return notYaml(file, 'error', 'the facet is not used');
  }
  return rejectName(file);
}

function rejectName(file: FoundFile): Diagnostic | null {
  const stem = stemOf(file);
  const name = frontMatterValue(file, 'name');
  if (!isSafeName(stem) || stem.length > MAX_NAME) {
    const message = `${shownName(stem)} is no name for a facet: at most ${MAX_NAME} characters, no blanks, no < or >`;
    return rejection(file, 'facets/name', message);
  }
  if (name === undefined || name === null) {
    return rejection(file, 'facets/name', `the front matter has no name; it must be ${shownName(stem)}, as the file’s`);
  }
  if (typeof name !== 'string') return rejection(file, 'facets/name', 'name must be a text, in quotes', ['name']);
  if (name === stem) return null;
  const message = `its name is ${shownName(name)}, and the file’s is ${shownName(stem)}; they must be the same`;
  return rejection(file, 'facets/name', message, ['name']);
}

function readDescription(file: FoundFile): { description: string; diagnostics: Diagnostic[] } {
  const value = frontMatterValue(file, 'description');
  if (value === undefined || value === null) return { description: '', diagnostics: [] };
  const say = (message: string): Diagnostic =>
    keyDiagnostic(fileSource(file), 'warning', 'facets/description', message, ['description']);
  if (typeof value !== 'string') {
    return { description: '', diagnostics: [say('description must be a text; it is ignored')] };
  }
  const { line, cut } = descriptionLine(value);
  return { description: line, diagnostics: cut ? [say('description is too long; its end is left out')] : [] };
}

/** Keys that would work below the product key, and do nothing where they stand. */
function misplacedKeys(file: FoundFile, { productKeys }: FacetRules): Diagnostic[] {
  const below = productKeys[0] ?? '';
  return FACET_KEYS.filter((key) => frontMatterValue(file, key) !== undefined).map((key) => {
    const message = `${key} has no effect here; it belongs below ${below}:`;
    return keyDiagnostic(fileSource(file), 'warning', 'facets/misplaced-key', message, [key]);
  });
}

function keysOf(
  section: Parameters<typeof readFacetKeys>[0],
  source: DefinitionSource,
  { knownTools }: FacetRules,
): ReturnType<typeof readFacetKeys> {
  const { keys, diagnostics } = readFacetKeys(section, source);
  return {
    keys,
    diagnostics: [
      ...diagnostics,
      ...unknownTools(keys, section.key, source, knownTools),
      ...modelDiagnostics(keys, section.key, source),
    ],
  };
}

function readFile(file: FoundFile, rules: FacetRules): Read {
  const rejected = rejectFile(file, rules);
  if (rejected !== null) return { facet: null, diagnostics: [rejected] };
  const tolerated =
    file.frontMatter?.read === 'line-wise' ? [notYaml(file, 'warning', 'it was read line by line instead')] : [];
  const read = keysOf(productSection(file, rules.productKeys), fileSource(file), rules);
  const about = readDescription(file);
  const diagnostics = [...tolerated, ...about.diagnostics, ...misplacedKeys(file, rules), ...read.diagnostics];
  if (diagnostics.some(({ severity }) => severity === 'error')) return { facet: null, diagnostics };
  const { description } = about;
  const { scope, path } = file;
  const facet = { name: stemOf(file), description, scope, path, uri: null, file, body: bodyOf(file), keys: read.keys };
  return { facet, diagnostics };
}

function readShipped(shipped: ShippedDefinition, rules: FacetRules): Read {
  const { name, description = '', uri, text } = shipped;
  const { keys, diagnostics } = keysOf({ key: null, value: shipped.keys }, shippedSource(uri), rules);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { facet: null, diagnostics };
  const body = { text, line: 1 };
  return { facet: { name, description, scope: 'shipped', path: null, uri, file: null, body, keys }, diagnostics };
}

function shadowed(file: FoundFile, by: Facet): Diagnostic[] {
  if (by.file === null || by.file.sha256 === file.sha256) return [];
  const message = `not used: ${printable(by.path ?? '')} has the same name and comes first`;
  return [{ severity: 'info', code: 'facets/shadowed', message, path: file.path, data: { by: by.path } }];
}

/**
 * The facets there are, by name. `files`: the nearest scope first; one file replaces another of its name, and a shipped
 * facet, as a whole (spec/polytoken.md 3.1.3). What is rejected leaves its name to the next.
 */
export function readFacets(
  files: readonly FoundFile[],
  shipped: readonly ShippedDefinition[],
  rules: FacetRules,
): { facets: Facet[]; diagnostics: Diagnostic[] } {
  const facets = new Map<string, Facet>();
  const diagnostics: Diagnostic[] = [];
  const take = (read: Read): void => {
    diagnostics.push(...read.diagnostics);
    if (read.facet !== null) facets.set(read.facet.name, read.facet);
  };
  const bounded = boundedScopes(files, MAX_FILES, 'facets');
  for (const file of bounded.files) {
    const before = facets.get(stemOf(file));
    if (before === undefined) take(readFile(file, rules));
    else diagnostics.push(...shadowed(file, before));
  }
  diagnostics.push(...bounded.diagnostics);
  for (const one of shipped) if (!facets.has(one.name)) take(readShipped(one, rules));
  return { facets: [...facets.values()].sort((a, b) => compareCodePoints(a.name, b.name)), diagnostics };
}

/** All that is to be said of one file by itself. */
export function checkFacet(file: FoundFile, rules: FacetRules): Diagnostic[] {
  return readFile(file, rules).diagnostics;
}
