import { printable } from '../base/index.ts';
import type { FilePort } from '../host/index.ts';
import type { ParsedSettings } from './parse-settings.ts';
import type { SettingSource } from './settings.ts';

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** The settings of one file; none where there is no such file, and where it cannot be read, which is told. */
export async function readSettingsFile(files: FilePort, path: string, from: SettingSource): Promise<ParsedSettings> {
  const read = await files.readRegular(path, { maxBytes: MAX_SETTINGS_BYTES });
  if (read.ok) {
    const text = decodeUtf8(read.bytes);
    if (text === null) return ignored(path, 'the file is not UTF-8');
    // Most runs have no settings file: then no parser is loaded.
    const { parseSettings } = await import('./parse-settings.ts');
    return await parseSettings(text, path, from);
  }
  if (read.why === 'absent') return { leaves: [], diagnostics: [] };
  return ignored(
    path,
    read.why === 'too-large' ? `the file is over ${MAX_SETTINGS_BYTES} bytes` : printable(read.detail),
  );
}

function ignored(path: string, why: string): ParsedSettings {
  const message = `these settings are not in force: ${why}`;
  return { leaves: [], diagnostics: [{ severity: 'error', code: 'config/unreadable', message, path }] };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
