/** A moment and how the local clock writes it. */
export type Instant = {
  epochMs: number;
  /** Microseconds within the millisecond, 0–999. */
  micros: number;
  /** Minutes east of UTC: 120 for +02:00. */
  offsetMinutes: number;
};

/** `YYYY-MM-DD` on the local clock. */
export function localDate(instant: Instant): string {
  return new Date(instant.epochMs + instant.offsetMinutes * 60_000).toISOString().slice(0, 10);
}

/** RFC 3339 with the numeric offset, never `Z`: `2026-11-30T21:04:05.123456+02:00`; `fraction` digits 0, 3 or 6. */
export function toRfc3339(instant: Instant, fraction: 0 | 3 | 6): string {
  const local = new Date(instant.epochMs + instant.offsetMinutes * 60_000).toISOString();
  const digits = local.slice(20, 23) + String(instant.micros).padStart(3, '0');
  const minutes = Math.abs(instant.offsetMinutes);
  const sign = instant.offsetMinutes < 0 ? '-' : '+';
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  const offset = `${sign}${hours}:${String(minutes % 60).padStart(2, '0')}`;
  return `${local.slice(0, 19)}${fraction === 0 ? '' : `.${digits.slice(0, fraction)}`}${offset}`;
}

const RFC3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Reads RFC 3339 and keeps its offset; undefined where the text is not such a time. */
export function parseRfc3339(text: string): Instant | undefined {
  const match = RFC3339.exec(text.trim());
  if (match === null) return undefined;
  const [, date, time, fraction = '', sign, hours = '0', minutes = '0'] = match;
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) + 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const digits = fraction.padEnd(6, '0').slice(0, 6);
  const localMs = Date.parse(`${date}T${time}.${digits.slice(0, 3)}Z`);
  // 30 February and 24:00 would silently become another day.
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(`${date}T${time}`)) return undefined;
  const epochMs = localMs - offsetMinutes * 60_000;
  return { epochMs, micros: Number(digits.slice(3)), offsetMinutes };
}
