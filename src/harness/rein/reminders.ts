import type { AgainForm, PlanForm } from '../../instructions/index.ts';

const TAG = 'system-reminder';

/** The words around a plan. */
export const REIN_PLAN: PlanForm = {
  tag: TAG,
  whole: 'The plan as it is now. It takes the place of every earlier plan and of every earlier change of one.',
  edited:
    'The plan was changed. Make these replacements, in this order, in its latest whole text above; what comes out is the plan now.',
};

/** The words of rein's chain reminder. */
export const REIN_CHAIN: AgainForm = {
  tag: TAG,
  bodyTag: 'instructions',
  intro:
    'These are the instruction files (AGENTS.md and its kin) that hold here, the most general first. Each governs its directory and everything below it; where two disagree, the later one holds.',
  supersedes: 'They replace the instruction files given earlier: one has joined or left.',
  emptied: 'The instruction files given earlier are gone: their instructions no longer hold.',
  oversized: 'Too large to give here; read what you need of them before you work below their directories:',
  rule: 'Every instruction file of the chain goes into the history once, and again only when one joins or leaves or the context is reset.',
  requirement: 'P19',
  discovery: {
    intro:
      'You have begun to work where another instruction file holds: it governs its directory and everything below it. Where it disagrees with a more general one, it holds.',
    rule: 'An instruction file outside the chain goes into the history once, after the calls that touched its directory.',
    requirement: 'P23',
  },
  linked: {
    intro: 'A linked file, which belongs to the instructions.',
    from: 'It is referred to in',
    rule: 'A file that instructions or a prompt refer to by @path goes into the history once.',
    requirement: 'P26',
  },
  recent: {
    intro:
      'Instruction files of directories that you worked in, or that were linked, before the conversation was made shorter. They still hold.',
    rule: 'Instruction files that were used lately come back after the conversation was made shorter.',
    requirement: 'P49',
  },
  paths:
    'These instruction files were used before too, and hold where they lie. Read one before you go on working there:',
  skillsLoaded:
    'These skills were loaded before the conversation was made shorter, and their texts are gone from it. Load one again where the work still needs it; what it asked for then is not asked for anew:',
  todosOpen: 'Still on the todo list:',
  reloaded: {
    intro: 'These instruction files were edited since they were given. Each takes the place of its earlier text.',
    rule: 'A reload sends instruction files again that were edited since they were sent.',
  },
};
