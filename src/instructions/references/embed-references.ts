import { byteLength, type Diagnostic } from '../../base/index.ts';
import type { FoundFile, Piece, SourceQuery, World } from '../../model/index.ts';
import { closingTagDiagnostic, neutraliseClosingTags } from '../closing-tag.ts';
import { aboutReference, missingReference, needsTrust, tooMany } from './link-diagnostics.ts';
import type { LinkPlace } from './link-graph.ts';
import { ReferenceAnswers } from './reference-answers.ts';
import { isBelow, type ReferenceRules, type ReferrerScope } from './reference-rules.ts';
import { type Reference, scanReferences } from './scan-references.ts';
import { shownPath } from './shown-path.ts';
import { markedStretches } from './template-marks.ts';

/** A text that files are embedded into. `path`: null for a shipped one. `line`: the file's line that it begins at. */
export type EmbeddedBody = {
  text: string;
  path: string | null;
  directory: string;
  scope: ReferrerScope;
  line: number;
};

/**
 * `embedded`: the envelopes, as `embedded(N)` in the text names them; `paths`: their files. `fragments`: where they are
 * in the text itself, UTF-8 bytes.
 */
export type EmbeddedReferences = {
  text: string;
  embedded: string[];
  paths: string[];
  fragments: NonNullable<Piece['fragments']>;
  diagnostics: Diagnostic[];
};

const TAG = 'embedded-file';
/** Bytes of one embedded file that are kept. */
const MAX_BYTES = 64 * 1024;
/** References of one body that are looked at: a file may be named many times, and each time it is in the text. */
const MAX_EMBEDDED = 64;

/** From the project, or from home, where it lies there. */
function labelOf({ path }: FoundFile, { project, home }: ReferenceRules): string {
  if (path !== project && isBelow(project, path)) return path.slice(project === '/' ? 1 : project.length + 1);
  return path !== home && isBelow(home, path) ? `~/${path.slice(home === '/' ? 1 : home.length + 1)}` : path;
}

function envelope(file: FoundFile, rules: ReferenceRules): { text: string; lines: number[] } {
  const { text, lines } = neutraliseClosingTags(file.text, [TAG]);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  const kept = byteLength(file.text);
  const note = file.status === 'cut' ? `[Cut: the first ${kept} bytes; ${file.droppedBytes} more are left out.]\n` : '';
  const path = shownPath(labelOf(file, rules));
  return { text: `<${TAG} path="${path}">\n${text}${end}${note}</${TAG}>`, lines };
}

/** Puts the envelopes of one body together. */
class Embedding {
  readonly answers: ReferenceAnswers;
  readonly embedded: string[] = [];
  readonly paths: string[] = [];
  readonly fragments: NonNullable<Piece['fragments']> = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #body: EmbeddedBody;
  readonly #rules: ReferenceRules;
  readonly #literal: boolean;
  #text = '';
  #bytes = 0;
  #copied = 0;

  constructor(body: EmbeddedBody, answers: ReferenceAnswers, rules: ReferenceRules, literal: boolean) {
    this.#body = body;
    this.answers = answers;
    this.#rules = rules;
    this.#literal = literal;
  }

  run(references: readonly Reference[]): string {
    for (const [index, reference] of references.entries()) {
      const place = this.#placeOf(reference);
      if (index >= MAX_EMBEDDED) {
        this.diagnostics.push(tooMany(reference.path, place, MAX_EMBEDDED));
        break;
      }
      const file = this.#fileOf(reference, place);
      if (file !== null) this.#replace(reference, file);
    }
    this.#append(this.#body.text.slice(this.#copied));
    return this.#text;
  }

  #placeOf({ line, column }: Reference): LinkPlace {
    return { path: this.#body.path, line: line + this.#body.line - 1, column };
  }

  /** Null: the reference stays as it was typed (seed 004). */
  #fileOf({ path }: Reference, place: LinkPlace): FoundFile | null {
    const answer = this.answers.find(path, this.#body);
    switch (answer.type) {
      case 'file':
        if (!answer.file.text.includes('\0')) return answer.file;
        this.diagnostics.push(
          aboutReference('info', 'not-text', 'the file is not text: the reference stays as it is written', place, {
            reference: path,
          }),
        );
        return null;
      case 'barred':
        this.diagnostics.push(needsTrust(path, answer.target, place));
        return null;
      case 'missing':
        this.diagnostics.push(missingReference('info', path, place));
        return null;
      default:
        return null;
    }
  }

  #replace({ at: [from, to] }: Reference, file: FoundFile): void {
    this.#append(this.#body.text.slice(this.#copied, from));
    this.#copied = to;
    const number = this.#numberOf(file);
    if (!this.#literal) {
      this.#append(`{{ embedded(${number}) }}`);
      return;
    }
    const start = this.#bytes;
    this.#append(this.embedded[number] ?? '');
    this.fragments.push({ at: [start, this.#bytes], from: { path: file.path } });
  }

  #numberOf(file: FoundFile): number {
    const known = this.#numbers.get(file.path);
    if (known !== undefined) return known;
    const { text, lines } = envelope(file, this.#rules);
    if (lines.length > 0) this.diagnostics.push(closingTagDiagnostic(file.path, lines));
    this.#numbers.set(file.path, this.embedded.length);
    this.paths.push(file.path);
    return this.embedded.push(text) - 1;
  }

  #append(text: string): void {
    this.#text += text;
    this.#bytes += byteLength(text);
  }
}

/** The references outside of what a template engine reads. */
function outsideMarks(text: string, references: readonly Reference[]): Reference[] {
  const marks = markedStretches(text);
  let next = 0;
  return references.filter(({ at: [from, to] }) => {
    while (next < marks.length && (marks[next]?.to ?? 0) <= from) next += 1;
    return (marks[next]?.from ?? Number.POSITIVE_INFINITY) >= to;
  });
}

/**
 * The body with each file that it names by `@path` in its place, in an envelope that says which file it is (seed 004).
 * What is embedded is not searched again. 'template': the text gets `{{ embedded(N) }}`, so that what the file holds
 * is never read as a template; what stands in marks of the engine is left alone. What cannot be read stays as typed.
 * `queries`: what the disk has to be asked first.
 */
export function embedReferences(
  body: EmbeddedBody,
  world: Pick<World, 'files' | 'searched'>,
  rules: ReferenceRules,
  mode: 'template' | 'literal',
): EmbeddedReferences | { queries: readonly SourceQuery[] } {
  const found = scanReferences(body.text);
  const references = mode === 'template' ? outsideMarks(body.text, found) : found;
  const answers = new ReferenceAnswers(world, rules, {
    kind: 'embedded-file',
    cap: MAX_BYTES,
    overCap: 'cut',
    refresh: 'startup',
  });
  const embedding = new Embedding(body, answers, rules, mode === 'literal');
  const text = embedding.run(references);
  if (answers.queries.length > 0) return { queries: answers.queries };
  const { embedded, paths, fragments, diagnostics } = embedding;
  return { text, embedded, paths, fragments, diagnostics };
}
