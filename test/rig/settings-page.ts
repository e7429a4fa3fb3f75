import { faultOf } from '../../src/config/check-value.ts';
import { DEFAULTS, RULES, type Rule } from '../../src/config/schema.ts';

type Row = { key: string; rule: Rule; ofModels: boolean };

const MODELS = '.models.*';

const GROUPS: readonly { title: string; prefix: string; words?: string }[] = [
  { title: 'The run', prefix: '' },
  {
    title: 'Permissions',
    prefix: 'permissions',
    words: 'What they mean, and how a command is judged: [permissions.md](permissions.md).',
  },
  { title: 'Instruction files', prefix: 'instructions' },
  {
    title: 'Harnesses',
    prefix: 'harnesses',
    words:
      'What each takes: [harness-rein.md](harness-rein.md), [harness-polytoken.md](harness-polytoken.md), [harness-kimi-cli.md](harness-kimi-cli.md), [harness-kli.md](harness-kli.md).',
  },
  { title: 'Long conversations', prefix: 'compaction' },
  { title: 'Commands', prefix: 'shell' },
  { title: 'Background', prefix: 'tasks', words: 'Commands in the background: [background.md](background.md).' },
  { title: 'Subagents', prefix: 'subagents', words: 'Who they are: [subagents.md](subagents.md).' },
  { title: 'Plans', prefix: 'plans' },
  {
    title: 'Notices',
    prefix: 'notices',
    words: 'What the program itself tells the model: [notices.md](notices.md).',
  },
  { title: 'Skills', prefix: 'skills' },
  { title: 'Web', prefix: 'web' },
  {
    title: 'Model servers',
    prefix: 'providers',
    words:
      'A server of your own, or what is different with a known one, under its name: `providers.NAME`. Keys with † may also stand under `providers.NAME.models.MODEL`, for that model alone. In parentheses: what holds where nothing is set.',
  },
];

/** `docs/settings.md`, from the schema. */
export function settingsPage(intro: string): string {
  const rows = allRows();
  const known = GROUPS.map(({ prefix }) => prefix);
  const groupOf = ({ key }: Row): string => (key.includes('.') ? (key.split('.')[0] ?? '') : '');
  const lost = rows.filter((row) => !known.includes(groupOf(row)));
  if (lost.length > 0) throw new RangeError(`no group for ${lost.map(({ key }) => key).join(', ')}`);
  const sections = GROUPS.flatMap(({ title, prefix, words }) => {
    const own = rows.filter((row) => groupOf(row) === prefix);
    return own.length === 0 ? [] : [section(title, words, own)];
  });
  return `${intro.trimEnd()}\n\n${sections.join('\n\n')}\n`;
}

/** What a model may have of its provider's keys is one row with the provider's. */
function allRows(): Row[] {
  const rules = Object.entries(RULES);
  return rules
    .filter(([key, rule]) => !key.includes(MODELS) || RULES[key.replace(MODELS, '')]?.about !== rule.about)
    .map(([key, rule]) => {
      const [first = '', star = '', ...rest] = key.split('.');
      return { key, rule, ofModels: Object.hasOwn(RULES, [first, star + MODELS, ...rest].join('.')) };
    });
}

function section(title: string, words: string | undefined, rows: readonly Row[]): string {
  return [
    `## ${title}`,
    '',
    ...(words === undefined ? [] : [words, '']),
    '| key | value | default | in a project | meaning |',
    '|---|---|---|---|---|',
    ...rows.map(line),
  ].join('\n');
}

function line({ key, rule, ofModels }: Row): string {
  const shown = key.replace('*', 'NAME').replace('*', key.startsWith('providers.*.headers') ? 'HEADER' : 'MODEL');
  const fallback = DEFAULTS.find(([path]) => path.join('.') === key)?.[1] ?? null;
  const cells = [
    `\`${shown}\`${ofModels ? ' †' : ''}`,
    // What the program says a wrong value must be.
    (faultOf(undefined, rule.value) ?? '').replaceAll('*', '\\*'),
    fallback === null ? '–' : `\`${JSON.stringify(fallback)}\``,
    rule.project === 'allowed' ? 'yes' : 'once trusted',
    rule.about,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
