import type { FieldReader } from './field-reader.ts';
import { type Located, toPlain } from './located.ts';
import type { RehearsalFault } from './script.ts';

const KINDS = ['split-bytes', 'stall', 'reset', 'status', 'malformed', 'truncated'] as const;
type Kind = (typeof KINDS)[number];

const FIELDS = ['kind', 'times', 'ms', 'at', 'status', 'headers', 'body'] as const;

/** Which fields mean something for which kind, `kind` and `times` aside. */
const OWN: Partial<Record<Kind, readonly string[]>> = { stall: ['ms', 'at'], status: ['status', 'headers', 'body'] };

/**
 * A word, or a mapping with `kind` and what belongs to it. `isStatus`: the value is the short form, a status code.
 */
export function readFault(located: Located, isStatus: boolean, reader: FieldReader): RehearsalFault {
  if (isStatus) return { kind: 'status', status: statusCode(located, reader) };
  if (located.kind === 'scalar') return { kind: reader.word(located, '"fault"', KINDS) };
  const fields = reader.map(located, '"fault"', FIELDS);
  if (fields.kind === undefined) throw reader.error(located, `"fault" needs a "kind": ${KINDS.join(', ')}`);
  const kind = reader.word(fields.kind, '"kind"', KINDS);
  for (const name of FIELDS) {
    const value = fields[name];
    const belongs = name === 'kind' || name === 'times' || OWN[kind]?.includes(name) === true;
    if (value !== undefined && !belongs) throw reader.error(value, `"${name}" means nothing for the fault ${kind}`);
  }
  const { times, ms, at, status, headers, body } = fields;
  return {
    kind,
    ...(times && { times: reader.count(times, '"times"', 1) }),
    ...(ms && { ms: reader.count(ms, '"ms"', 0) }),
    ...(at && { at: reader.word(at, '"at"', ['headers', 'middle']) }),
    ...(status && { status: statusCode(status, reader) }),
    ...(headers && { headers: readHeaders(headers, reader) }),
    ...(body && { body: readBody(body, reader) }),
  };
}

function statusCode(located: Located, reader: FieldReader): number {
  const code = reader.count(located, '"status"', 300);
  if (code > 599) throw reader.error(located, '"status" must be a code from 300 to 599');
  return code;
}

function readHeaders(located: Located, reader: FieldReader): Record<string, string> {
  if (located.kind !== 'map') throw reader.error(located, '"headers" must be a mapping');
  const headers: Record<string, string> = {};
  for (const [name, { value, at }] of located.entries) {
    const plain = value.kind === 'scalar' && value.value !== null ? String(value.value) : undefined;
    const sound = plain !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(plain);
    if (!sound) throw reader.error({ ...value, at }, `"${name}" is no header that can be sent`);
    headers[name.toLowerCase()] = plain;
  }
  return headers;
}

/** Text is sent as it is, anything else as JSON. */
function readBody(located: Located, reader: FieldReader): string {
  return located.kind === 'scalar' ? reader.text(located, '"body"') : JSON.stringify(toPlain(located));
}
