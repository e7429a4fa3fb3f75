import { type Schema, Validator } from '@cfworker/json-schema';
import { byteLength } from '../../base/index.ts';
import type { ExitArgs, ExitValue, ToolOutcome } from '../contract/index.ts';

const MOST_BYTES = 256 * 1024;
const MOST_LEVELS = 64;
const MOST_TOLD = 10;
/** Keywords that say of a mistake deeper inside that it is there. */
const OUTER = ['properties', 'items', 'prefixItems', 'additionalProperties'];
/** Those that say so at the place of the mistake, too: a property with a mistake counts as one that is not known. */
const ECHOES = ['allOf', 'false'];

/** An agent gives its result, if it is what the schema says. */
export async function giveResult({ value, schema }: ExitArgs): Promise<ToolOutcome<ExitValue>> {
  if (isDeeper(value, MOST_LEVELS)) {
    const message = `The result is deeper than ${MOST_LEVELS} levels: make it flatter.`;
    return { error: { code: 'exit/too-deep', message }, observed: [] };
  }
  const size = byteLength(JSON.stringify(value));
  if (size > MOST_BYTES) {
    const message = `The result has ${size} bytes, more than ${MOST_BYTES}: write what is long into a file and give its path.`;
    return { error: { code: 'exit/too-long', message }, observed: [] };
  }
  const faults = faultsOf({ value, schema });
  if (faults.length === 0) {
    return { value: { value }, observed: [], events: [{ type: 'agent-result', value }] };
  }
  const shown = faults.slice(0, MOST_TOLD).join('\n');
  const more = faults.length > MOST_TOLD ? `\n[${faults.length - MOST_TOLD} more]` : '';
  return {
    error: { code: 'exit/invalid', message: `The result is not what is asked for:\n${shown}${more}` },
    observed: [],
  };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** A line for each mistake: where, by JSON pointer, and what. */
function faultsOf(given: ExitArgs): string[] {
  const { valid, errors } = validate(given);
  if (valid) return [];
  const above = new Set<string>();
  const at = new Set<string>();
  for (const { instanceLocation, keyword } of errors) {
    addAbove(instanceLocation, above);
    if (!ECHOES.includes(keyword)) at.add(instanceLocation);
  }
  const leaves = errors.filter(({ instanceLocation, keyword }) => {
    if (ECHOES.includes(keyword)) return !above.has(instanceLocation) && !at.has(instanceLocation);
    return !(OUTER.includes(keyword) && above.has(instanceLocation));
  });
  const lines = leaves.map(({ instanceLocation, keyword, error }) => {
    const what = keyword === 'false' ? 'Nothing may stand here: leave it out.' : error;
    return `${instanceLocation.replace(/^#/, '') || '/'}: ${what}`;
  });
  return [...new Set(lines.length === 0 ? ['/: it does not match the schema'] : lines)];
}

/** Adds the places that a place lies in; those of one that is there are there. */
function addAbove(location: string, above: Set<string>): void {
  for (let end = location.lastIndexOf('/'); end !== -1; end = location.lastIndexOf('/', end - 1)) {
    const outer = location.slice(0, end);
    if (above.has(outer)) return;
    above.add(outer);
    if (end === 0) return;
  }
}

function validate({ value, schema }: ExitArgs): ReturnType<Validator['validate']> {
  try {
    return new Validator(schema as Schema, '2020-12', false).validate(value);
  } catch (error) {
    // More mistakes than it can hand on: the first of them.
    if (!(error instanceof RangeError)) throw error;
    return new Validator(schema as Schema, '2020-12', true).validate(value);
  }
}
