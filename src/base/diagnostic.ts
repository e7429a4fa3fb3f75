import { printable } from './printable.ts';

export type Severity = 'error' | 'warning' | 'info';

/**
 * Something worth telling a person about a file, a setting or an answer, as data. It never ends a run by itself:
 * who receives it decides. Lines and columns are 1-based.
 */
export type Diagnostic = {
  severity: Severity;
  /** Stable, kebab-case, `area/what`: `discovery/over-cap`. */
  code: string;
  /** One line: what is the matter and, where it helps, what to do. */
  message: string;
  path?: string;
  line?: number;
  column?: number;
  data?: Record<string, unknown>;
};

/** `path:line:column: severity: message`, the form editors understand: one safe line, whatever names the message quotes. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const path = diagnostic.path === undefined ? undefined : printable(diagnostic.path, Number.POSITIVE_INFINITY);
  const position = [path, diagnostic.line, diagnostic.column].filter((part) => part !== undefined);
  const where = position.length === 0 ? '' : `${position.join(':')}: `;
  return `${where}${diagnostic.severity}: ${printable(diagnostic.message, Number.POSITIVE_INFINITY)}`;
}
