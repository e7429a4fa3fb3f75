import { byteLength, cutHead } from '../base/index.ts';

/** Text from outside for one line of a screen: control characters and runs of blanks become one space; cut to `bytes`. */
export function oneLine(text: string, bytes: number): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
  return byteLength(line) <= bytes ? line : `${cutHead(line, bytes)}…`;
}
