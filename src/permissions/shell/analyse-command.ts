import { resolve } from 'node:path';
import type { SyntaxNode } from 'unbash';
import { isRiskyVariable } from './risky-variables.ts';
import type { Grammar, SeenCommand } from './seen-command.ts';
import { type ShellWord, toShellWord } from './shell-word.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Longer than what anyone writes by hand; a longer one is asked about as a whole. Characters. */
const MAX_LENGTH = 64 * 1024;
/** Shells in shells. */
const MAX_DEPTH = 8;
const MAX_COMMANDS = 2000;
const MAX_DIRECTORIES = 32;

export type Redirection = { target: ShellWord; access: 'read' | 'write' };

/** What a command line would run and touch, as far as its text tells. */
export type CommandAnalysis = {
  commands: readonly SeenCommand[];
  redirections: readonly Redirection[];
  /** Where relative paths of it may start: the working directory, and those that it changes to. May hold `..`. */
  directories: readonly string[];
  /** Why something of it cannot be judged, each the end of a sentence. */
  doubts: readonly string[];
};

type Unbash = Pick<typeof import('unbash'), 'parse' | 'forEachChild'>;

/** Loads the parser at the first call. Never throws for what the text is: what cannot be read is a doubt. */
export async function analyseCommand(text: string, cwd: string, grammar: Grammar): Promise<CommandAnalysis> {
  const analyser = new Analyser(await import('unbash'), cwd);
  analyser.script(text, 0, grammar);
  return analyser;
}

class Analyser implements CommandAnalysis {
  readonly commands: SeenCommand[] = [];
  readonly redirections: Redirection[] = [];
  readonly #unbash: Unbash;
  readonly #directories: Set<string>;
  readonly #doubts = new Set<string>();
  #grammar: Grammar = 'bash';

  constructor(unbash: Unbash, cwd: string) {
    this.#unbash = unbash;
    this.#directories = new Set([cwd]);
  }

