import type { Place } from '../../model/index.ts';
import type { FacetedForm } from '../faceted/form.ts';
import { overrideQueries } from '../override-queries.ts';
import { REIN_CHAIN, REIN_PLAN } from './reminders.ts';
import { REIN_FACETS, REIN_RESOURCES } from './shipped.ts';
import { REIN_SUBAGENTS } from './subagents.ts';
import { reinExitFace, reinFacetFace, reinSkillFace, reinSubagentFace, reinTools } from './tools.ts';

const PROJECT = { at: 'project', scope: 'project', reportNearer: false, each: true, from: 'session-start' } as const;
const USER = { at: 'directory', scope: 'user', each: true } as const;

/** What other agents call these tools, for `allowed-tools` of skills that were written for them. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: 'shell',
  webfetch: 'fetch',
  multiedit: 'edit',
  todowrite: 'todo',
  askuserquestion: 'ask',
};

/** rein: the facet in the system prompt, all else in the history; its own places, and the skills that agents share. */
export const REIN_FORM: FacetedForm = {
  name: 'rein',
  productKeys: ['rein', 'polytoken'],
  schemes: ['rein', 'polytoken'],
  inside: '.rein',
  userDirectory: ({ configHome }) => `${configHome}/rein`,
  skillPlaces: ({ configHome, home }): readonly Place[] => [
    { ...PROJECT, inside: '.rein/skills' },
    { ...PROJECT, inside: '.agents/skills' },
    { ...PROJECT, inside: '.claude/skills' },
    { ...USER, path: `${configHome}/rein/skills` },
    { ...USER, path: `${home}/.agents/skills` },
    { ...USER, path: `${home}/.claude/skills` },
  ],
  moreSources: ({ configHome }) =>
    // Not at every turn: the system prompt stays as it is until the person asks for a reload.
    overrideQueries({
      inside: '.rein',
      userDirectory: `${configHome}/rein`,
      followStubs: true,
      writableByOthers: 'skip',
      refresh: 'startup',
      from: 'session-start',
    }),
  followLinks: true,
  facets: REIN_FACETS,
  subagents: REIN_SUBAGENTS,
  resources: REIN_RESOURCES,
  base: 'rein://system_prompts/facet.md',
  subagentBase: 'rein://system_prompts/subagent.md',
  tools: reinTools,
  skillFace: reinSkillFace,
  facetFace: reinFacetFace,
  subagentFace: reinSubagentFace,
  exitFace: reinExitFace,
  messageTool: 'message_subagent',
  mainTools: ['write_plan', 'edit_plan', 'handoff_plan'],
  allOfOutput: 'the tool job',
  laterTools: [],
  todoTools: ['todo'],
  toolAliases: ALIASES,
  chain: REIN_CHAIN,
  plan: REIN_PLAN,
  datePin: 'rein/date',
  taskPin: 'rein/task',
  reloadSupersedes: true,
};
