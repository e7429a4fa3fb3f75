import type { Json } from '../../model/index.ts';
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
import { REIN_SUBAGENTS } from './subagents.ts';

/** `tag!ALL` leaves out `switch_facet`: a facet has it only by name (spec/polytoken.md 3.2.3). */
const ALL: Json = ['tag!ALL', 'tag!ALL_MCP'];
const ALL_AND_SWITCH: Json = ['tag!ALL', 'tag!ALL_MCP', 'switch_facet'];
const PLAN_TOOLS: Json = ['write_plan', 'edit_plan', 'handoff_plan'];

/** The facets that rein ships; keys after spec/polytoken.md 3.5, in rein's names. */
export const REIN_FACETS: readonly ShippedFacet[] = [
  {
    name: 'plan',
    description: 'Find out and plan, change nothing.',
    uri: 'rein://facets/plan.md',
    text: plan,
    keys: {
      tools: ALL,
      tools_deny: ['edit', 'write', 'switch_facet'],
      undeferred_tools: ['read', 'fetch', 'write_plan', 'edit_plan', 'handoff_plan', 'subagent'],
      color_light: '#1f5f8b',
      color_dark: '#7cc4f0',
      autonomous_hint:
        'This facet only reads. Deny every command that changes files, settings, services or remote state. Reading, searching, questions to the user and the tools that write, edit or hand over the plan are never to be denied.',
      compaction_hint:
        'Keep what was found and where, the options weighed with the reasons for and against, decisions and open questions, and how far the plan is. Nothing has been implemented: do not word findings as finished work.',
    },
  },
  {
    name: 'execute',
    description: 'Carry out what is asked.',
    uri: 'rein://facets/execute.md',
    text: execute,
    keys: {
      tools: ALL_AND_SWITCH,
      tools_deny: PLAN_TOOLS,
      undeferred_tools: ['switch_facet', 'subagent', 'fetch'],
      color_light: '#7a5200',
      color_dark: '#f0c05a',
      compaction_hint:
        'Keep which steps are done and which are not, what blocks, the files being changed and their state, and how the work stands against each thing that was asked for.',
    },
  },
  {
    name: 'orchestrate',
    description: 'Take large work apart and bring the parts together.',
    uri: 'rein://facets/orchestrate.md',
    text: orchestrate,
    keys: {
      tools: ALL_AND_SWITCH,
      tools_deny: PLAN_TOOLS,
      undeferred_tools: ['switch_facet', 'subagent', 'message_subagent', 'fetch'],
      color_light: '#6b4fa0',
      color_dark: '#c9a6f5',
      compaction_hint:
        'Keep the graph of the parts with the state of each, what was assigned and to whom, the results that others depend on and whether they were checked, and what blocks.',
    },
  },
];

/** Every text that a template may transclude, by URI. */
export const REIN_RESOURCES: Readonly<Record<string, string>> = {
  'rein://system_prompts/facet.md': facet,
  'rein://system_prompts/subagent.md': subagent,
  'rein://system_prompts/subagent-task.md': subagentTask,
  'rein://system_prompts/identity.md': identity,
  'rein://system_prompts/work.md': work,
  'rein://system_prompts/tools.md': tools,
  'rein://system_prompts/care.md': care,
  'rein://system_prompts/instructions.md': instructions,
  'rein://system_prompts/answers.md': answers,
  'rein://system_prompts/environment.md': environment,
  ...Object.fromEntries([...REIN_FACETS, ...REIN_SUBAGENTS].map(({ uri, text }) => [uri, text])),
};