  get directories(): readonly string[] {
    return [...this.#directories];
  }

  get doubts(): readonly string[] {
    return [...this.#doubts];
  }

  script(text: string, depth: number, grammar: Grammar): void {
    if (text.length > MAX_LENGTH) {
      this.#doubt('it is too long to be judged');
      return;
    }
    if (depth > MAX_DEPTH) {
      this.#doubt('it starts shells in shells too deep to be judged');
      return;
    }
    let script: ReturnType<Unbash['parse']>;
    try {
      script = this.#unbash.parse(text);
    } catch {
      this.#doubt('its grammar cannot be read');
      return;
    }
    if (text.includes('\0')) this.#doubt('it holds a NUL');
    const outer = this.#grammar;
    this.#grammar = grammar;
    this.#visit(script, depth);
    this.#grammar = outer;
  }

  #doubt(why: string): void {
    this.#doubts.add(why);
  }

  #visit(node: SyntaxNode, depth: number): void {
    switch (node.type) {
      case 'Script':
        // The parser goes on after an error; what it made of the rest is no longer what a shell would.
        if ('errors' in node && node.errors !== undefined && node.errors.length > 0)
          this.#doubt('its grammar cannot be read');
        break;
      case 'Command':
        this.#simpleCommand(node, depth);
        break;
      case 'Redirect':
        this.#redirect(node);
        break;
      case 'Assignment':
        this.#assignment(node);
        break;
      case 'TestUnary':
        // Whether an element is set is found out by computing its index.
        if (/^-[vR]$/.test(node.operator) && !isPlainName(node.operand.value))
          this.#doubt('it computes with a variable');
        break;
      case 'AnsiCQuoted':
      case 'TestCommand':
      case 'ArithmeticCommand':
        if (this.#grammar === 'posix') this.#doubt('not every shell reads it the same way');
        break;
      case 'For':
      case 'Select':
        if (isRiskyVariable(node.name.value)) this.#doubt(`it sets ${node.name.value}`);
        break;
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        if (node.script === undefined) this.#doubt('a substitution in it cannot be read');
        break;
      case 'ArithmeticWord':
        // A variable's value is evaluated as an expression there, commands in it included.
        if (/[A-Za-z_$`]/.test(node.value)) this.#doubt('it computes with a variable');
        break;
      case 'TestBinary':
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator) && !isNumber(node.left.value, node.right.value)) {
          this.#doubt('it computes with a variable');
        }
        break;
      case 'ParameterExpansion':
        this.#parameter(node);
        break;
      default:
        break;
    }
    this.#unbash.forEachChild(node, (child) => this.#visit(child, depth));
  }

  /** The indices of an array are expressions, in which commands may stand even within quotes. */
  #assignment({ name, index, value }: Extract<SyntaxNode, { type: 'Assignment' }>): void {
    if (isRiskyVariable(name)) this.#doubt(`it sets ${name}`);
    const indices = [
      ...(index === undefined ? [] : [index.text]),
      ...(value.type === 'ArrayValue'
        ? value.elements.flatMap(({ text }) => /^\[([^\]]*).*=/s.exec(text)?.[1] ?? [])
        : []),
    ];
    if (!indices.every((text) => /^\d+$/.test(text))) this.#doubt('it computes with a variable');
  }

  #parameter({ operation, prefix, index, parameter }: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): void {
    if (operation?.type === 'Unknown') this.#doubt('an expansion in it cannot be read');
    if (operation?.type === 'Transform') this.#doubt('it expands what a variable holds once more');
    if (prefix === '!') this.#doubt('it expands a variable whose name is known only when it runs');
    if (operation?.type === 'Slice' || (index !== undefined && !/^(?:[@*]|\d+)$/.test(index.value))) {
      this.#doubt('it computes with a variable');
    }
    if (operation?.type === 'Default' && operation.operator.endsWith('=') && isRiskyVariable(parameter)) {
      this.#doubt(`it sets ${parameter}`);
    }
  }

  #simpleCommand(node: Extract<SyntaxNode, { type: 'Command' }>, depth: number): void {
    if (node.name === undefined) return;
    const words = [node.name, ...node.args].map((arg) =>
      arg.type === 'Word' ? toShellWord(arg) : assignmentWord(arg),
    );
    this.#command(words, depth, true);
  }

  /** Takes a command, and what it starts in turn. */
  #command(words: readonly ShellWord[], depth: number, needsAllow: boolean): void {
    const [name, ...args] = words;
    if (name === undefined) return;
    if (this.commands.length >= MAX_COMMANDS) {
      this.#doubt('it runs too many commands to be judged');
      return;
    }
    if (name.text === null || name.tilde) {
      this.commands.push({ words, needsAllow });
      this.#doubt('which command it runs is known only when it runs');
      return;
    }
    const {
      inner,
      scripts = [],
      grammar = this.#grammar,
      variables = [],
      doubts = [],
      transparent,
      coversInner,
    } = unwrapCommand(name.text, args);
    this.commands.push({ words, needsAllow: needsAllow && transparent !== true });
    for (const doubt of doubts) this.#doubt(doubt);
    for (const variable of variables) if (isRiskyVariable(variable)) this.#doubt(`it sets ${variable}`);
    if (depth > MAX_DEPTH) {
      this.#doubt('it starts commands in commands too deep to be judged');
      return;
    }
    if (inner !== undefined) this.#command(inner, depth + 1, needsAllow && coversInner !== true);
    for (const script of scripts) this.script(script, depth + 1, grammar);
    if (name.text === 'cd' || name.text === 'pushd') this.#changeDirectory(args);
  }

  #changeDirectory(args: readonly ShellWord[]): void {
    const target = args.find(({ text }) => text === null || !/^-[LPe@]+$|^--$/.test(text));
    if (target?.text == null || target.tilde || target.text === '-') {
      this.#doubt('where it changes to is known only when it runs');
      return;
    }
    if (this.#directories.size > MAX_DIRECTORIES) {
      this.#doubt('it changes the directory too often to be judged');
      return;
    }
    for (const directory of this.directories) {
      this.#directories.add(resolve(directory, target.text));
      // Behind a link `..` is elsewhere than the name says.
      if (/(?:^|\/)\.\.(?:\/|$)/.test(target.text)) {
        this.#directories.add(target.text.startsWith('/') ? target.text : `${directory}/${target.text}`);
      }
    }
  }

  #redirect({ operator, target }: Extract<SyntaxNode, { type: 'Redirect' }>): void {
    if (target === undefined) {
      this.#doubt('a redirection in it cannot be read');
      return;
    }
    const word = toShellWord(target);
    // Another descriptor, or one to be closed: no file.
    if (operator.endsWith('&') && word.text !== null && /^(?:\d+|-|\d+-)$/.test(word.text)) return;
    this.redirections.push({ target: word, access: operator === '<' || operator === '<&' ? 'read' : 'write' });
  }
}

function isPlainName(text: string): boolean {
  return /^[A-Za-z_]\w*(?:\[(?:\d+|[@*])\])?$/.test(text);
}

function isNumber(...texts: readonly string[]): boolean {
  return texts.every((text) => /^[+-]?\d+$/.test(text));
}

/** `NAME=VALUE` among the arguments of `export` and the like. */
function assignmentWord({ text }: { text: string }): ShellWord {
  const plain = /^[\w./:=,+@%-]*$/.test(text);
  return plain
    ? { chunks: [text], text, tilde: false }
    : { chunks: [text.slice(0, text.indexOf('=') + 1), null], text: null, tilde: false };
}
