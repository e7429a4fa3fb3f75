import type { HarnessSettings, JsonSchema, Laid } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import { askFace } from '../faces/ask-face.ts';
import ask from '../faces/descriptions/ask.md';
import edit from '../faces/descriptions/edit.md';
import editPlan from '../faces/descriptions/edit-plan.md';
import exitTool from '../faces/descriptions/exit-tool.md';
import fetch from '../faces/descriptions/fetch.md';
import glob from '../faces/descriptions/glob.md';
import grep from '../faces/descriptions/grep.md';
import handoffPlan from '../faces/descriptions/handoff-plan.md';
import job from '../faces/descriptions/job.md';
import messageSubagent from '../faces/descriptions/message-subagent.md';
import popd from '../faces/descriptions/popd.md';
import pushd from '../faces/descriptions/pushd.md';
import read from '../faces/descriptions/read.md';
import shell from '../faces/descriptions/shell.md';
import skill from '../faces/descriptions/skill.md';
import subagent from '../faces/descriptions/subagent.md';
import switchFacet from '../faces/descriptions/switch-facet.md';
import todo from '../faces/descriptions/todo.md';
import write from '../faces/descriptions/write.md';
import writePlan from '../faces/descriptions/write-plan.md';
import { popdFace, pushdFace } from '../faces/directory-faces.ts';
import { editFace } from '../faces/edit-face.ts';
import { exitFace } from '../faces/exit-face.ts';
import { facetFace } from '../faces/facet-face.ts';
import { fetchFace } from '../faces/fetch-face.ts';
import { globFace } from '../faces/glob-face.ts';
import { grepFace } from '../faces/grep-face.ts';
import { handoffFace } from '../faces/handoff-face.ts';
import { jobFace } from '../faces/job-face.ts';
import { editPlanFace, writePlanFace } from '../faces/plan-faces.ts';
import { readFace } from '../faces/read-face.ts';
import { shellFace } from '../faces/shell-face.ts';
import { skillFace } from '../faces/skill-face.ts';
import { messageFace, subagentFace } from '../faces/subagent-face.ts';
import { todoFace } from '../faces/todo-face.ts';
import { writeFace } from '../faces/write-face.ts';

/** rein's names for the engine's tools, in the order of the request. */
export const REIN_TOOLS: readonly ToolFace[] = [
  readFace({ name: 'read', description: read }),
  globFace({ name: 'glob', description: glob }),
  grepFace({ name: 'grep', description: grep }),
  editFace({ name: 'edit', description: edit }),
  writeFace({ name: 'write', description: write }),
  shellFace({ name: 'shell', description: shell, background: true }),
  jobFace({ name: 'job', description: job }),
  pushdFace({ name: 'pushd', description: pushd }),
  popdFace({ name: 'popd', description: popd }),
  fetchFace({ name: 'fetch', description: fetch }),
  todoFace({ name: 'todo', description: todo }),
  askFace({ name: 'ask', description: ask }),
  writePlanFace({ name: 'write_plan', description: writePlan }),
  editPlanFace({ name: 'edit_plan', description: editPlan }),
  handoffFace({ name: 'handoff_plan', description: handoffPlan }),
  messageFace({ name: 'message_subagent', description: messageSubagent }),
];

/** The same where the user chose how long a command may run: the model is told. */
export function reinTools({ commandTimeoutMs }: HarnessSettings): readonly ToolFace[] {
  if (commandTimeoutMs === undefined) return REIN_TOOLS;
  const own = shellFace({ name: 'shell', description: shell, timeoutMs: commandTimeoutMs, background: true });
  return REIN_TOOLS.map((face) => (face.name === own.name ? own : face));
}

/** `list`: the skills there are. */
export function reinSkillFace(list: Laid): ToolFace {
  return skillFace({ name: 'skill', description: skill, list });
}

/** `names`: of the facets there are. */
export function reinFacetFace(names: readonly string[]): ToolFace {
  return facetFace({ name: 'switch_facet', description: switchFacet, names });
}

/** `list`: those that can be started. */
export function reinSubagentFace(list: Laid): ToolFace {
  return subagentFace({ name: 'subagent', description: subagent, list, background: 'choice' });
}

/** `schema`: of the result. */
export function reinExitFace(schema: JsonSchema): ToolFace {
  return exitFace({ name: 'exit_tool', description: exitTool, schema });
}
