import { type Schema, Validator } from '@cfworker/json-schema';
import { byteLength } from '../../base/index.ts';
import type { ExitArgs, ExitValue, ToolOutcome } from '../contract/index.ts';

const MOST_BYTES = 256 * 1024;
const MOST_TOLD = 10;

/** An agent gives its result, if it is what the schema says. */
export async function giveResult({ value, schema }: ExitArgs): Promise<ToolOutcome<ExitValue>> {
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

/** A line for each mistake: where, by JSON pointer, and what. */
function faultsOf({ value, schema }: ExitArgs): string[] {
  const { valid, errors } = new Validator(schema as Schema, '2020-12', false).validate(value);
  if (valid) return [];
  // Of a mistake deep inside, every level above it says that it has one.
  const leaves = errors.filter(
    ({ instanceLocation, keyword }) =>
      !(
        ['properties', 'items', 'prefixItems', 'additionalProperties', 'allOf'].includes(keyword) &&
        errors.some((other) => other.instanceLocation.startsWith(`${instanceLocation}/`))
      ),
  );
  const lines = leaves.map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#/, '') || '/'}: ${error}`);
  return [...new Set(lines.length === 0 ? ['/: it does not match the schema'] : lines)];
}
