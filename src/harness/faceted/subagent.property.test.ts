import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subagentFile } from '../../../test/rig/definition-file.ts';
import { foundFile } from '../../../test/rig/found-file.ts';
import { checkLaid, layoutText } from '../../instructions/index.ts';
import type { SessionState } from '../../model/index.ts';
import { polytokenHarness } from '../polytoken/harness.ts';
import { reinHarness } from '../rein/harness.ts';
import { composed, session, turn, world } from '../test-scenario.ts';

const OWN = 'own';
const NAMES = ['researcher', 'general-purpose', 'plan-reviewer', OWN];

function spawned(agent: string): SessionState {
  const plain = session();
  return { ...plain, header: { ...plain.header, kind: 'subagent', spawnedBy: { session: 's', run: 'r', agent } } };
}

const directory = fc.stringMatching(/^[a-z]{3,8}$/);
const chain = fc.uniqueArray(fc.record({ directory, word: fc.stringMatching(/^[0-9]{8}$/) }), {
  maxLength: 4,
  selector: ({ directory: name }) => name,
});

test.each([reinHarness, polytokenHarness])(
  'property: no instruction file, nor its path, is in a system prompt of $name’s subagents',
  (harness) => {
    const own = subagentFile(
      `/repo/.${harness.name}/subagents/own.md`,
      'name: own\ndescription: d',
      '{{ subagent_name }}: {{ prompt }}',
    );
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), chain, fc.string(), (agent, members, task) => {
        const files = members.map(({ directory: name, word }) =>
          foundFile('context-file', `/repo/x-${name}/AGENTS.md`, `Body ${word}.\n`),
        );
        const at = turn({
          world: world([own, ...files]),
          session: spawned(agent),
          prompt: [{ type: 'text', text: task }],
          agent: { role: 'subagent', name: agent },
        });
        const { system, chain: sent, pins } = composed(harness, at);
        const text = layoutText(system).replace(task, '');
        expect(checkLaid(system)).toEqual([]);
        expect(
          members.filter(({ directory: name, word }) => text.includes(word) || text.includes(`/repo/x-${name}`)),
        ).toEqual([]);
        expect(sent).toEqual(files.map(({ realPath }) => realPath));
        // Once the pins are written the prompt stays as it is, whatever is said next.
        const next = { ...at.session, pins: Object.fromEntries(pins.map(({ name, value }) => [name, value])) };
        const later = composed(harness, { ...at, session: next, prompt: [{ type: 'text', text: 'Something else.' }] });
        expect([later.system, later.pins]).toEqual([system, []]);
      }),
    );
  },
);
