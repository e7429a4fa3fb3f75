import { type Diagnostic, printable, type Severity } from '../../base/index.ts';
import type { LinkPlace } from './link-graph.ts';

/** Something about one reference. */
export function aboutReference(
  severity: Severity,
  what: string,
  message: string,
  { path, line, column }: LinkPlace,
  data: Record<string, unknown>,
): Diagnostic {
  const where = path === null ? {} : { path, line, column };
  return { severity, code: `references/${what}`, message, ...where, data };
}

export function missingReference(severity: Severity, path: string, place: LinkPlace): Diagnostic {
  const message = `@${printable(path)} names no file that can be read`;
  return aboutReference(severity, 'missing', message, place, { reference: path });
}

export function needsTrust(path: string, target: string, place: LinkPlace): Diagnostic {
  const message =
    `@${printable(path)} leads to ${printable(target)}, outside of what this file may refer to: it is not read. ` +
    'Trust the project (rein trust) to allow it';
  return aboutReference('warning', 'needs-trust', message, place, { reference: path, target });
}

export function tooDeep(path: string, place: LinkPlace, limit: number): Diagnostic {
  const message = `@${printable(path)} is more than ${limit} links away: it and what lies beyond is not followed`;
  return aboutReference('warning', 'too-deep', message, place, { reference: path, limit });
}

export function tooMany(path: string, place: LinkPlace, limit: number): Diagnostic {
  const message = `from @${printable(path)} on, references are not followed: there are more than ${limit}`;
  return aboutReference('warning', 'too-many', message, place, { reference: path, limit });
}

export function linksInCircle(target: string, place: LinkPlace): Diagnostic {
  const message = `the reference leads back to ${printable(target)}: the files refer to each other in a circle`;
  return aboutReference('warning', 'cycle', message, place, { target });
}
