import { join } from 'node:path';
import { type Diagnostic, printable, type Severity } from '../base/index.ts';

/** What became of the candidates of one directory: clauses of one sentence, and what deserves a diagnostic. */
export class DirectoryReport {
  readonly clauses: string[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** `what` follows the name: 'is blank: as if absent'. */
  note(name: string, what: string): void {
    this.clauses.push(`${printable(name)} ${what}`);
  }

  /** A note, and a diagnostic at the file that says the same. */
  tell(severity: Severity, code: string, name: string, what: string, data: Record<string, unknown> = {}): void {
    this.note(name, what);
    this.hint(severity, code, name, what, data);
  }

  /** A diagnostic only. */
  hint(severity: Severity, code: string, name: string, what: string, data: Record<string, unknown> = {}): void {
    this.diagnostics.push({
      severity,
      code: `discovery/${code}`,
      message: `${printable(name)} ${what}`,
      path: join(this.#directory, name),
      ...(Object.keys(data).length === 0 ? {} : { data }),
    });
  }

  /** A warning about the directory itself. */
  warn(code: string, message: string, data?: Record<string, unknown>): void {
    const diagnostic = { severity: 'warning', code: `discovery/${code}`, message, path: this.#directory } as const;
    this.diagnostics.push(data === undefined ? diagnostic : { ...diagnostic, data });
  }
}
