import type { Diagnostic } from '../../base/index.ts';
import type { DefinitionRules } from '../../harness/contract/index.ts';
import { checkFacet, checkSkill } from '../../instructions/index.ts';
import type { FoundFile } from '../../model/index.ts';

export type DefinitionKind = 'facet' | 'subagent' | 'skill';

/** Under a harness that reads no such files, all that any of them would take counts. */
const ANY_PRODUCT: readonly string[] = ['rein', 'polytoken'];

/** What is wrong with a file by itself. `rules`: the harness's; null: it has none, and any tool may be named. */
export function checkDefinition(
  kind: DefinitionKind,
  file: FoundFile,
  rules: DefinitionRules | null,
): readonly Diagnostic[] {
  const { productKeys, knownTools } = rules ?? { productKeys: ANY_PRODUCT, knownTools: [] };
  if (kind === 'skill') return checkSkill(file, { productKeys });
  const found = checkFacet(file, { productKeys, knownTools });
  const faults = rules === null ? found.filter(({ code }) => code !== 'facets/unknown-tool') : found;
  return kind === 'subagent' ? [...faults, notRunYet(file)] : faults;
}

function notRunYet({ path }: FoundFile): Diagnostic {
  const message = 'it is checked as a facet is: this version does not run subagents yet';
  return { severity: 'info', code: 'subagent/not-built', message, path };
}
