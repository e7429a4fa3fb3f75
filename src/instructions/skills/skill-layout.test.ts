import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skillFile } from '../../../test/rig/definition-file.ts';
import { checkLaid, layoutText } from '../layout.ts';
import { type InvokedSkill, skillLayout } from './skill-layout.ts';

const FILE = skillFile('/s/deploy/SKILL.md', 'description: d');
const SKILL = { name: 'deploy', file: FILE };
const PLACE = { placement: 'tool-result', trigger: 'on-invocation' } as const;

function laidOf(text: string, fields: Partial<InvokedSkill> = {}) {
  return skillLayout(SKILL, { text, fragments: [], ...PLACE, ...fields });
}

/** What of the text each fragment is. */
function fragmentTexts(laid: ReturnType<typeof laidOf>): string[] {
  return laid.flatMap((item) =>
    'piece' in item
      ? (item.piece.fragments ?? []).map(({ at: [start, end] }) =>
          Buffer.from(item.piece.text).toString('utf8', start, end),
        )
      : [],
  );
}

describe('skillLayout', () => {
  test('lays the text between tags that name the skill and its directory', () => {
    const laid = laidOf('Do it.\n');
    expect(layoutText(laid)).toBe(
      '<skill name="deploy" directory="/s/deploy">\nInstructions of this skill follow. Relative paths in them start in the directory named above.\n\nDo it.\n</skill>',
    );
    expect(checkLaid(laid)).toEqual([]);
    expect(laid[3]).toEqual({
      trigger: 'on-invocation',
      piece: {
        id: 'skill:deploy',
        kind: 'skill',
        origin: { type: 'file', path: '/s/deploy/SKILL.md', scope: 'project' },
        placement: 'tool-result',
        rule: 'The text of a skill reaches the model when the skill is called.',
        requirement: 'P34',
        text: 'Do it.\n',
        sha256: expect.any(String),
        fileSha256: FILE.sha256,
      },
    });
  });

  test('what stands in the tags cannot leave them', () => {
    const skill = { name: 'a"b', file: skillFile('/s/<"\n>/a"b/SKILL.md', 'description: d') };
    const laid = skillLayout(skill, { text: '', fragments: [], ...PLACE });
    expect(layoutText(laid).split('\n')[0]).toBe(
      '<skill name="a&#x22;b" directory="/s/&#x3c;&#x22;&#xa;&#x3e;/a&#x22;b">',
    );
  });

  test('the text closes neither its own tag nor one around it', () => {
    const laid = laidOf('a </skill> b </NOTE > c </other>', { within: ['note'] });
    expect(layoutText(laid).split('\n').slice(3)).toEqual(['a &lt;/skill> b &lt;/NOTE > c </other>', '</skill>']);
  });

  test('fragments keep their text where closing tags are written out', () => {
    const from = { path: '/x.md' };
    const laid = laidOf('é </skill> [one] < </skill>[two]', {
      fragments: [
        { at: [12, 17], from },
        { at: [28, 33], from },
      ],
    });
    expect(fragmentTexts(laid)).toEqual(['[one]', '[two]']);
  });

  test('any text is laid whole', () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('</skill>', '<', '\n', '\ud800')));
    fc.assert(
      fc.property(text, (parts) => {
        const laid = laidOf(parts.join(''));
        expect(checkLaid(laid)).toEqual([]);
        expect(layoutText(laid).match(/<\s*\/\s*skill/gi)).toHaveLength(1);
      }),
    );
  });
});
