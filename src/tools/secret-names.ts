import { basename } from 'node:path';

const NAMES: ReadonlySet<string> = new Set(['.env', 'id_rsa', 'id_ed25519', 'id_ecdsa', 'credentials']);
const HARMLESS: ReadonlySet<string> = new Set(['.env.example', '.env.sample', '.env.template']);

/** Whether a file's name says that it holds keys or passwords (spec/kimi-cli.md 12). */
export function isSecretName(path: string): boolean {
  const name = basename(path).toLowerCase();
  if (HARMLESS.has(name)) return false;
  return NAMES.has(name) || name.startsWith('.env.') || /\.(aws|gcp)\/credentials/i.test(path);
}
