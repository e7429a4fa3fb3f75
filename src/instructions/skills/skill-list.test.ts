import { describe, expect, test } from 'vitest';
import { skillFile } from '../../../test/rig/definition-file.ts';
import { byteLength } from '../../base/index.ts';
import { checkLaid, layoutText } from '../layout.ts';
import { skillList } from './skill-list.ts';

function skill(name: string, description: string) {
  return { name, description, file: skillFile(`/s/${name}/SKILL.md`, 'description: d') };
}

describe('skillList', () => {
  test('is a line for each skill, each a piece of its own', () => {
    const deploy = skill('deploy', 'Ships <it> & more.');
    const { laid, diagnostics } = skillList([deploy, skill('note', 'Notes.')]);
    expect(layoutText(laid)).toBe('- deploy: Ships &lt;it&gt; &amp; more.\n- note: Notes.');
    expect([checkLaid(laid), diagnostics]).toEqual([[], []]);
    expect(laid[0]).toEqual({
      trigger: 'every-request',
      piece: {
        id: 'skill-list:deploy',
        kind: 'skill-list',
        origin: { type: 'file', path: '/s/deploy/SKILL.md', scope: 'project' },
        placement: 'tools',
        rule: 'The model knows of a skill by its name and description; the text comes when the skill is called.',
        requirement: 'P33',
        text: '- deploy: Ships &lt;it&gt; &amp; more.',
        sha256: expect.any(String),
        fileSha256: deploy.file.sha256,
      },
    });
  });

  test('is empty without skills', () => {
    expect(skillList([])).toEqual({ laid: [], diagnostics: [] });
  });

  test('counts what it has no room for', () => {
    const skills = Array.from({ length: 20 }, (_, at) => skill(`s${at}`, 'x'.repeat(1000)));
    const { laid, diagnostics } = skillList(skills);
    const lines = layoutText(laid).split('\n');
    expect(byteLength(layoutText(laid))).toBeLessThanOrEqual(16 * 1024);
    expect([lines.length, lines.at(-1), checkLaid(laid)]).toEqual([17, '(4 more skills are not listed.)', []]);
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'skills/list-full',
        message:
          "the list of skills has no room for 4 of them; shorter descriptions, or a facet's skills_allow, make room",
        data: { names: ['s16', 's17', 's18', 's19'] },
      },
    ]);
  });
});
