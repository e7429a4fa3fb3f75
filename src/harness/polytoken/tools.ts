import type { HarnessSettings, JsonSchema, Laid } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import editPlan from '../faces/descriptions/edit-plan.md';
import exitTool from '../faces/descriptions/exit-tool.md';
import fetch from '../faces/descriptions/fetch.md';
import handoffPlan from '../faces/descriptions/handoff-plan.md';
import messageSubagent from '../faces/descriptions/message-subagent.md';
import popd from '../faces/descriptions/popd.md';
import pushd from '../faces/descriptions/pushd.md';
import skill from '../faces/descriptions/skill.md';
import switchFacet from '../faces/descriptions/switch-facet.md';
import writePlan from '../faces/descriptions/write-plan.md';
import { popdFace, pushdFace } from '../faces/directory-faces.ts';
import { exitFace } from '../faces/exit-face.ts';
import { facetFace } from '../faces/facet-face.ts';
import { fetchFace } from '../faces/fetch-face.ts';
import { handoffFace } from '../faces/handoff-face.ts';
import { editPlanFace, writePlanFace } from '../faces/plan-faces.ts';
import { skillFace } from '../faces/skill-face.ts';
import { messageFace, subagentFace } from '../faces/subagent-face.ts';
import { writeFace } from '../faces/write-face.ts';
import { ASK_USER_QUESTION } from './ask-face.ts';
import write from './descriptions/file-write.md';
import subagent from './descriptions/subagent.md';
import { FILE_EDIT, FILE_READ } from './file-faces.ts';
import { JOB_FACES } from './job-faces.ts';
import { GLOB, GREP } from './search-faces.ts';
import { shellExecFace } from './shell-face.ts';
import { TODO_FACES } from './todo-faces.ts';

/** polytoken's names for the engine's tools (spec/polytoken.md 22), in the order of the request. */
export function polytokenTools({ commandTimeoutMs }: HarnessSettings): readonly ToolFace[] {
  return [
    FILE_READ,
    FILE_EDIT,
    writeFace({ name: 'file_write', description: write }),
    GLOB,
    GREP,
    shellExecFace(commandTimeoutMs),
    ...JOB_FACES,
    pushdFace({ name: 'pushd', description: pushd }),
    popdFace({ name: 'popd', description: popd }),
    fetchFace({ name: 'web_fetch', description: fetch }),
    ...TODO_FACES,
    ASK_USER_QUESTION,
    writePlanFace({ name: 'write_plan', description: writePlan }),
    editPlanFace({ name: 'edit_plan', description: editPlan }),
    handoffFace({ name: 'handoff_plan', description: handoffPlan }),
    messageFace({ name: 'message_subagent', description: messageSubagent }),
  ];
}

/** `list`: the skills there are. */
export function polytokenSkillFace(list: Laid): ToolFace {
  return skillFace({ name: 'skill', description: skill, list });
}

/** `names`: of the facets there are. */
export function polytokenFacetFace(names: readonly string[]): ToolFace {
  return facetFace({ name: 'switch_facet', description: switchFacet, names });
}

/** `list`: those that can be started. They run in the background (spec/polytoken.md 8.3.1). */
export function polytokenSubagentFace(list: Laid): ToolFace {
  return subagentFace({ name: 'subagent', description: subagent, list, background: 'always' });
}

/** `schema`: of the result. */
export function polytokenExitFace(schema: JsonSchema): ToolFace {
  return exitFace({ name: 'exit_tool', description: exitTool, schema });
}
