import { type Diagnostic, isBlank } from '../base/index.ts';
import type { FoundFile, Laid, PromptFlags, Trigger } from '../model/index.ts';
import { lay, layBetween } from './layout.ts';
import { filePiece, makePiece } from './piece.ts';

export type PromptLayers = {
  /** The shipped base prompt; asked for only where nothing stands in for it. */
  base(): Laid;
  override: FoundFile | undefined;
  append: FoundFile | undefined;
  flags: PromptFlags;
  trigger: Trigger;
  requirements?: { override: string; append: string };
};

const OVERRIDE_RULE = 'SYSTEM.md stands in for the whole shipped base prompt: the project’s, else the user’s.';
const APPEND_RULE = 'APPEND_SYSTEM.md follows the base prompt or its replacement: the project’s, else the user’s.';
const FLAG_OVERRIDE_RULE = 'Given for this run: it stands in for the base prompt and beats SYSTEM.md.';
const FLAG_APPEND_RULE = 'Given for this run: it follows the base prompt and APPEND_SYSTEM.md, in the order given.';

function flagOrigin(flag: { path?: string }): { type: 'flag'; path?: string } {
  return flag.path === undefined ? { type: 'flag' } : { type: 'flag', path: flag.path };
}

function firstLayer(layers: PromptLayers): Laid {
  const { flags, override, trigger, requirements } = layers;
  if (flags.replace !== null && !isBlank(flags.replace.text)) {
    const piece = makePiece({
      id: 'override:flag',
      kind: 'override',
      origin: flagOrigin(flags.replace),
      placement: 'system',
      rule: FLAG_OVERRIDE_RULE,
      text: flags.replace.text,
    });
    return lay(piece, trigger);
  }
  if (override === undefined) return layers.base();
  const requirement = requirements === undefined ? {} : { requirement: requirements.override };
  const fields = { kind: 'override', placement: 'system', rule: OVERRIDE_RULE, ...requirement } as const;
  return lay(filePiece(override, fields), trigger);
}

function appended(layers: PromptLayers): Laid[] {
  const { append, flags, trigger, requirements } = layers;
  const requirement = requirements === undefined ? {} : { requirement: requirements.append };
  const fields = { kind: 'append', placement: 'system', rule: APPEND_RULE, ...requirement } as const;
  const file = append === undefined ? [] : [lay(filePiece(append, fields), trigger)];
  const given = flags.append.flatMap((flag, index) =>
    isBlank(flag.text)
      ? []
      : [
          lay(
            makePiece({
              id: `append:flag/${index + 1}`,
              kind: 'append',
              origin: flagOrigin(flag),
              placement: 'system',
              rule: FLAG_APPEND_RULE,
              text: flag.text,
            }),
            trigger,
          ),
        ],
  );
  return [...file, ...given];
}

function blankFlags(flags: PromptFlags): Diagnostic[] {
  const named = [
    ...(flags.replace === null ? [] : [{ ...flags.replace, what: 'the system prompt' }]),
    ...flags.append.map((flag, index) => ({ ...flag, what: `appended text ${index + 1}` })),
  ];
  return named
    .filter(({ text }) => isBlank(text))
    .map(({ what, path }) => ({
      severity: 'warning',
      code: 'instructions/blank-flag',
      message: `${what} given for this run is blank and counts as not given`,
      ...(path === undefined ? {} : { path }),
    }));
}

/**
 * The layers of a system prompt, one blank line between each two: the base, or what stands in for it; the append file;
 * the texts given for this run (seed 000; `--system-prompt` and its kin). A blank text counts as not given, as a blank
 * file does: an unset shell variable must not erase the base prompt.
 */
export function promptLayers(layers: PromptLayers): { laid: Laid; diagnostics: Diagnostic[] } {
  return {
    laid: layBetween('\n\n', [firstLayer(layers), ...appended(layers)]),
    diagnostics: blankFlags(layers.flags),
  };
}

/** The world's files of one query, in its order. */
export function filesOf(files: readonly FoundFile[], kind: string): FoundFile[] {
  return files.filter((file) => file.kind === kind);
}
