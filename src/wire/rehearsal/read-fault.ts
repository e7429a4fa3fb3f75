import type { FieldReader } from './field-reader.ts';
import { type Located, toPlain } from './located.ts';
import type { RehearsalFault } from './script.ts';

const KINDS = ['split-bytes', 'stall', 'reset', 'status', 'malformed', 'truncated'] as const;
type Kind = (typeof KINDS)[number];

const FIELDS = ['kind', 'times', 'ms', 'at', 'status', 'headers', 'body'] as const;

/** Which fields mean something for which kind, `kind` and `times` aside. */
const OWN: Partial<Record<Kind, readonly string[]>> = { stall: ['ms', 'at'], status: ['status', 'headers', 'body'] };

const STALL_MS = 2000;
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * A word, or a mapping with `kind` and what belongs to it. `isStatus`: the value is the short form, a status code.
 */
export function readFault(located: Located, isStatus: boolean, reader: FieldReader): RehearsalFault {
  if (isStatus) return { kind: 'status', status: statusCode(located, reader), headers: JSON_TYPE, body: failureBody() };
  if (located.kind === 'scalar') return withDefaults(reader.word(located, '"fault"', KINDS));
  const fields = reader.map(located, '"fault"', FIELDS);
  if (fields.kind === undefined) throw reader.error(located, `"fault" needs a "kind": ${KINDS.join(', ')}`);
  const kind = reader.word(fields.kind, '"kind"', KINDS);
  for (const name of FIELDS) {
    const value = fields[name];
    const belongs = name === 'kind' || name === 'times' || OWN[kind]?.includes(name) === true;
    if (value !== undefined && !belongs) throw reader.error(value, `"${name}" means nothing for the fault ${kind}`);
  }
  const times = fields.times === undefined ? {} : { times: reader.count(fields.times, '"times"', 1) };
  const fault = withDefaults(kind);
  if (fault.kind === 'stall') {
    const { ms, at } = fields;
    return {
      ...times,
      kind: 'stall',
      ms: ms === undefined ? fault.ms : reader.count(ms, '"ms"', 0),
      at: at === undefined ? fault.at : reader.word(at, '"at"', ['headers', 'middle']),
    };
  }
  if (fault.kind !== 'status') return { ...times, ...fault };
  const { status, headers, body } = fields;
  return {
    ...times,
    kind: 'status',
    status: status === undefined ? fault.status : statusCode(status, reader),
    headers: headers === undefined ? fault.headers : { ...JSON_TYPE, ...readHeaders(headers, reader) },
    body: body === undefined ? fault.body : readBody(body, reader),
  };
}

function withDefaults(kind: Kind): RehearsalFault {
  if (kind === 'stall') return { kind, ms: STALL_MS, at: 'middle' };
  if (kind === 'status') return { kind, status: 503, headers: JSON_TYPE, body: failureBody() };
  return { kind };
}

function failureBody(): string {
  return JSON.stringify({ error: { message: 'the rehearsal fails here on purpose', type: 'rehearsal' } });
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
