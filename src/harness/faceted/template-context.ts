import { localDate } from '../../base/index.ts';
import type { Json, TemplateContext, Turn } from '../../model/index.ts';
import { modelName, takesImages, textOf } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { activeFacetName, skillsOf, spawnedAs, startable } from './inventory.ts';

/** Model families that templates ask for by `is_model_variant`, each with a word of the names of its models. */
const VARIANTS: readonly (readonly [variant: string, words: readonly string[]])[] = [
  ['claude', ['claude']],
  ['openai', ['gpt', 'codex', 'o1', 'o3', 'o4']],
  ['gemini', ['gemini']],
];

function variantOf(id: string): string {
  const words = id.toLowerCase().split(/[^a-z0-9]+/);
  return (
    VARIANTS.find(([, known]) => known.some((word) => words.some((each) => each.startsWith(word))))?.[0] ?? 'other'
  );
}

/** The date of the conversation's start: pinned at its first turn, so that midnight does not change the prompt. */
export function pinnedDate(form: FacetedForm, turn: Turn): string {
  return turn.session.pins[form.datePin] ?? localDate(turn.submission.startedAt);
}

/** The task that a subagent was given first: pinned too, or a compaction would change the prompt. Null: it is none. */
export function pinnedTask(form: FacetedForm, turn: Turn): string | null {
  if (spawnedAs(turn) === null) return null;
  const pinned = turn.session.pins[form.taskPin];
  if (pinned !== undefined) return pinned;
  const asked = turn.session.history.find((message) => message.role === 'user' && message.from === 'parent');
  const parts = asked?.parts ?? turn.prompt;
  return parts === undefined ? null : textOf(parts);
}

function modelVariables({ model }: Turn): Record<string, Json> {
  const images = model !== null && takesImages(model);
  return {
    model_name: model === null ? null : modelName(model),
    model_id: model?.id ?? null,
    model_variant: model === null ? null : variantOf(model.id),
    supports_vision: images,
    can_read_images: images,
    max_tool_batch_size: null,
  };
}

function planVariable({ session }: Turn): Json {
  return session.plan === null ? null : { path: session.plan.path, text: session.plan.text };
}

/**
 * What a template of a facet, a subagent, a skill or an instruction file may use (spec/polytoken.md 4.2, 4.3). Optional variables are
 * always defined, as none where there is nothing, so that `if` may ask for them.
 */
export function templateContext(form: FacetedForm, turn: Turn): TemplateContext {
  const { world, session, settings } = turn;
  const { visible } = skillsOf(form, turn);
  const tools = turn.tools.map(({ name, description }) => ({ name, description }));
  const names = tools.map(({ name }) => name);
  const here = world.stack[0] ?? world.cwd;
  const vars = projectVariables(turn);
  const subagent = spawnedAs(turn);
  return {
    variables: {
      ...modelVariables(turn),
      facet_name: subagent === null ? activeFacetName(turn) : null,
      subagent_name: subagent,
      prompt: pinnedTask(form, turn),
      project_path: world.projectRoot ?? here,
      cwd: world.cwd,
      session_cwd: here,
      session_id: session.id,
      session_date: pinnedDate(form, turn),
      current_date: localDate(turn.submission.startedAt),
      is_non_interactive: settings.interactive !== true,
      platform: world.platform.os,
      shell: world.platform.shell,
      available_tools: names,
      available_undeferred_tools: names,
      available_deferred_tools: [],
      tool_library: tools.map(({ name, description }) => ({ name, description, example: '' })),
      available_mcp_servers: [],
      available_subagents: startable(form, turn).map(({ name, description }) => ({ name, description })),
      available_skills: visible.map(({ name, description }) => ({ name, description })),
      auto_drain_notifications: false,
      source_control: world.git === null ? null : { kind: 'git', root: world.git.root },
      active_plan: planVariable(turn),
      plan_integration_enabled: false,
      project_vars: vars,
      project_metadata: vars,
    },
    lenient: ['project_vars', 'project_metadata'],
    tools,
    mcp: [],
    skills: visible.map(({ name }) => name),
    variant: turn.model === null ? null : variantOf(turn.model.id),
  };
}

/** The project's own values for its templates: `project_vars.yaml`; empty where there are none. */
function projectVariables({ world }: Turn): Json {
  const [file] = world.files.filter(({ kind }) => kind === 'project-vars');
  return file?.frontMatter === undefined || file.frontMatter === null ? {} : { ...file.frontMatter.data };
}
