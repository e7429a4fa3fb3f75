import type { ShippedFacet } from '../faceted/form.ts';
import answers from './prompts/answers.md';
import care from './prompts/care.md';
import environment from './prompts/environment.md';
import facet from './prompts/facet.md';
import execute from './prompts/facets/execute.md';
import orchestrate from './prompts/facets/orchestrate.md';
import plan from './prompts/facets/plan.md';
import identity from './prompts/identity.md';
import instructions from './prompts/instructions.md';
import subagent from './prompts/subagent.md';
import subagentTask from './prompts/subagent-task.md';
import tools from './prompts/tools.md';
import work from './prompts/work.md';
import { POLYTOKEN_SUBAGENTS } from './subagents.ts';

/** `tag!ALL` leaves out `switch_facet`: a facet has it only by name (spec/polytoken.md 3.2.3). */
const ALL = ['tag!ALL', 'tag!ALL_MCP'];
const ALL_AND_SWITCH = ['tag!ALL', 'tag!ALL_MCP', 'switch_facet'];
const PLAN_TOOLS = ['write_plan', 'edit_plan', 'handoff_plan'];
const ALWAYS_FULL = [
  'subagent',
  'job_status',
  'job_result',
  'job_cancel',
  'job_block',
  'list_jobs',
  'web_search',
  'web_fetch',
];

/** The facets that polytoken ships (spec/polytoken.md 3.5). */
export const POLYTOKEN_FACETS: readonly ShippedFacet[] = [
  {
    name: 'plan',
    description: 'Find out and plan, change nothing.',
    uri: 'polytoken://facets/plan.md',
    text: plan,
    keys: {
      tools: ALL,
      tools_deny: [
        'file_write',
        'file_edit_search_replace',
        'file_edit_hashline',
        'patch_edit',
        'shell_monitor',
        'switch_facet',
        'tool_flow',
      ],
      undeferred_tools: ['file_read', ...PLAN_TOOLS, ...ALWAYS_FULL],
      color_light: '#005f91',
      color_dark: '#64beff',
      autonomous_hint:
        'This facet only reads. Deny every command that changes files, settings, services or remote state. Reading, searching, questions to the user and the tools that write, edit or hand over the plan are never to be denied.',
      compaction_hint:
        'Keep what was found and where, the options weighed with the reasons for and against, decisions and open questions, and how far the plan is. Nothing has been implemented: do not word findings as finished work.',
    },
  },
  {
    name: 'execute',
    description: 'Carry out what is asked.',
    uri: 'polytoken://facets/execute.md',
    text: execute,
    keys: {
      tools: ALL_AND_SWITCH,
      tools_deny: PLAN_TOOLS,
      undeferred_tools: ['switch_facet', ...ALWAYS_FULL],
      color_light: '#8c5000',
      color_dark: '#ffb955',
      compaction_hint:
        'Keep which steps are done and which are not, what blocks, the files being changed and their state, and how the work stands against each thing that was asked for.',
    },
  },
  {
    name: 'orchestrate',
    description: 'Take large work apart and bring the parts together.',
    uri: 'polytoken://facets/orchestrate.md',
    text: orchestrate,
    keys: {
      tools: ALL_AND_SWITCH,
      tools_deny: PLAN_TOOLS,
      undeferred_tools: ['switch_facet', 'message_subagent', ...ALWAYS_FULL],
      color_light: '#7651a8',
      color_dark: '#d2a8ff',
      compaction_hint:
        'Keep the graph of the parts with the state of each, what was assigned and to whom, the results that others depend on and whether they were checked, and what blocks.',
    },
  },
];

/** Every text that a template may transclude, by URI. */
export const POLYTOKEN_RESOURCES: Readonly<Record<string, string>> = {
  'polytoken://system_prompts/facet.md': facet,
  'polytoken://system_prompts/subagent.md': subagent,
  'polytoken://system_prompts/subagent-task.md': subagentTask,
  'polytoken://system_prompts/identity.md': identity,
  'polytoken://system_prompts/work.md': work,
  'polytoken://system_prompts/tools.md': tools,
  'polytoken://system_prompts/care.md': care,
  'polytoken://system_prompts/instructions.md': instructions,
  'polytoken://system_prompts/answers.md': answers,
  'polytoken://system_prompts/environment.md': environment,
  ...Object.fromEntries([...POLYTOKEN_FACETS, ...POLYTOKEN_SUBAGENTS].map(({ uri, text }) => [uri, text])),
};
