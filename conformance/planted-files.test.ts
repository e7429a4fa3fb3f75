import { expect } from 'vitest';
import { contextOf, contextSection } from './rig/kli-prompt.ts';
import { bodyOf, systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const PLANTED = { './': { mode: 0o777 }, 'AGENTS.md': 'PLANT-1', 'u/AGENTS.md': 'ABOVE', 'u/job/AGENTS.md': 'MINE' };

verifies(
  'C109',
  'rein: a file above the project where others can write is not sent and is named, its neighbours are',
  async () => {
    for (const git of [{}, { 'u/job/.git/': null }]) {
      const w = await workspace({ ...PLANTED, ...git }, { harness: 'rein' });
      const { stderr } = await w.print(['hello'], { cwd: 'u/job' });
      const sent = JSON.stringify(bodyOf(w.requests()[0]).messages);
      expect(['PLANT-1', 'ABOVE', 'MINE'].filter((word) => sent.includes(word))).toEqual(['ABOVE', 'MINE']);
      expect(stderr.split('\n').filter((line) => line.includes(w.path('AGENTS.md')))).toHaveLength(1);
    }
  },
);

verifies('C109', 'rein: a file that others can write is not sent, though its directory is closed', async () => {
  const w = await workspace(
    { 'AGENTS.md': { text: 'PLANT-1', mode: 0o666 }, 'u/job/AGENTS.md': 'MINE' },
    { harness: 'rein' },
  );
  await w.print(['hello'], { cwd: 'u/job' });
  expect(JSON.stringify(bodyOf(w.requests()[0]).messages)).not.toContain('PLANT-1');
});

verifies('C109', 'kli: the walk outside a repository takes it, as its document says, and a line names it', async () => {
  const w = await workspace(PLANTED);
  const { stderr } = await w.print(['hello'], { cwd: 'u/job' });
  expect(contextOf(systemOf(w.requests()[0]))).toBe(
    contextSection(
      [w.path('AGENTS.md'), 'PLANT-1'],
      [w.path('u/AGENTS.md'), 'ABOVE'],
      [w.path('u/job/AGENTS.md'), 'MINE'],
    ),
  );
  expect(stderr.split('\n').filter((line) => line.includes(w.path('AGENTS.md')))).toHaveLength(1);
});
