import { byteLength, type Diagnostic } from '../../base/index.ts';
import { renderTemplate } from '../../instructions/index.ts';
import type { FoundFile, Needs, RenderFault, Turn } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { maxFileBytes } from './sources.ts';
import { templateContext } from './template-context.ts';

/** What of an instruction file reaches the model. */
export type InstructionBody = { file: FoundFile; text: string; diagnostics: readonly Diagnostic[] };

/** Whether the head asks for rendering; null: it cannot be understood and seems to ask. */
function optsIn({ frontMatter, text }: FoundFile, keys: readonly string[]): boolean | null {
  if (frontMatter === undefined || frontMatter === null) return false;
  if (frontMatter.read !== 'yaml') {
    const head = text.slice(0, 4096);
    return keys.some((key) => head.includes(`\n${key}:`)) ? null : false;
  }
  const key = keys.find((name) => Object.hasOwn(frontMatter.data, name));
  const value = key === undefined ? undefined : frontMatter.data[key];
  return value === true || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function rawInstead(file: FoundFile, message: string, line: number, column?: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'instructions/not-rendered',
    message: `${message}; the file is sent as it is written`,
    path: file.path,
    line,
    ...(column === undefined ? {} : { column }),
  };
}

/** What a template makes of a file is bounded like a file: over the bound its path goes out (seed 004). */
function bounded(raw: InstructionBody, text: string, cap: number): InstructionBody {
  const bytes = byteLength(text);
  if (bytes <= cap) return { ...raw, text };
  const { file } = raw;
  const told: Diagnostic = {
    severity: 'warning',
    code: 'instructions/rendered-too-large',
    message: `is ${bytes} bytes when it is rendered, more than ${cap}: only its path is given`,
    path: file.path,
    data: { bytes, cap },
  };
  return { file: { ...file, status: 'path-only', text: '', size: bytes }, text: '', diagnostics: [told] };
}

function faultMessage({ message, variable }: RenderFault): string {
  return variable === null || message.includes(variable) ? message : `${message} (${variable})`;
}

/**
 * A plain file as written; one whose front matter opts in, rendered without it, each time it is loaded. Where the front
 * matter or the template is broken: the raw text, and a diagnostic (seed 004).
 */
export function instructionBody(form: FacetedForm, turn: Turn, file: FoundFile): InstructionBody | Needs {
  const { frontMatter } = file;
  const raw: InstructionBody = { file, text: file.text, diagnostics: [] };
  if (file.status === 'path-only' || frontMatter === undefined || frontMatter === null) return raw;
  const rendered = optsIn(file, form.productKeys);
  if (rendered === false) return raw;
  if (rendered === null) {
    const [fault] = frontMatter.faults;
    const why = `its front matter cannot be read${fault === undefined ? '' : `: ${fault.message}`}`;
    return { ...raw, diagnostics: [rawInstead(file, why, fault?.line ?? 1, fault?.column)] };
  }
  const result = renderTemplate(
    {
      id: `context-file:${file.realPath}`,
      name: file.path,
      text: file.text.slice(frontMatter.bodyStart),
      line: frontMatter.bodyLine,
      context: templateContext(form, turn),
      transclude: null,
      embedded: [],
    },
    turn.rendered,
  );
  if ('ask' in result) return { needs: [], renders: [result.ask] };
  if (result.type === 'text') {
    return bounded(raw, result.segments.map(({ text }) => text).join(''), maxFileBytes(turn.settings));
  }
  const fault: RenderFault | null = result.type === 'failed' ? result.fault : null;
  const why = fault === null ? 'it transcludes files' : `it does not render: ${faultMessage(fault)}`;
  return {
    ...raw,
    diagnostics: [rawInstead(file, why, fault?.line ?? frontMatter.bodyLine, fault?.column ?? undefined)],
  };
}
