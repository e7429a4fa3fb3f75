import { describe, expect, test } from 'vitest';
import { facetFile, skillFile, subagentFile } from '../../../test/rig/definition-file.ts';
import { foundFile } from '../../../test/rig/found-file.ts';
import { checkLaid, layoutText } from '../../instructions/index.ts';
import { type FoundFile, isNeeds, type SessionState, type Turn } from '../../model/index.ts';
import type { Harness } from '../contract/index.ts';
import { polytokenHarness } from '../polytoken/harness.ts';
import { reinHarness } from '../rein/harness.ts';
import { composed, session, specsOf, type TurnFields, turn, world } from '../test-scenario.ts';

function spawned(agent: string, fields: Partial<SessionState> = {}): SessionState {
  const plain = session(fields);
  const spawnedBy = { session: 'session-0', run: 'agent-1', agent };
  return { ...plain, header: { ...plain.header, kind: 'subagent', spawnedBy } };
}

/** A turn of that subagent, with the tools that it is offered; the caller has all. */
function turnOf(harness: Harness, agent: string, files: readonly FoundFile[] = [], fields: TurnFields = {}): Turn {
  const prompt = [{ type: 'text' as const, text: 'Find the parser.' }];
  const bare = turn({ world: world(files), session: spawned(agent), prompt, ...fields });
  const tools = specsOf(harness.tools(bare).filter((face) => harness.offers?.(face, bare) !== false));
  return { ...bare, tools, agent: { role: 'subagent', name: agent }, submission: { ...bare.submission, tools } };
}

function names({ tools }: Turn): string[] {
  return tools.map(({ name }) => name);
}

const textOfSkill = {
  type: 'text' as const,
  text: 'x',
  pieces: [{ at: [0, 1], piece: 'skill:narrow@1', trigger: 'on-invocation' }],
};
const FAULT = {
  code: 'undefined' as const,
  name: 'own.md',
  line: 2,
  column: null,
  variable: 'nothing',
  message: 'no such variable',
};
const root = foundFile('context-file', '/repo/AGENTS.md', 'Run `make test`.\n');
const SHIPPED = ['researcher', 'general-purpose', 'general-purpose-mini', 'plan-reviewer'];

