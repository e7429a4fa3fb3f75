import type { Diagnostic } from '../../base/index.ts';
import type { Definition, DefinitionWords, RoleKeys } from './definition.ts';
import { shownName } from './definition-name.ts';
import { type DefinitionSource, keyDiagnostic } from './definition-source.ts';

const GROUP = '@mg:';
const DEFAULT_MODEL = 'default_model:';
/** Entries that are told of. */
const MAX_TOLD = 16;
const SIZES: readonly string[] = ['full', 'mini', 'nano'];

function splitEffort(text: string): { name: string; effort: string | null } {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf('(');
  const effort = open > 0 && trimmed.endsWith(')') ? trimmed.slice(open + 1, -1) : '';
  return /^[a-z]{1,16}$/.test(effort)
    ? { name: trimmed.slice(0, open).trimEnd(), effort }
    : { name: trimmed, effort: null };
}

/** What one entry asks for: a name, or null for the session's own model. Undefined: nothing that this program has. */
function wished(entry: string, mini: string | null): { name: string | null; effort: string | null } | undefined {
  const { name, effort } = splitEffort(entry);
  if (name.startsWith(GROUP)) return undefined;
  if (!name.startsWith(DEFAULT_MODEL)) return { name, effort };
  const size = name.slice(DEFAULT_MODEL.length);
  if (!SIZES.includes(size)) return undefined;
  return { name: size === 'full' ? null : mini, effort };
}

/**
 * The models that the role asks for, the most wanted first; null where it leaves the choice to the session. The
 * session's own model can always be had, so what comes after it is left out, and no names mean it alone. `effort`: of
 * the first entry, for whichever it will be. `mini`: the model for light work; null: the session's own does that too.
 */
export function modelWish(
  { keys }: Pick<Definition, 'keys'>,
  mini: string | null = null,
): { names: readonly string[]; effort: string | null } | null {
  if (keys.model === null) return null;
  const entries = [keys.model, ...keys.fallbackModels].flatMap((entry) => wished(entry, mini) ?? []);
  const names: string[] = [];
  for (const { name } of entries) {
    if (name === null) break;
    names.push(name);
  }
  return { names: [...new Set(names)], effort: entries[0]?.effort ?? null };
}

/** What there is to say of an entry. `first`: the effort that holds. */
function noteOn(entry: string, first: string | null): string | null {
  const { name, effort } = splitEffort(entry);
  if (name.startsWith(GROUP)) return `this version has no model groups; ${shownName(entry)} is passed over`;
  if (effort !== null && effort !== first)
    return `the effort of the first model holds; that of ${shownName(entry)} does not`;
  if (!name.startsWith(DEFAULT_MODEL)) return null;
  const size = name.slice(DEFAULT_MODEL.length);
  return SIZES.includes(size) ? null : `${shownName(entry)}: the sizes are ${SIZES.join(', ')}; it is passed over`;
}

/** What the role asks for and cannot have, whatever models there are. */
export function modelDiagnostics(
  keys: RoleKeys,
  sectionKey: string | null,
  source: DefinitionSource,
  many: DefinitionWords['many'],
): Diagnostic[] {
  const at = (key: string): string[] => (sectionKey === null ? [key] : [sectionKey, key]);
  if (keys.model === null) {
    const message = 'fallback_models has no effect without model';
    return keys.fallbackModels.length === 0
      ? []
      : [keyDiagnostic(source, 'warning', `${many}/fallback-alone`, message, at('fallback_models'))];
  }
  const entries = [keys.model, ...keys.fallbackModels].map((entry, index) => ({
    entry,
    key: index === 0 ? 'model' : 'fallback_models',
  }));
  const first = modelWish({ keys })?.effort ?? null;
  const notes = entries.flatMap(({ entry, key }) => {
    const note = noteOn(entry, first);
    return note === null ? [] : [{ entry, key, note }];
  });
  return notes
    .slice(0, MAX_TOLD)
    .map(({ entry, key, note }) =>
      keyDiagnostic(source, 'warning', `${many}/model`, `${key}: ${note}`, at(key), entry),
    );
}
