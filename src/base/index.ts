export { AsyncQueue } from './async-queue.ts';
export { boundedDiagnostics } from './bounded-diagnostics.ts';
export {
  type Diagnostic,
  formatDiagnostic,
  type Severity,
} from './diagnostic.ts';
export {
  type ErrorOptions,
  messageOf,
  ReinError,
  UnreachableError,
  UsageError,
} from './error.ts';
export { makeEventId, makeSessionId } from './identifier.ts';
export { type Instant, localDate, parseRfc3339, toRfc3339 } from './instant.ts';
export { isRecord, parseJson, toJsonLine, toStableJson } from './json.ts';
export { printable } from './printable.ts';
export { screenLine, screenText } from './screen-text.ts';
export { sha256 } from './sha256.ts';
export { TerminalText } from './terminal-text.ts';
export {
  byteLength,
  compareCodePoints,
  cutHead,
  cutTail,
  cutUnits,
  isBlank,
  nearest,
} from './text.ts';
export { unreachable } from './unreachable.ts';
