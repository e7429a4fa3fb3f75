import { describe, expect, test } from 'vitest';
import { ReinError } from '../base/index.ts';
import type { Harness } from './contract/index.ts';
import { DEFAULT_HARNESS, findHarness, HARNESS_CATALOGUE } from './registry.ts';
import { session, specsOf, turn } from './test-scenario.ts';

async function refusal(name: string): Promise<unknown> {
  try {
    return (await findHarness(name)).name;
  } catch (error) {
    return error instanceof ReinError ? [error.name, error.code, error.message] : error;
  }
}

const BUILT = HARNESS_CATALOGUE.filter(({ status }) => status === 'built').map(({ name }) => name);

describe('findHarness', () => {
  test('what the catalogue calls built can be had, under its own name', async () => {
    const found = await Promise.all(BUILT.map(findHarness));
    expect(found.map(({ name }) => name)).toEqual(['rein', 'kli', 'polytoken', 'kimi-cli']);
    expect(BUILT).toContain(DEFAULT_HARNESS);
  });

  test('what belongs elsewhere is said to do so', async () => {
    expect(await refusal('opencode')).toEqual([
      'UsageError',
      'harness/not-built',
      'harness "opencode" belongs to another program; there are: rein, kli, polytoken, kimi-cli',
    ]);
  });

  test('a misspelt name is answered with the nearest; one like nothing with all', async () => {
    expect(
      await Promise.all(['rien', 'klii', 'Rein', 'kimi_cli', 'zzzzzz', 'toString', '__proto__'].map(refusal)),
    ).toEqual([
      ['UsageError', 'harness/unknown', 'unknown harness "rien"; did you mean "rein"?'],
      ['UsageError', 'harness/unknown', 'unknown harness "klii"; did you mean "kli"?'],
      ['UsageError', 'harness/unknown', 'unknown harness "Rein"; did you mean "rein"?'],
      ['UsageError', 'harness/unknown', 'unknown harness "kimi_cli"; did you mean "kimi-cli"?'],
      ['UsageError', 'harness/unknown', 'unknown harness "zzzzzz"; there are: rein, kli, polytoken, kimi-cli'],
      ['UsageError', 'harness/unknown', 'unknown harness "toString"; there are: rein, kli, polytoken, kimi-cli'],
      ['UsageError', 'harness/unknown', 'unknown harness "__proto__"; there are: rein, kli, polytoken, kimi-cli'],
    ]);
  });
});

describe.each(BUILT)('%s keeps the contract', (name) => {
  const load = (): Promise<Harness> => findHarness(name);

  test('it takes the chat wire, and refuses the others by the fixed sentence', async () => {
    const { wires } = await load();
    // What it could take, and what it never will.
    const tail = name === 'kimi-cli' ? '' : ': this version has no such wire yet; use wire "chat"';
    const sentence = (wire: string): string => `wire_api = "${wire}" is not supported by harness = "${name}"${tail}`;
    expect(wires).toEqual({
      chat: { accepted: true, shape: wires.chat.accepted ? wires.chat.shape : null },
      responses: { accepted: false, error: sentence('responses') },
      messages: { accepted: false, error: sentence('messages') },
    });
  });

  test('typed text reaches the model as it was typed', async () => {
    const harness = await load();
    expect(harness.expand('/x @y $z', turn())).toMatchObject({
      parts: [{ type: 'text', text: '/x @y $z' }],
      reminders: [],
    });
  });

  test('its queries depend on nothing but their arguments', async () => {
    const harness = await load();
    const request = { settings: turn().settings, session: session() };
    expect(harness.sources(request)).toEqual(harness.sources(structuredClone(request)));
  });

  test('its tools have names of their own and are the same objects at every request', async () => {
    const harness = await load();
    const tools = harness.tools(turn());
    expect(new Set(tools.map((face) => face.name)).size).toBe(tools.length);
    expect(harness.tools(turn())).toBe(tools);
  });
});

test('what is shipped of tools is in characters of one byte: any other would make each body twice as wide to handle', async () => {
  const wide = await Promise.all(
    BUILT.map(async (name) => {
      const specs = specsOf((await findHarness(name)).tools(turn()));
      return specs
        .filter((spec) => /[^\u0000-\u00ff]/.test(JSON.stringify(spec)))
        .map((spec) => `${name}: ${spec.name}`);
    }),
  );
  expect(wide.flat()).toEqual([]);
});

test('each harness has its own names for the tools, and kli fewer of them', async () => {
  const names = await Promise.all(
    BUILT.map(async (name) => (await findHarness(name)).tools(turn()).map((face) => face.name)),
  );
  expect(names).toEqual([
    [
      'read',
      'glob',
      'grep',
      'edit',
      'write',
      'shell',
      'job',
      'pushd',
      'popd',
      'fetch',
      'todo',
      'ask',
      'write_plan',
      'edit_plan',
      'handoff_plan',
      'message_subagent',
      'skill',
      'switch_facet',
      'subagent',
    ],
    ['read', 'find', 'search', 'write', 'edit', 'bash'],
    [
      'file_read',
      'file_edit_search_replace',
      'file_write',
      'glob',
      'grep',
      'shell_exec',
      'shell_monitor',
      'shell_service',
      'list_jobs',
      'job_status',
      'job_block',
      'job_result',
      'job_cancel',
      'pushd',
      'popd',
      'web_fetch',
      'todo_create',
      'todo_update',
      'todo_complete',
      'todo_delete',
      'todo_list',
      'ask_user_question',
      'write_plan',
      'edit_plan',
      'handoff_plan',
      'message_subagent',
      'skill',
      'switch_facet',
      'subagent',
    ],
    [
      'Agent',
      'AskUserQuestion',
      'SetTodoList',
      'Shell',
      'TaskList',
      'TaskOutput',
      'TaskStop',
      'ReadFile',
      'ReadMediaFile',
      'Glob',
      'Grep',
      'WriteFile',
      'StrReplaceFile',
      'FetchURL',
      'ExitPlanMode',
      'EnterPlanMode',
    ],
  ]);
});
