const BRAND = Symbol.for('rein.error');
const USAGE = Symbol.for('rein.usage-error');

export type ErrorOptions = {
  data?: Record<string, unknown>;
  cause?: unknown;
  retryable?: boolean;
};

/**
 * The base of every error this program throws on purpose. `code` is stable and may be relied on; `data` holds what
 * a reader needs to act (paths, sizes, statuses), so nobody has to parse `message`.
 */
export class ReinError extends Error {
  readonly code: string;
  readonly data: Record<string, unknown>;
  readonly isRetryable: boolean;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.data = options.data ?? {};
    this.isRetryable = options.retryable ?? false;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Holds across two copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is ReinError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}

/** What was thrown, in its own words. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A mistake in the call or the configuration: one line that says what, where and what to do. Exit code 2. */
export class UsageError extends ReinError {
  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(code, message, options);
    Object.defineProperty(this, USAGE, { value: true });
  }

  static override isInstance(value: unknown): value is UsageError {
    return ReinError.isInstance(value) && (value as unknown as Record<symbol, unknown>)[USAGE] === true;
  }
}

/** A branch that the types say cannot be reached was reached. */
export class UnreachableError extends ReinError {
  constructor(value: never) {
    super('internal/unreachable', `unexpected value: ${JSON.stringify(value)}`, { data: { value } });
  }
}
