import { expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import type { Diagnostic } from '../base/index.ts';
import type { FoundFile, StreamEvent } from '../model/index.ts';
import { conversation, type Rig, rig, say } from './test-rig.ts';

const BROKEN: Diagnostic = { severity: 'error', code: 'facet/broken', message: 'no name', path: '/repo/f.md', line: 2 };

function doneValues(events: readonly StreamEvent[]): object[] {
  return events.flatMap((event) => (event.type === 'done' && event.value !== undefined ? [event.value] : []));
}

/** A session over a disk of these files; each is read again only after a reload. */
function on(disk: { files: FoundFile[]; diagnostics?: Diagnostic[] }, given: Parameters<typeof rig>[1] = {}): Rig {
  const started = rig([say('A.'), say('B.')], given);
  const { world } = started.parts;
  let read: typeof disk | null = null;
  started.parts.world = {
    look: async (request) => {
      read ??= { ...disk, files: [...disk.files] };
      return { ...(await world.look(request)), files: read.files, diagnostics: read.diagnostics ?? [] };
    },
    reload: () => {
      read = null;
    },
  };
  return started;
}

test('a reload says what changed since the last look, by kind', async () => {
  const disk = { files: [contextFile('/repo/A.md', 'one'), contextFile('/repo/B.md', 'two')] };
  const { session, events } = on(disk);
  await session.send({ type: 'prompt', text: 'go' });
  disk.files = [
    contextFile('/repo/A.md', 'edited'),
    { ...contextFile('/repo/plan.md', 'three'), kind: 'facet' },
    contextFile('/repo/C.md', 'four'),
  ];
  await session.send({ type: 'reload' });
  await session.send({ type: 'reload' });
  expect(doneValues(events)).toEqual([
    {
      harness: 'plain',
      changed: {
        'context-file': { added: ['/repo/C.md'], removed: ['/repo/B.md'], edited: ['/repo/A.md'] },
        facet: { added: ['/repo/plan.md'], removed: [], edited: [] },
      },
      diagnostics: 0,
      failed: [],
    },
    { harness: 'plain', changed: {}, diagnostics: 0, failed: [] },
  ]);
});

test('before the first look there is nothing to compare with; faults are counted, told and listed', async () => {
  const warning: Diagnostic = { severity: 'warning', code: 'facet/odd', message: 'odd' };
  const { session, events } = on(
    { files: [contextFile('/repo/A.md', 'one')], diagnostics: [warning] },
    {
      harness: { reloaded: () => ({ reminders: [], diagnostics: [BROKEN, BROKEN] }) },
    },
  );
  await session.send({ type: 'reload' });
  expect(doneValues(events)).toEqual([{ harness: 'plain', changed: {}, diagnostics: 2, failed: [BROKEN] }]);
  const told = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic] : []));
  expect(told).toEqual([warning, BROKEN]);
});

test('what the harness has to say of a reload is in the conversation at once', async () => {
  const { session, model } = on(
    { files: [contextFile('/repo/A.md', 'new')] },
    {
      harness: {
        reloaded: ({ world }) => ({
          reminders: [{ reason: 'reload', layout: [{ separator: world.files.map(({ text }) => text).join() }] }],
        }),
      },
    },
  );
  await session.send({ type: 'reload' });
  await session.send({ type: 'prompt', text: 'go' });
  expect(conversation(model, 0)).toEqual(['reminder: new', 'user: go']);
});
