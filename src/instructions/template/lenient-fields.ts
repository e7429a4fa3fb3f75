import type { TemplateContext } from '../../model/index.ts';
import { definedNames, pathText, type WrittenPath } from './variable-paths.ts';

/**
 * A line in which a missing field below a lenient name stands for nothing; null where the path is not one. The value
 * is written into this one place, since a field that existed would change what `is defined` and `default` say of it
 * elsewhere.
 */
export function forgiveField(
  line: string,
  path: WrittenPath,
  context: TemplateContext,
): { line: string; field: string } | null {
  if (!context.lenient.includes(path.names[0]?.name ?? '')) return null;
  const defined = Math.max(1, definedNames(path, context));
  const last = path.names.length - 1;
  let written = line.slice(path.start, path.names[defined - 1]?.end);
  for (let index = defined; index <= last; index += 1) {
    written += line.slice(path.names[index - 1]?.end, path.names[index]?.end);
    if (index < last) written = `(${written}|default({}))`;
    else if (!hasOwnAnswer(line.slice(path.end))) written = `(${written}|default(""))`;
  }
  return {
    line: line.slice(0, path.start) + written + line.slice(path.end),
    field: pathText(path, defined + 1),
  };
}

/** The template itself says what holds where the field is missing. */
function hasOwnAnswer(after: string): boolean {
  return /^[ \t]*(?:\|[ \t]*(?:default|d)\b|is[ \t]+(?:not[ \t]+)?(?:un)?defined\b)/.test(after);
}
