import { contextSection, filesOf, joinLaid, promptLayers } from '../../instructions/index.ts';
import type { Composition, FoundFile, Laid, Turn } from '../../model/index.ts';
import { kliBasePrompt } from './base-prompt.ts';

/** The bytes are spec/kli.md 1.16; seed 000 for the order. */
function projectContext(files: readonly FoundFile[]): Laid {
  return contextSection(files, {
    header: '\n\n# Project Context\n\nProject-specific instructions and guidelines:\n\n',
    fileHeading: (file) => `## ${file.realPath}\n\n`,
    afterFile: '\n\n',
    trigger: 'every-submission',
    rule: 'One context file a directory, from the repository root down to the working directory; the user’s own first.',
    requirement: 'K15',
  });
}

/**
 * The whole system prompt: base or SYSTEM.md, APPEND_SYSTEM.md, project context (seed 000). It is made from the
 * submission's world, time and tools alone, so every request of one submission has the same bytes, and from nothing
 * that an earlier one composed.
 */
export function composeKli(turn: Turn): Composition {
  const { submission, settings } = turn;
  const { files } = submission.world;
  const { laid, diagnostics } = promptLayers({
    base: () => kliBasePrompt(submission),
    override: filesOf(files, 'override')[0],
    append: filesOf(files, 'append')[0],
    flags: settings.flags,
    trigger: 'every-submission',
    requirements: { override: 'K18', append: 'K20' },
  });
  return {
    system: joinLaid(laid, projectContext(filesOf(files, 'context-file'))),
    pins: [],
    reminders: { beforePrompt: [], afterPrompt: [] },
    chain: null,
    options: {},
    diagnostics,
  };
}
