import { type Diagnostic, messageOf, ReinError } from '../base/index.ts';
import type { FacetView, ModelWish } from '../harness/contract/index.ts';
import type { ActiveModel, AgentParts } from './parts.ts';

/** The model of the next requests, and how hard it is to think. */
export type ModelInUse = { model: ActiveModel; effort: string | null; diagnostics: readonly Diagnostic[] };

type WishParts = Pick<AgentParts, 'harness' | 'model' | 'modelGiven' | 'effort' | 'choose' | 'wished'>;

/** More names than anybody lists. */
const MAX_NAMES = 32;
/** Facets from here are the user's own word; any other file came with the project. */
const OWN_SCOPES: readonly string[] = ['user', 'shipped'];

/** The models that facets asked for in this run, each made once: a model's port remembers what it learnt. */
export class WishedModels {
  readonly #models = new Map<string, ActiveModel>();

  async get(name: string, choose: (name: string) => Promise<ActiveModel>): Promise<ActiveModel> {
    const known = this.#models.get(name);
    if (known !== undefined) return known;
    const model = await choose(name);
    this.#models.set(name, model);
    return model;
  }
}

/**
 * The first model of the wish of the facet in force that can be had; where there is no wish, or none of it works, the
 * session's own. The session's choice stays as it is: it is back as soon as nothing else is asked for.
 */
export async function modelInUse(parts: WishParts, view: FacetView): Promise<ModelInUse> {
  const wish = parts.modelGiven ? null : (parts.harness.wish?.(view) ?? null);
  const own = { model: parts.model, effort: parts.effort };
  if (wish === null) return { ...own, diagnostics: [] };
  const effort = wish.effort ?? parts.effort;
  if (wish.names.length === 0) return { model: parts.model, effort, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  for (const name of wish.names.slice(0, MAX_NAMES)) {
    const answer = await granted(name, wish, parts, view);
    if ('port' in answer) return { model: answer, effort, diagnostics };
    diagnostics.push(answer);
  }
  diagnostics.push({
    severity: 'warning',
    code: 'facet/model-none',
    message: `none of the models that ${wish.by} asks for can be had: the session’s own is used`,
  });
  return { ...own, diagnostics };
}

/** The model of that name, or why it is not taken. */
async function granted(
  name: string,
  wish: ModelWish,
  parts: WishParts,
  { settings }: FacetView,
): Promise<ActiveModel | Diagnostic> {
  const shown = JSON.stringify(name.slice(0, 200));
  let model: ActiveModel;
  try {
    model = await parts.wished.get(name, parts.choose.model);
  } catch (error) {
    if (!ReinError.isInstance(error)) throw error;
    return unusable(`${wish.by} asks for the model ${shown}, which cannot be had: ${messageOf(error)}`);
  }
  const wire = parts.harness.wires[model.port.info.wire];
  if (!wire.accepted) return unusable(`${wish.by} asks for the model ${shown}: ${wire.error}`);
  const { provider } = model.port.info;
  const isElsewhere = provider !== parts.model.port.info.provider;
  if (!isElsewhere || OWN_SCOPES.includes(wish.scope) || settings.trusted) return model;
  return {
    severity: 'warning',
    code: 'facet/model-needs-trust',
    message: `${wish.by} asks for the model ${shown} of another provider; that a project may choose once it is trusted: rein trust (--trust for one run)`,
    data: { model: name.slice(0, 200), provider },
  };
}

function unusable(message: string): Diagnostic {
  return { severity: 'warning', code: 'facet/model-unusable', message };
}
