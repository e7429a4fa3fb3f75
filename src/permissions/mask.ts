/** What stands in place of a secret. */
export const MASK = '[masked]';

// A shorter value would hide ordinary words.
const MIN_SECRET_LENGTH = 8;

/**
 * Hides these values wherever they occur, as they are and as JSON or a URL would write them. Values under 8 characters
 * are not hidden.
 */
export function createMasker(secrets: readonly string[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets.map((value) => value.trim())) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]) {
      forms.add(form);
    }
  }
  // The longest first: one key may be the beginning of another.
  const ordered = [...forms].sort((left, right) => right.length - left.length);
  return (text) => ordered.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

/** `keep` stays before the mask, `after` follows it. Every search is linear: repetitions are bounded or of one class. */
type Pattern = { find: RegExp; put: string };

const KEY_NAME = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?';
const PATTERNS: readonly Pattern[] = [
  // A key block, whole; with escaped line ends too, as in JSON.
  {
    find: new RegExp(`(-----BEGIN (${KEY_NAME})-----)[\\s\\S]{0,16384}?(-----END \\2-----)`, 'g'),
    put: `$1${MASK}$3`,
  },
  // Its beginning, where the rest was cut off, and its end likewise.
  {
    find: new RegExp(`(-----BEGIN ${KEY_NAME}-----)(?!\\[)(?:\\s+[A-Za-z0-9+/=]{1,200}(?![^\\s]))+`, 'g'),
    put: `$1${MASK}`,
  },
  { find: new RegExp(`(?:^[ \\t]*[A-Za-z0-9+/=]{16,200}\\s+)+(-----END ${KEY_NAME}-----)`, 'gm'), put: `${MASK}$1` },
  { find: /\b(?:gh[opsur]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/g, put: MASK },
  { find: /\bglpat-[A-Za-z0-9_-]{20,255}/g, put: MASK },
  { find: /\bnpm_[A-Za-z0-9]{36}\b/g, put: MASK },
  { find: /\bxox[abeprs]-[A-Za-z0-9-]{10,255}/g, put: MASK },
  { find: /\bsk-[A-Za-z0-9_-]{20,255}/g, put: MASK },
  { find: /\bAIza[A-Za-z0-9_-]{35}\b/g, put: MASK },
  { find: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, put: MASK },
  { find: /\beyJ[A-Za-z0-9_-]{10,4096}\.eyJ[A-Za-z0-9_-]{10,8192}\.[A-Za-z0-9_-]{10,4096}/g, put: MASK },
  {
    find: /(\b(?:proxy-)?authorization\b["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:bearer|basic|token)[ \t]{1,8})[^\s"',;[\]]{4,8192}/gi,
    put: `$1${MASK}`,
  },
  { find: /(\bbearer[ \t]{1,8})[A-Za-z0-9._~+/=-]{16,8192}/gi, put: `$1${MASK}` },
  { find: /(\bx-api-key\b["']?[ \t]{0,8}[:=][ \t]{0,8}["']?)[^\s"',;[\]]{8,8192}/gi, put: `$1${MASK}` },
];

/**
 * Hides what looks like a secret in the output of a command or in an error: tokens of well-known services, values of
 * authorization headers, private-key blocks. Not for the contents of files: an edit must match them.
 */
export function maskPatterns(text: string): string {
  return PATTERNS.reduce((masked, { find, put }) => masked.replace(find, put), text);
}
