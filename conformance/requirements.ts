import { CASES } from './requirements/cases.ts';
import { KIMI_CLI } from './requirements/kimi-cli.ts';
import { KLI } from './requirements/kli.ts';
import { POLYTOKEN } from './requirements/polytoken.ts';
import { REIN } from './requirements/rein.ts';
import type { Requirement } from './requirements/requirement.ts';

/** Everything the program promises, now or later. */
export const REQUIREMENTS: readonly Requirement[] = [...KLI, ...KIMI_CLI, ...POLYTOKEN, ...REIN, ...CASES];
