import type { AgainForm, PlanForm } from '../../instructions/index.ts';

/** The words around a plan. */
export const POLYTOKEN_PLAN: PlanForm = {
  tag: 'system-reminder',
  whole: 'This is the active plan. It replaces all plans before it, and all changes to them.',
  edited:
    'The active plan was edited. Apply these replacements in order to its latest complete text; the result is the active plan.',
};

/** The words of polytoken's reminders with instruction files. */
export const POLYTOKEN_CHAIN: AgainForm = {
  tag: 'system-reminder',
  bodyTag: 'instructions',
  intro:
    'The instruction files of this project, the most general first. Each holds for its own directory and what lies below; where two disagree, the later one wins.',
  supersedes: 'This replaces the list that was given before: a file has joined it or left it.',
  emptied: 'There are no instruction files any more: those given before no longer hold.',
  oversized:
    'These are too large to be given here. Read what you need of them before you work below their directories:',
  rule: 'Every instruction file of the chain goes into the history once, and again only when one joins or leaves or the context is reset.',
  requirement: 'P19',
  discovery: {
    intro:
      'The directory that you have begun to work in has an instruction file. It holds there and below; where it disagrees with a more general one, it wins.',
    rule: 'An instruction file outside the chain goes into the history once, after the calls that touched its directory.',
    requirement: 'P23',
  },
  linked: {
    intro: 'A file that the instructions include by its path.',
    from: 'The reference is in',
    rule: 'A file that instructions or a prompt refer to by @path goes into the history once.',
    requirement: 'P26',
  },
  recent: {
    intro: 'Instruction files that the work met before the conversation was compacted. They hold as before.',
    rule: 'Instruction files that were used lately come back after a compaction.',
    requirement: 'P49',
  },
  paths: 'More instruction files were used before the compaction. Read one before you work in its directory again:',
  skillsLoaded:
    'Skills that were loaded before the compaction; their texts are gone. Load one again where it is needed. What was asked of it then is not asked again:',
  todosOpen: 'Todos that are still open:',
  reloaded: {
    intro: 'These instruction files have changed since they were given. Each replaces its earlier text.',
    rule: 'A reload sends instruction files again that were edited since they were sent.',
  },
};
