import type { Diagnostic } from '../../base/index.ts';
import type { DefinitionRules } from '../../harness/contract/index.ts';
import { checkFacet, checkSkill, checkSubagent } from '../../instructions/index.ts';
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
  const check = kind === 'facet' ? checkFacet : checkSubagent;
  const found = check(file, { productKeys, knownTools });
  return rules === null ? found.filter(({ code }) => code !== `${kind}s/unknown-tool`) : found;
}
