import type { Place } from '../../model/index.ts';
import type { FacetedForm } from '../faceted/form.ts';
import { POLYTOKEN_CHAIN, POLYTOKEN_PLAN } from './reminders.ts';
import { POLYTOKEN_FACETS, POLYTOKEN_RESOURCES } from './shipped.ts';
import { POLYTOKEN_SUBAGENTS } from './subagents.ts';
import {
  polytokenExitFace,
  polytokenFacetFace,
  polytokenSkillFace,
  polytokenSubagentFace,
  polytokenTools,
} from './tools.ts';

const PROJECT = { at: 'project', scope: 'project', reportNearer: false, each: true, from: 'session-start' } as const;
const USER = { at: 'directory', scope: 'user', each: true } as const;

/** What other agents call these tools, for `allowed-tools` of skills that were written for them. */
const ALIASES: Readonly<Record<string, string>> = {
  read: 'file_read',
  edit: 'file_edit_search_replace',
  multiedit: 'file_edit_search_replace',
  write: 'file_write',
  bash: 'shell_exec',
  webfetch: 'web_fetch',
  askuserquestion: 'ask_user_question',
};

/** Tools of spec/polytoken.md 22 that this version does not have. */
const LATER = [
  'file_read_hashline',
  'file_edit_hashline',
  'patch_edit',
  'flag_important',
  'lsp',
  'propose_goal',
  'read_goal',
  'complete_goal',
  'block_goal',
  'compact_context',
  'tool_flow',
  'web_search',
  'mcp_list_resources',
  'mcp_read_resource',
  'tool_search',
];

/** polytoken (seed 004). */
export const POLYTOKEN_FORM: FacetedForm = {
  name: 'polytoken',
  productKeys: ['polytoken'],
  schemes: ['polytoken'],
  inside: '.polytoken',
  userDirectory: ({ configHome }) => `${configHome}/polytoken`,
  // The seed's two; the shared ones are spec/polytoken.md 6.2.
  skillPlaces: ({ configHome, home }): readonly Place[] => [
    { ...PROJECT, inside: '.polytoken/skills' },
    { ...PROJECT, inside: '.agents/skills' },
    { ...USER, path: `${configHome}/polytoken/skills` },
    { ...USER, path: `${home}/.agents/skills` },
  ],
  moreSources: () => [],
  followLinks: false,
  facets: POLYTOKEN_FACETS,
  subagents: POLYTOKEN_SUBAGENTS,
  resources: POLYTOKEN_RESOURCES,
  base: 'polytoken://system_prompts/facet.md',
  subagentBase: 'polytoken://system_prompts/subagent.md',
  tools: polytokenTools,
  skillFace: polytokenSkillFace,
  facetFace: polytokenFacetFace,
  subagentFace: polytokenSubagentFace,
  exitFace: polytokenExitFace,
  messageTool: 'message_subagent',
  mainTools: ['write_plan', 'edit_plan', 'handoff_plan'],
  allOfOutput: 'the tool job_result',
  laterTools: LATER,
  todoTools: ['todo_create', 'todo_update', 'todo_complete', 'todo_delete'],
  toolAliases: ALIASES,
  chain: POLYTOKEN_CHAIN,
  plan: POLYTOKEN_PLAN,
  datePin: 'polytoken/date',
  taskPin: 'polytoken/task',
  reloadSupersedes: false,
};
