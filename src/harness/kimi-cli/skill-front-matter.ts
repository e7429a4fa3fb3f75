/** Name and description of a skill, as its head has them. */
export type SkillHead = { name: string; description: string };

const BLOCK = ['|', '|-', '|+'];

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^"+|"+$/g, '')
    .replace(/^'+|'+$/g, '');
}

/**
 * The head of a `SKILL.md` as the original read it, which was no YAML (spec/kimi-cli.md 7.3): exactly `---` in the first
 * line and in a later one, `name:` and `description:` at the start of a line, block texts of indented lines up to the
 * first that is not. Null: there is none, or one of the two is missing.
 */
export function readSkillHead(text: string): SkillHead | null {
  if (!text.startsWith('---\n')) return null;
  const end = text.indexOf('\n---\n', 4);
  if (end < 0) return null;
  const lines = text.slice(4, end).split('\n').map(withoutReturn);
  let name: string | null = null;
  let description: string | null = null;
  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').trim();
    if (line.startsWith('name:')) name = unquoted(line.slice('name:'.length));
    if (!line.startsWith('description:')) continue;
    const value = line.slice('description:'.length).trim();
    if (!BLOCK.includes(value)) {
      description = unquoted(value);
      continue;
    }
    const block: string[] = [];
    while (/^[ \t]/.test(lines[index + 1] ?? '')) {
      index += 1;
      block.push((lines[index] ?? '').trim());
    }
    description = block.join('\n');
  }
  return name === null || description === null ? null : { name, description };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
