import type { HarnessSettings } from '../../model/index.ts';
import type { KimiSkill } from './skills.ts';

type SessionGiven = Pick<HarnessSettings, 'flags' | 'sessionSkills'>;

const OPEN = '<skills_instructions>';
const CLOSE = '</skills_instructions>';
const AVAILABLE = '### Available skills';
const HOW_TO = '### How to use skills';
/** Lines of one entry. */
const MOST_LINES = 64;

/**
 * Skills of this run: those that its caller gave, and those that a developer text tells of (spec/kimi-cli.md 7.4): in a `<skills_instructions>` block, below
 * `### Available skills`, `- name: description (file: path)` each, over several lines where the description is.
 */
export function sessionSkills({ flags, sessionSkills: given = [] }: SessionGiven): KimiSkill[] {
  const own = given
    .filter(({ name }) => name.trim() !== '' && !/\s/.test(name))
    .map((skill): KimiSkill => ({ ...skill, scope: 'Extra', origin: { type: 'flag' } }));
  return [...own, ...skillsIn(flags.append)];
}

function skillsIn(texts: HarnessSettings['flags']['append']): KimiSkill[] {
  for (const { text } of texts) {
    const block = text.trim();
    if (!block.startsWith(OPEN) || !block.endsWith(CLOSE)) continue;
    const body = block.slice(OPEN.length, -CLOSE.length).replace(/^\n+|\n+$/g, '');
    if (body !== '') return entriesIn(body);
  }
  return [];
}

function entriesIn(body: string): KimiSkill[] {
  const lines = body.split('\n');
  const from = lines.indexOf(AVAILABLE);
  if (from < 0) return [];
  const to = lines.findIndex((line, index) => index > from && line.startsWith(HOW_TO));
  const skills: KimiSkill[] = [];
  let buffer: string[] = [];
  for (const line of lines.slice(from + 1, to < 0 ? undefined : to)) {
    buffer = [...buffer, line].slice(-MOST_LINES);
    const skill = entryOf(buffer.join('\n'));
    if (skill === null) continue;
    skills.push(skill);
    buffer = [];
  }
  return skills;
}

function entryOf(text: string): KimiSkill | null {
  const entry = text.trim();
  const at = entry.lastIndexOf(' (file: ');
  if (!entry.startsWith('- ') || !entry.endsWith(')') || at < 0) return null;
  const head = entry.slice(2, at);
  const path = entry.slice(at + ' (file: '.length, -1).trim();
  const colon = head.indexOf(': ');
  if (colon < 0 && !head.endsWith(':')) return null;
  const name = (colon < 0 ? head.slice(0, -1) : head.slice(0, colon)).trim();
  if (name === '' || /\s/.test(name)) return null;
  const description = colon < 0 ? '' : head.slice(colon + 2).trim();
  return { name, description, path, scope: 'Extra', origin: { type: 'flag' } };
}
