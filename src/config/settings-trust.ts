import { type Diagnostic, sha256, toStableJson } from '../base/index.ts';
import type { Leaf } from './layers.ts';
import { isHarmless } from './schema.ts';
import { shownKey } from './shown-key.ts';

/** What a person said of settings that could run or widen something. */
export interface SettingsTrust {
  /** Whether they said yes to exactly these settings of this directory. */
  trusts(directory: string, sha256: string): Promise<boolean>;
  /** Whether a command changed this file of the user's own since, and nobody said yes to that. */
  doubts(path: string): Promise<boolean>;
}

/** Settings that are in force only once a person says so. */
export type Unconfirmed = {
  /** The file. */
  path: string;
  /** The project's directory; null: the user's own settings, which a command changed. */
  directory: string | null;
  /** Of these settings, whatever else is in the file. */
  sha256: string;
  keys: readonly string[];
  /** They are in force: trusted for good, or for this run. */
  inForce: boolean;
};

export type Confirmation = {
  leaves: readonly Leaf[];
  unconfirmed: Unconfirmed | null;
  diagnostics: readonly Diagnostic[];
};

type Given = {
  leaves: readonly Leaf[];
  path: string;
  directory: string | null;
  trust: SettingsTrust | 'this-run' | undefined;
};

/** The hash of a project whose settings run and widen nothing. */
export const NOTHING_CAREFUL: string = hashOf([]);

/** Leaves out what could run or widen something and is not trusted, and says so in one line. */
export async function confirmed({ leaves, path, directory, trust }: Given): Promise<Confirmation> {
  const careful = leaves.filter(({ path: at }) => !isHarmless(at));
  if (careful.length === 0 || (directory === null && (await isUndoubted(path, trust)))) {
    return { leaves, unconfirmed: null, diagnostics: [] };
  }
  const hash = hashOf(careful);
  const keys = [...new Set(careful.map((leaf) => shownKey(leaf.path)))];
  const forRun = trust === 'this-run';
  const inForce = forRun || (directory !== null && (await trust?.trusts(directory, hash)) === true);
  const unconfirmed = { path, directory, sha256: hash, keys, inForce };
  if (!inForce)
    return {
      leaves: leaves.filter(({ path: at }) => isHarmless(at)),
      unconfirmed,
      diagnostics: [ignored(unconfirmed)],
    };
  return { leaves, unconfirmed, diagnostics: forRun ? [trusted(unconfirmed)] : [] };
}

function hashOf(careful: readonly Leaf[]): string {
  return sha256(toStableJson(careful.map((leaf) => [leaf.path, leaf.value]).sort(byKey)));
}

async function isUndoubted(path: string, trust: Given['trust']): Promise<boolean> {
  return trust === undefined || trust === 'this-run' || !(await trust.doubts(path));
}

function byKey(left: readonly unknown[], right: readonly unknown[]): number {
  const [a, b] = [String(left[0]), String(right[0])];
  return a < b ? -1 : a > b ? 1 : 0;
}

const MAX_NAMED = 12;
const MAX_LISTED = 100;

function ignored({ path, directory, keys }: Unconfirmed): Diagnostic {
  const why = directory === null ? 'a command the agent ran changed this file' : 'these settings are not trusted';
  return {
    severity: 'warning',
    code: directory === null ? 'config/changed-by-command' : 'config/untrusted',
    message: `ignored, since ${why}: ${named(keys)}; read the file, then: rein trust (--trust for one run)`,
    path,
    data: { keys: keys.slice(0, MAX_LISTED) },
  };
}

function trusted({ path, keys }: Unconfirmed): Diagnostic {
  return {
    severity: 'info',
    code: 'config/trusted',
    message: `trusted for this run: ${named(keys)}`,
    path,
    data: { keys: keys.slice(0, MAX_LISTED) },
  };
}

function named(keys: readonly string[]): string {
  const rest = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : '';
  return `${keys.slice(0, MAX_NAMED).join(', ')}${rest}`;
}
