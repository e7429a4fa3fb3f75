import type { ClockPort } from './clock.ts';
import type { EnvPort } from './env.ts';
import type { FilePort } from './files.ts';
import type { HttpPort } from './http.ts';
import type { ProcessPort } from './process.ts';
import type { RandomPort } from './random.ts';
import type { RegexPort } from './regex.ts';
import type { TemplateEnginePort } from './templates.ts';

export { isAtPlace, isOnTheWay } from './at-place.ts';
export type { ClockPort } from './clock.ts';
export type { EnvPort } from './env.ts';
export { FileError } from './file-error.ts';
export type {
  AppendHandle,
  DirectoryEntry,
  FileFacts,
  FileKind,
  FilePort,
  RegularRead,
} from './files.ts';
export { findSpans } from './find-spans.ts';
export type {
  HttpPort,
  HttpRequest,
  HttpResponse,
  HttpServer,
  HttpTimeouts,
  ServedRequest,
  ServedResponse,
} from './http.ts';
export { HttpError, type HttpFault } from './http-error.ts';
export { isLoopback } from './is-loopback.ts';
export type {
  AdoptSpec,
  ChildProcess,
  Family,
  LivingProcess,
  OutputChunk,
  PackagedProgram,
  ProcessExit,
  ProcessIdentity,
  ProcessPort,
  SpawnSpec,
} from './process.ts';
export { ProcessError } from './process-error.ts';
export type { RandomPort } from './random.ts';
export type { RegexPort, RegexSearch, RegexSpans } from './regex.ts';
export {
  type MakeTemplateEnvironment,
  runTemplate,
  type TemplateEnvironment,
} from './run-template.ts';
export type {
  TemplateEnginePort,
  TemplateFailure,
  TemplateJob,
  TemplateLimits,
  TemplateOutcome,
  TemplateTarget,
} from './templates.ts';

/** One door to each effect. Everything that is not pure is reached through one of these. */
export type HostPorts = {
  readonly files: FilePort;
  readonly process: ProcessPort;
  readonly clock: ClockPort;
  readonly env: EnvPort;
  readonly http: HttpPort;
  readonly random: RandomPort;
  readonly regex: RegexPort;
  readonly templates: TemplateEnginePort;
};
