import type { Diagnostic } from '../../base/index.ts';
import {
  chainSkills,
  joinLaid,
  renderTemplate,
  type Skill,
  scanSkillReferences,
  skillLayout,
  unknownAllowedTools,
} from '../../instructions/index.ts';
import { isNeeds, type Laid, type Needs, type RenderFault, type Trigger, type Turn } from '../../model/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { skillsOf } from './inventory.ts';
import { embedIntoSkill } from './references.ts';
import { templateContext } from './template-context.ts';

/** A skill's instructions as they reach the model, with those it refers to. */
export type LoadedSkills = { laid: Laid; diagnostics: readonly Diagnostic[] };

type SkillText = {
  skill: Skill;
  text: string;
  fragments: { at: [number, number]; from: { path: string } }[];
  diagnostics: readonly Diagnostic[];
};

function notRendered(skill: Skill, fault: RenderFault | null): Diagnostic {
  const what = fault === null ? 'it transcludes files' : fault.message;
  const variable = fault?.variable == null || what.includes(fault.variable) ? '' : ` (${fault.variable})`;
  return {
    severity: 'warning',
    code: 'skills/not-rendered',
    message: `skill "${skill.name}" does not render: ${what}${variable}; its text is sent as it is written`,
    path: skill.file.path,
    line: fault?.line ?? skill.body.line,
  };
}

/** The body as written, or rendered where its front matter opts in; embedded files are in it either way. */
function skillText(form: FacetedForm, turn: Turn, skill: Skill): SkillText | Needs {
  const raw = embedIntoSkill(form, turn, skill, 'literal');
  if (isNeeds(raw)) return raw;
  const plain = { skill, text: raw.text, fragments: raw.fragments, diagnostics: raw.diagnostics };
  if (!skill.rendered) return plain;
  const body = embedIntoSkill(form, turn, skill, 'template');
  if (isNeeds(body)) return body;
  const result = renderTemplate(
    {
      id: `skill:${skill.name}`,
      name: skill.file.path,
      text: body.text,
      line: skill.body.line,
      context: templateContext(form, turn),
      transclude: null,
      embedded: body.embedded,
    },
    turn.rendered,
  );
  if ('ask' in result) return { needs: [], renders: [result.ask] };
  if (result.type !== 'text') {
    return {
      ...plain,
      diagnostics: [...raw.diagnostics, notRendered(skill, result.type === 'failed' ? result.fault : null)],
    };
  }
  return {
    ...plain,
    text: result.segments.map(({ text }) => text).join(''),
    fragments: [],
    diagnostics: body.diagnostics,
  };
}

function unknownTools(form: FacetedForm, { tools }: Turn, skills: readonly Skill[]): Diagnostic[] {
  const names = tools.map(({ name }) => name);
  return unknownAllowedTools(skills, names, form.toolAliases);
}

/** That skill and those that its instructions refer to by `@skill:NAME`, as one text. */
export function loadSkill(
  form: FacetedForm,
  turn: Turn,
  skill: Skill,
  trigger: Trigger,
  placement: 'tool-result' | 'history',
): LoadedSkills | Needs {
  const { accessible } = skillsOf(form, turn);
  const { skills, diagnostics } = chainSkills(skill, accessible, scanSkillReferences);
  const texts = allOrNeeds(skills.map((each) => skillText(form, turn, each)));
  if (isNeeds(texts)) return texts;
  const laid = texts.map(({ skill: each, text, fragments }) =>
    skillLayout(each, { text, fragments, trigger, placement, within: [form.chain.tag] }),
  );
  return {
    laid: joinLaid(...laid.flatMap((each, index) => (index === 0 ? [each] : ['\n', each]))),
    diagnostics: [...diagnostics, ...unknownTools(form, turn, skills), ...texts.flatMap((each) => each.diagnostics)],
  };
}