describe.each([reinHarness, polytokenHarness])('$name', (harness) => {
  test.each(SHIPPED)('the system prompt of %s', async (agent) => {
    const at = turnOf(harness, agent);
    const system = layoutText(composed(harness, at).system);
    await expect(system).toMatchFileSnapshot(`./goldens/subagent-${harness.name}-${agent}.md`);
  });

  test('the base comes before the body, each text with its origin', () => {
    const file = subagentFile(
      `/repo/.${harness.name}/subagents/own.md`,
      'name: own\ndescription: d',
      'I am {{ subagent_name }}: {{ prompt }}\n',
    );
    const { system, pins } = composed(harness, turnOf(harness, 'own', [file]));
    expect(checkLaid(system)).toEqual([]);
    expect(system.flatMap((item) => ('piece' in item ? [[item.piece.id, item.piece.origin.type]] : []))).toEqual([
      ['base/subagent-task', 'shipped'],
      ['base/tools', 'shipped'],
      ['base/care', 'shipped'],
      ['base/instructions', 'shipped'],
      ['base/environment', 'session'],
      ['subagent:own', 'file'],
    ]);
    expect(layoutText(system).endsWith('\n\nI am own: Find the parser.')).toBe(true);
    expect(pins.map(({ name }) => name)).toEqual([`${harness.name}/date`, `${harness.name}/task`]);
  });

  test('what belongs to a person’s conversation is not offered, the exit always is', () => {
    const main = turn();
    const offered = harness.tools(main).filter((face) => harness.offers?.(face, main) !== false);
    const full = names(turnOf(harness, 'general-purpose'));
    const left = offered.map(({ name }) => name).filter((name) => !full.includes(name));
    expect([left, full.filter((name) => !offered.some((face) => face.name === name))]).toEqual([
      ['message_subagent', 'switch_facet', 'subagent'],
      ['exit_tool'],
    ]);
  });

  test('one that may start others has the tools for it, unless they are denied', () => {
    const path = `/repo/.${harness.name}/subagents/own.md`;
    const key = harness.name;
    const head = `name: own\ndescription: d\n${key}:\n  tools: [glob]\n  allow_subagent_spawn: true`;
    const free = turnOf(harness, 'own', [subagentFile(path, head)]);
    const denied = turnOf(harness, 'own', [subagentFile(path, `${head}\n  tools_deny: [message_subagent]`)]);
    expect([names(free), names(denied)]).toEqual([
      ['glob', 'message_subagent', 'subagent', 'exit_tool'],
      ['glob', 'subagent', 'exit_tool'],
    ]);
    expect(harness.subagents?.list(free).map(({ name }) => name)).toEqual([...SHIPPED, 'own'].sort());
    expect(harness.subagents?.list(turnOf(harness, 'researcher'))).toEqual([]);
  });

  test('the exit asks for what the definition says', () => {
    const asked = (agent: string) =>
      turnOf(harness, agent).tools.find(({ name }) => name === 'exit_tool')?.schema.required;
    expect([asked('researcher'), asked('plan-reviewer')]).toEqual([['summary'], ['summary', 'findings']]);
  });

  test('its chain is its own, and its plan is in no reminder', () => {
    const plan = { path: '/p/plan.md', text: 'Do it.', changes: [] };
    const { reminders, chain } = composed(
      harness,
      turnOf(harness, 'plan-reviewer', [root], { session: spawned('plan-reviewer', { plan }) }),
    );
    expect([reminders.beforePrompt.map(({ reason }) => reason), chain]).toEqual([['chain'], ['/repo/AGENTS.md']]);
  });

  test('a body transcludes what lies beside it, and what the facets of its place share, each traced to its file', () => {
    const place = `/repo/.${harness.name}`;
    const body = '{{ transclude("parts/a.md") }}{{ transclude("parts/b.md") }}';
    const file = subagentFile(`${place}/subagents/own.md`, 'name: own\ndescription: d', body);
    const own = foundFile('fragment', `${place}/subagents/parts/a.md`, 'OWN.');
    const hidden = foundFile('fragment', `${place}/facets/parts/a.md`, 'HIDDEN.');
    const shared = foundFile('fragment', `${place}/facets/parts/b.md`, 'SHARED.');
    const { system } = composed(harness, turnOf(harness, 'own', [file, own, hidden, shared]));
    const last = system.at(-1);
    expect(last !== undefined && 'piece' in last ? [last.piece.text, last.piece.fragments] : null).toEqual([
      'OWN.SHARED.',
      [
        { at: [0, 4], from: { path: own.path } },
        { at: [4, 11], from: { path: shared.path } },
      ],
    ]);
  });

  test('a fragment is looked for beside the body, then where facets share theirs, then missed', () => {
    const place = `/repo/.${harness.name}`;
    const file = subagentFile(
      `${place}/subagents/own.md`,
      'name: own\ndescription: d',
      '{{ transclude("parts/a.md") }}',
    );
    const looked = (...directories: string[]): Turn => {
      const searched = directories.map((directory) => ({
        kind: 'fragment',
        directory: `${place}/${directory}/parts`,
        scope: 'project' as const,
        looked: ['a.md'],
        took: null,
        why: 'absent',
      }));
      return turnOf(harness, 'own', [], { world: world([file], { searched }) });
    };
    const asked = [looked(), looked('subagents')].map((at) => {
      const answer = harness.compose(at);
      return isNeeds(answer) ? answer.needs.map(({ places }) => places) : null;
    });
    expect(asked).toEqual([
      [[expect.objectContaining({ path: `${place}/subagents/parts/a.md` })]],
      [[expect.objectContaining({ path: `${place}/facets/parts/a.md` })]],
    ]);
    expect(() => composed(harness, looked('subagents', 'facets'))).toThrow(/^subagent "own" does not render: /);
  });

  test('a skill that names its tools does not take the exit away', () => {
    const skill = skillFile(
      '/repo/.agents/skills/narrow/SKILL.md',
      'name: narrow\ndescription: d\nallowed-tools: [read]',
    );
    const said = { role: 'user' as const, id: 'e', from: 'program' as const, parts: [textOfSkill] };
    const at = turnOf(harness, 'general-purpose', [skill], {
      session: spawned('general-purpose', { history: [said as never] }),
    });
    const gate = (name: string) => harness.gate({ id: 'c', name, executor: 'x', args: {} }, at, 0);
    expect(gate('exit_tool')).toBe('pass');
    expect(gate('pushd')).toMatchObject({ deny: expect.stringMatching(/^Not run: the skill in use \(narrow\)/) });
  });

  test('a definition may do without instruction files', () => {
    const head = `name: own\ndescription: d\n${harness.name}:\n  project_instructions: false`;
    const file = subagentFile(`/repo/.${harness.name}/subagents/own.md`, head);
    const at = turnOf(harness, 'own', [file, root]);
    const batch = { assistant: 'e', results: [] };
    const { reminders, chain } = composed(harness, at);
    expect([reminders, chain, harness.afterBatch(at, batch)]).toEqual([
      { beforePrompt: [], afterPrompt: [] },
      [],
      { reminders: [] },
    ]);
  });

  test('the reviewer sees the plan', () => {
    const plan = { path: '/p/plan.md', text: 'Do {{ it }}.', changes: [] };
    const at = turnOf(harness, 'plan-reviewer', [], { session: spawned('plan-reviewer', { plan }) });
    expect(layoutText(composed(harness, at).system).endsWith('<plan>\nDo {{ it }}.\n</plan>')).toBe(true);
  });

  test('no facet is in force, and the model is the one of its definition', () => {
    const at = turnOf(harness, 'researcher');
    const small = { ...at, settings: { ...at.settings, miniModel: 'p/small' } };
    const wish = { effort: null, by: 'subagent "researcher"', scope: 'shipped' };
    expect([harness.facets?.(at), harness.wish?.(at), harness.wish?.(small)]).toEqual([
      { active: '', facets: [] },
      { names: [], ...wish },
      { names: ['p/small'], ...wish },
    ]);
  });

  test('a definition that is gone, or does not render, stops it with the reason', () => {
    const broken = subagentFile(
      `/repo/.${harness.name}/subagents/own.md`,
      'name: own\ndescription: d',
      'a\n{{ nothing.here }}\n',
    );
    const wrong = subagentFile(`/repo/.${harness.name}/subagents/other.md`, 'name: x\ndescription: d');
    expect(() => composed(harness, turnOf(harness, 'gone'))).toThrow(/^there is no subagent "gone"; .*there are: /);
    expect(() => composed(harness, turnOf(harness, 'other', [wrong]))).toThrow(/other\.md:2: its name is "x"/);
    const at = turnOf(harness, 'own', [broken]);
    const first = harness.compose(at);
    const asked = isNeeds(first) ? (first.renders ?? []) : [];
    const rendered = Object.fromEntries(asked.map(({ id }) => [id, { type: 'failed', fault: FAULT } as const]));
    expect(() => composed(harness, { ...at, rendered })).toThrow(
      /^subagent "own" does not render: own.md:2: no such variable \(nothing\); nothing was sent$/,
    );
  });

  test('what stands in for the base prompt of facets, or is appended, has no part in it', () => {
    const plain = layoutText(composed(harness, turnOf(harness, 'researcher')).system);
    const files = [
      foundFile('override', '/repo/.rein/SYSTEM.md', 'You are a poet.\n'),
      foundFile('append', '/repo/.rein/APPEND_SYSTEM.md', 'In verse.\n'),
      facetFile('/repo/.rein/facets/execute.md', 'name: execute', 'Mine.\n'),
    ];
    const flags = { replace: { text: 'FLAG' }, append: [{ text: 'MORE' }] };
    expect(layoutText(composed(harness, turnOf(harness, 'researcher', files, { settings: { flags } })).system)).toBe(
      plain,
    );
  });

  test('one that a message names is told of; what is none stays as it is typed', () => {
    const main = turn();
    const tools = specsOf(harness.tools(main).filter((face) => harness.offers?.(face, main) !== false));
    const text = 'Let @a:researcher and @subagent:nobody look.';
    const answer = harness.expand(text, { ...main, tools });
    if (isNeeds(answer)) throw new RangeError('more is needed');
    expect([answer.parts, answer.reminders.map(({ reason, layout }) => [reason, layoutText(layout)])]).toEqual([
      [{ type: 'text', text }],
      [
        [
          'subagent_reference',
          '<system-reminder>\nThe user wants the subagent researcher used for this: Finds things out in the code and on pages; reads only.\n</system-reminder>',
        ],
      ],
    ]);
    expect(answer.diagnostics?.map(({ code }) => code)).toEqual(['subagents/unknown']);
  });
});
