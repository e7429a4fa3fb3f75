/**
 * The milliseconds that a server asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date (RFC
 * 9110 10.2.3); a moment gone by is 0. Undefined where neither is given or understood.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exact = headers['retry-after-ms']?.trim();
  if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return Math.ceil(Number(exact));
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // Date.parse takes much that is no HTTP date ("-5", "2 apples"): only its three forms are meant.
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
