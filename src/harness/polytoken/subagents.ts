import type { ShippedSubagent } from '../faceted/form.ts';
import { REVIEW_SCHEMA } from '../faceted/reviewer-schema.ts';
import generalPurpose from './prompts/subagents/general-purpose.md';
import planReviewer from './prompts/subagents/plan-reviewer.md';
import researcher from './prompts/subagents/researcher.md';

const READING = ['file_read', 'grep', 'glob', 'web_search', 'web_fetch'];

/** The subagents that polytoken ships (spec/polytoken.md 8.2). None may start others. */
export const POLYTOKEN_SUBAGENTS: readonly ShippedSubagent[] = [
  {
    name: 'general-purpose',
    description: 'Carries out a part of the work with your tools.',
    uri: 'polytoken://subagents/general-purpose.md',
    text: generalPurpose,
    keys: { model: 'default_model:full', inherit_tools: true },
  },
  {
    name: 'general-purpose-mini',
    description: 'The same on a small model, for simple parts.',
    uri: 'polytoken://subagents/general-purpose-mini.md',
    text: '{{ transclude("polytoken://subagents/general-purpose.md") }}\n',
    keys: { model: 'default_model:mini', inherit_tools: true },
  },
  {
    name: 'plan-reviewer',
    description: 'Looks for gaps and mistakes in the plan; reads only.',
    uri: 'polytoken://subagents/plan-reviewer.md',
    text: planReviewer,
    keys: { model: 'default_model:full', tools: [...READING, 'tag!ALL_MCP'], exit_tool_schema: REVIEW_SCHEMA },
  },
  {
    name: 'researcher',
    description: 'Finds things out in the code and on pages; reads only.',
    uri: 'polytoken://subagents/researcher.md',
    text: researcher,
    keys: { model: 'default_model:mini', tools: READING, skills_allow: ['tag!research'] },
  },
];
