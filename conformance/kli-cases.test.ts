import { expect } from 'vitest';
import { linesAbout } from './rig/faceted.ts';
import { git } from './rig/git.ts';
import { contextOf, contextSection } from './rig/kli-prompt.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

/** The context section of the last request, and the lines of stderr about a file. */
async function sent(w: Workspace, cwd: string, about: string): Promise<[section: string, told: string[]]> {
  const { stderr } = await w.print(['hello'], { cwd });
  return [contextOf(systemOf(w.requests().at(-1))), linesAbout(w, stderr, about)];
}

verifies('C2', 'kli: in a worktree inside the checkout only its own file is sent, the outer one is named', async () => {
  const w = await workspace({ 'repo/AGENTS.md': 'RULE-A' });
  git(w, 'repo', 'init', '-q');
  git(w, 'repo', 'add', '.');
  git(w, 'repo', 'commit', '-qm', 'first');
  git(w, 'repo', 'worktree', 'add', '-q', '.wt/feat');
  const [section, told] = await sent(w, 'repo/.wt/feat', 'repo/AGENTS.md');
  expect(section).toBe(contextSection([w.path('repo/.wt/feat/AGENTS.md'), 'RULE-A']));
  expect(told).toHaveLength(1);
  w.remove('repo/.wt/feat/AGENTS.md');
  const [alone, toldAgain] = await sent(w, 'repo/.wt/feat', 'repo/AGENTS.md');
  expect([alone, toldAgain.length]).toEqual(['', 1]);
});

verifies('C4', 'kli: in a submodule its own file is sent, the outer repository’s is named', async () => {
  const w = await workspace({
    'super/.git/modules/sub/HEAD': 'ref: refs/heads/main\n',
    'super/.git/HEAD': 'ref: refs/heads/main\n',
    'super/AGENTS.md': 'FAMILY-1',
    'super/sub/.git': 'gitdir: ../.git/modules/sub\n',
    'super/sub/AGENTS.md': 'SUB-1',
  });
  const [section, told] = await sent(w, 'super/sub', 'super/AGENTS.md');
  expect(section).toBe(contextSection([w.path('super/sub/AGENTS.md'), 'SUB-1']));
  expect(told).toHaveLength(1);
});

verifies('C8', 'kli: up to 2 MiB a file comes to its last line, over it the person is told', async () => {
  const text = `${'filler of forty kilobytes\n'.repeat(1_600)}TAIL-RULE-9`;
  const w = await workspace({ '.git/': null, 'AGENTS.md': text });
  expect(await sent(w, '.', 'AGENTS.md')).toEqual([contextSection([w.path('AGENTS.md'), text]), []]);
  w.write('AGENTS.md', 'x'.repeat(2 * 1024 * 1024 + 1));
  const [section, told] = await sent(w, '.', 'AGENTS.md');
  expect([section, told.length]).toEqual(['', 1]);
});

verifies('C10', 'kli: its four names are sent, any other spelling of them is named', async () => {
  const w = await workspace({
    'one/AGENTS.MD': 'CASE-1',
    'two/CLAUDE.md': 'CASE-1',
    'three/agents.md': 'CASE-1',
    'four/Claude.md': 'CASE-1',
  });
  for (const [cwd, name] of [
    ['one', 'AGENTS.MD'],
    ['two', 'CLAUDE.md'],
  ] as const) {
    const path = `${cwd}/${name}`;
    expect(await sent(w, cwd, path)).toEqual([contextSection([w.path(path), 'CASE-1']), []]);
  }
  for (const [cwd, name] of [
    ['three', 'agents.md'],
    ['four', 'Claude.md'],
  ] as const) {
    const [section, told] = await sent(w, cwd, `${cwd}/${name}`);
    expect([cwd, section, told.length]).toEqual([cwd, '', 1]);
  }
});

verifies('C11', 'kli: byte order marks decide the decoding, invalid bytes are replaced and told', async () => {
  const utf16 = Buffer.from('\ufeffRULE-16', 'utf16le');
  const w = await workspace({
    'le/AGENTS.md': utf16,
    'be/AGENTS.md': Buffer.from(utf16).swap16(),
    'mark/AGENTS.md': Buffer.from('\ufeffRULE-8'),
    'broken/AGENTS.md': Buffer.from([0x41, 0xc3, 0x28, 0x42]),
  });
  const expected = { le: ['RULE-16', 0], be: ['RULE-16', 0], mark: ['RULE-8', 0], broken: ['A\ufffd(B', 1] } as const;
  for (const [cwd, [text, lines]] of Object.entries(expected)) {
    const [section, told] = await sent(w, cwd, `${cwd}/AGENTS.md`);
    expect([section, told.length]).toEqual([contextSection([w.path(`${cwd}/AGENTS.md`), text]), lines]);
  }
});

verifies('C13', 'kli: a link and its target are one file, a stub beside the file is not sent', async () => {
  const w = await workspace({
    'link/AGENTS.md': 'ONE-1',
    'link/CLAUDE.md': { link: 'AGENTS.md' },
    'stub/AGENTS.md': 'ONE-1',
    'stub/CLAUDE.md': 'AGENTS.md',
    'same/AGENTS.md': 'ONE-1',
    'same/CLAUDE.md': 'ONE-1',
  });
  for (const cwd of ['link', 'stub', 'same']) {
    const [section] = await sent(w, cwd, cwd);
    expect(section).toBe(contextSection([w.path(`${cwd}/AGENTS.md`), 'ONE-1']));
  }
});

verifies('C15', 'kli: an edit is in the next prompt, and the history stays', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'V1' });
  const session = w.stream();
  await session.prompt('one');
  w.write('AGENTS.md', 'V2');
  await session.prompt('two');
  await session.carryOut({ type: 'reload' });
  await session.prompt('three');
  await session.end();
  const sections = w.requests().map((request) => contextOf(systemOf(request)));
  expect(sections).toEqual(['V1', 'V2', 'V2'].map((text) => contextSection([w.path('AGENTS.md'), text])));
  expect(JSON.stringify(w.requests().at(-1)?.json)).toMatch(/"one".*"two".*"three"/);
});

verifies(['C17', 'C18', 'C21', 'C24'], 'kli: an @ is an @: nothing is imported, nothing told', async () => {
  const text = 'see @x.md and @gone.md\n- @~/me.md\n```\n@x.md\n```\n@a.md\n';
  const w = await workspace({
    '.git/': null,
    'AGENTS.md': text,
    'x.md': 'IMPORTED',
    '~/me.md': 'IMPORTED',
    'a.md': '@a.md IMPORTED',
  });
  const { stderr } = await w.print(['hello @x.md']);
  expect(stderr).toBe('');
  expect(contextOf(systemOf(w.requests()[0]))).toBe(contextSection([w.path('AGENTS.md'), text]));
  expect(w.requests()[0]?.body).not.toContain('IMPORTED');
});

verifies('C1', 'kli: below the working directory nothing is fetched, as its document says', async () => {
  const w = await workspace(
    { '.git/': null, 'AGENTS.md': 'ROOT-11', 'packages/web/AGENTS.md': 'WEB-22', 'packages/web/a.ts': 'export {};\n' },
    { replies: callsThenDone([[['read', { path: 'packages/web/a.ts' }]]]) },
  );
  await w.print(['go']);
  const section = contextSection([w.path('AGENTS.md'), 'ROOT-11']);
  expect(w.requests().map((request) => contextOf(systemOf(request)))).toEqual([section, section]);
  expect(w.requests().at(-1)?.body).not.toContain('WEB-22');
});
