import type { Node, ParseError } from 'jsonc-parser';
import type { Diagnostic } from '../base/index.ts';
import { RULE_KINDS, type RuleKind } from '../model/index.ts';
import { faultOf } from './check-value.ts';
import type { Leaf } from './layers.ts';
import { LineIndex } from './line-index.ts';
import { lookUp, type ValueType } from './schema.ts';
import type { SettingSource } from './settings.ts';
import { shownKey } from './shown-key.ts';
import { unknownKeyMessage } from './unknown-key.ts';

export type ParsedSettings = { leaves: readonly Leaf[]; diagnostics: readonly Diagnostic[] };

// Deeper than any setting, and far from what a recursive parser can take.
const MAX_DEPTH = 32;

// Of one file; a person reads the first ones.
const MAX_TOLD = 20;

type Jsonc = typeof import('jsonc-parser');

/**
 * The settings in a file's text: JSON with comments and trailing commas. What is unknown or of a wrong type is left out
 * and told with line and column, the latter as an error; a text that is not JSON as a whole gives no settings at all.
 * Loads the parser.
 */
export async function parseSettings(text: string, path: string, from: SettingSource): Promise<ParsedSettings> {
  if (text.trim() === '') return { leaves: [], diagnostics: [] };
  const jsonc = await import('jsonc-parser');
  const reader = new SettingsReader(text, path, from);
  const depthOffset = tooDeepAt(jsonc, text);
  if (depthOffset !== null) {
    reader.broken(depthOffset, `nested more than ${MAX_DEPTH} levels deep`);
    return reader;
  }
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) reader.broken(first.offset, inWords(jsonc.printParseErrorCode(first.error)));
  else if (root?.type === 'object') reader.readObject(root, []);
  else reader.broken(root?.offset ?? 0, 'an object expected');
  reader.close();
  return reader;
}

/** Where nesting goes over the limit, or null. */
function tooDeepAt(jsonc: Jsonc, text: string): number | null {
  const scanner = jsonc.createScanner(text, true);
  let depth = 0;
  for (;;) {
    // Numbers of jsonc-parser's SyntaxKind, which as a const enum has no value at run time: braces and brackets, end.
    const token: number = scanner.scan();
    if (token === 17) return null;
    if (token === 1 || token === 3) depth += 1;
    if (token === 2 || token === 4) depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
}

/** `CommaExpected` as `comma expected`. */
function inWords(code: string): string {
  return code.replace(/\B([A-Z])/g, ' $1').toLowerCase();
}

class SettingsReader implements ParsedSettings {
  readonly leaves: Leaf[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #lines: LineIndex;
  #untold = 0;
  readonly #path: string;
  readonly #from: SettingSource;

  constructor(text: string, path: string, from: SettingSource) {
    this.#lines = new LineIndex(text);
    this.#path = path;
    this.#from = from;
  }

  /** Said last: how many faults were not told one by one. */
  close(): void {
    if (this.#untold === 0) return;
    const message = `${this.#untold} more faults in this file`;
    this.diagnostics.push({ severity: 'warning', code: 'config/more-faults', message, path: this.#path });
  }

  broken(offset: number, what: string): void {
    this.#tell('error', 'config/broken-json', offset, `not JSON (${what}): none of these settings is in force`);
  }

  readObject(node: Node, path: readonly string[]): void {
    const seen = new Set<string>();
    for (const { key, name, value } of propertiesOf(node)) {
      const inner = [...path, name];
      if (seen.has(name)) {
        this.#tell('warning', 'config/set-twice', key.offset, `${shownKey(inner)} is set twice: the last counts`);
      }
      seen.add(name);
      this.#readValue(key, value, inner);
    }
  }

  #readValue(key: Node, node: Node, path: readonly string[]): void {
    if (path.length === 1 && path[0] === '$schema') return;
    const known = lookUp(path);
    if (known === null) this.#unknown(key, path);
    else if ('rule' in known) this.#readSetting(node, path, known.rule.value);
    else if (node.type === 'object') this.readObject(node, path);
    else this.#tell('error', 'config/wrong-type', node.offset, `${shownKey(path)} must be an object`);
  }

  #readSetting(node: Node, path: readonly string[], type: ValueType): void {
    if (type.type === 'rules' && node.type === 'array') {
      this.#readRules(node, path);
      return;
    }
    const fault = faultOf(nodeValue(node), type);
    if (fault === null) this.#addLeaves(node, path, type.type === 'free');
    else this.#tell('error', 'config/wrong-type', node.offset, `${shownKey(path)} must be ${fault}`);
  }

  /** Rule by rule: one that cannot be read must not take the others away, nor forbid less than was meant. */
  #readRules(node: Node, path: readonly string[]): void {
    const rules: string[] = [];
    const doubted = new Set<string>();
    for (const element of node.children ?? []) {
      const text: unknown = nodeValue(element);
      const fault = faultOf([text], { type: 'rules' });
      if (fault === null) rules.push(String(text));
      else {
        this.#tell('error', 'config/bad-rule', element.offset, `${shownKey(path)} must be ${fault}`);
        if (path.at(-1) !== 'allow') for (const kind of kindsMeant(text)) doubted.add(kind);
      }
    }
    const { line } = this.#lines.at(node.offset);
    const origin = { from: this.#from, path: this.#path, line };
    if (rules.length > 0) this.leaves.push({ path, value: rules, origin });
    if (doubted.size > 0) this.leaves.push({ path: ['permissions', 'ask'], value: [...doubted], origin });
  }

  #addLeaves(node: Node, path: readonly string[], isFree: boolean): void {
    const properties = isFree && node.type === 'object' ? [...propertiesOf(node)] : [];
    for (const { name, value } of properties) this.#addLeaves(value, [...path, name], true);
    if (properties.length > 0) return;
    const { line } = this.#lines.at(node.offset);
    this.leaves.push({ path, value: nodeValue(node), origin: { from: this.#from, path: this.#path, line } });
  }

  #unknown(key: Node, path: readonly string[]): void {
    this.#tell('warning', 'config/unknown-key', key.offset, unknownKeyMessage(path));
  }

  #tell(severity: Diagnostic['severity'], code: string, offset: number, message: string): void {
    if (this.diagnostics.length >= MAX_TOLD) {
      this.#untold += 1;
      return;
    }
    this.diagnostics.push({ severity, code, message, path: this.#path, ...this.#lines.at(offset) });
  }
}

/** The kinds of call that a broken rule may have been for: all, where not even that can be read. */
function kindsMeant(text: unknown): readonly RuleKind[] {
  const kind = RULE_KINDS.find((known) => typeof text === 'string' && new RegExp(`^\\s*${known}\\b`).test(text));
  return kind === undefined ? RULE_KINDS : [kind];
}

function* propertiesOf(node: Node): Generator<{ key: Node; name: string; value: Node }> {
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key !== undefined && value !== undefined) yield { key, name: String(key.value), value };
  }
}

// Not the library's own: that one assigns keys, of which `__proto__` would change the object instead.
function nodeValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(nodeValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries([...propertiesOf(node)].map(({ name, value }) => [name, nodeValue(value)]));
}
