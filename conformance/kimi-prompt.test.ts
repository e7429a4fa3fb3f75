import { expect } from 'vitest';
import { bodyOf, messagesOf, systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

function kimi(tree: Parameters<typeof workspace>[0] = {}): Promise<Workspace> {
  return workspace({ '.git/': null, ...tree }, { harness: 'kimi-cli' });
}

/** The prompt's own words for each statement that it has to make (spec/kimi-cli.md 3). */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  M17: [
    "You are Kimi Code CLI, an interactive general agent on the user's computer. Your aim is real change, made through your tools, not a description of it. Follow these rules and the user.",
  ],
  M18: [
    'A greeting, or a simple question that concerns neither the working directory nor the internet, may be answered directly. Everything else is done with tools by default; where a message may be a question or a task, take it as a task.',
  ],
  M19: [
    'Code and files that are to be created, changed or run go through tools: `WriteFile` for a file, `Shell` to run something. Code that is only shown in a reply is not saved and has no effect.',
  ],
  M20: [
    'Give no explanations along with tool calls: a call explains itself. Follow the description of each tool and of each parameter.',
  ],
  M21: ["Reply in the user's language unless told otherwise."],
  M23: [
    'a new instance, or an earlier one resumed by its `agent_id`. Each instance keeps a history of its own.',
    'A new one sees nothing of this conversation, so give it a complete prompt; resume one that already has the context.',
    'Run it in the foreground by default. Use `run_in_background` only if the conversation has to go on first and the next step does not need the result.',
  ],
  M24: [
    'A reply may hold any number of tool calls. Send calls that do not disturb each other in parallel, in one reply: this is strongly advised, since it matters much for performance.',
  ],
  M25: ['Text in `<system>` tags, in messages of the user or of tools, is supplementary context: weigh it.'],
  M26: [
    'Text in `<system-reminder>` tags is an authoritative directive that you must follow. It has nothing to do with the message that carries it, and may override your normal behaviour: in plan mode, for example, it makes you read-only.',
  ],
  M27: [
    'If `Shell`, `TaskList`, `TaskOutput` and `TaskStop` are all among your tools and you are the root agent, you can run commands as background tasks:',
  ],
  M28: [
    'Start one by `Shell` with `run_in_background=true` and a short `description`. The system notifies you when it has reached a terminal state.',
  ],
  M29: [
    '`TaskList` lists the active tasks again, above all after the context was compacted. `TaskOutput` gives a snapshot and does not block; set `block=true` only to wait on purpose. `TaskStop` is only for cancelling.',
  ],
  M30: ['After starting one, give control back to the user by default instead of waiting for it.'],
  M31: [
    'The only command that a person has for them is `/task`. Never name `/task list`, `/task output`, `/task stop`, `/tasks` or anything like it.',
  ],
  M32: [
    'If you are a subagent, or one of these tools is missing, do not assume that anything can run in the background.',
  ],
  M33b: [
    "Approvals of foreground calls and of background agents go through one approval runtime and are shown in the root's interface. An approval is not confined to one subagent's turn.",
  ],
  M34: [
    'Understand what is wanted, and clarify what is open.\n- Design it and make a plan.\n- Write modular code that is easy to maintain.\n- Carry it out with tools: create files with `WriteFile`, run the program and its tests with `Shell`; when something fails read the error, fix it with `WriteFile` or `StrReplaceFile`, and run it again.',
  ],
  M35a: [
    'First read it, with `ReadFile`, `Glob` and `Grep`; find out what the goal is and what decides whether it is reached.',
  ],
  M35b: ['Bug: look at logs and failing tests, find the root cause, fix that. Tests that the user names must pass.'],
  M35c: ['Feature: design it so that it intrudes little. Add tests where the project has a suite.'],
  M35d: [
    'Refactoring: update every place that uses what you change, and leave the logic alone, that of tests above all; repair only what the changed interfaces break.',
  ],
  M35e: ['Make the smallest change that does it, in the style of the house.'],
  M35f: [
    'as soon as it clearly takes more than three searches or spans several files and patterns. Several of them may explore at once.',
  ],
  M36: ['For a wide search use `Agent` with `subagent_type="explore"`, a fast, read-only subagent,'],
  M37: [
    "Never run `git commit`, `git push`, `git reset`, `git rebase` or any other command that changes Git's state unless you are explicitly asked to. Confirm it each time, also where it was confirmed earlier.",
  ],
  M38a: ['Understand what is wanted, and clarify it before you begin. Plan before deep or wide work.'],
  M38b: ['Search with well-made queries.'],
  M38c: [
    'check first which are there. Third-party packages are installed into a virtual or otherwise isolated environment only.',
  ],
  M38d: ['Read generated or edited media back and check them.'],
  M38e: ['Install and delete nothing outside the working directory without asking.'],
  M39: [
    'This environment is not a sandbox: what you do takes effect at once. Be extremely cautious, and touch nothing outside the working directory unless you are told to.',
  ],
  M44: ['This is a reference for searches and the age of files. Where the exact time matters, get it with `Shell`.'],
  M45: [
    'A `README.md` is written for people. Files named `AGENTS.md` stand beside it and hold what an agent needs: build steps, how to test, conventions.',
  ],
  M46a: ['They may lie at any level of the project, also in a directory `.kimi/`.'],
  M46b: ['Each governs its directory and everything below it.'],
  M46c: ['A deeper one wins over one above it;'],
  M46d: ['direct instructions of the user win over all of them.'],
  M46e: ['When you change what an `AGENTS.md` describes, update it.'],
  M51: [
    'Their scopes are Project, User, Extra and Built-in; of several skills of one name the first in this order counts.',
    'Read a `SKILL.md` only when its skill is needed, and then follow it.',
  ],
  M75: ['Only two levels are shown. Where it says "... and N more", explore with `Glob` or `Shell`.'],
};

verifies(
  [
    'M17',
    'M18',
    'M19',
    'M20',
    'M21',
    'M23',
    'M24',
    'M25',
    'M26',
    'M27',
    'M28',
    'M29',
    'M30',
    'M31',
    'M32',
    'M33b',
    'M34',
    'M35a',
    'M35b',
    'M35c',
    'M35d',
    'M35e',
    'M35f',
    'M36',
    'M37',
    'M38a',
    'M38b',
    'M38c',
    'M38d',
    'M38e',
    'M39',
    'M44',
    'M45',
    'M46a',
    'M46b',
    'M46c',
    'M46d',
    'M46e',
    'M51',
    'M75',
  ],
  'each statement is in the prompt, once, in our words',
  async () => {
    const system = await (await kimi()).systemPrompt();
    const times = Object.entries(STATEMENTS).map(([row, sentences]) => [
      row,
      sentences.map((sentence) => system.split(sentence).length - 1),
    ]);
    expect(times).toEqual(Object.entries(STATEMENTS).map(([row, sentences]) => [row, sentences.map(() => 1)]));
  },
);

const HEADINGS = [
  '# Prompt and Tool Use',
  '# General Guidelines for Coding',
  '# General Guidelines for Research and Data Processing',
  '# Working Environment',
  '## Operating System',
  '## Date and Time',
  '## Working Directory',
  '# Project Information',
  '# Skills',
  '# Ultimate Reminders',
];

verifies(
  ['M6', 'M15', 'M16'],
  'the template is rendered in its order, blocks that do not apply gone without a gap',
  async () => {
    const w = await kimi();
    const system = await w.systemPrompt({ args: ['-c', 'harness_guidance=false'] });
    expect(system.match(/^#{1,2} .*$/gm)).toEqual(HEADINGS);
    expect(system).not.toMatch(/\{%|\$\{[A-Z_]+\}|PowerShell|Additional Directories/);
    expect(system).toMatch(
      /\nYou are running on \w+\. The shell is bash \(`\/bin\/bash`\)\.\n\nThis environment is not a sandbox/,
    );
    expect(system).toMatch(/explore with `Glob` or `Shell`\.\n\n# Project Information\n/);
    expect(system.endsWith('\n')).toBe(false);
    // The root's role is empty: the blank lines around it stay.
    expect(system).toMatch(/Follow these rules and the user\.\n\n\n\n# Prompt and Tool Use\n/);
  },
);

verifies(['M8', 'M9', 'M11'], 'system, shell and working directory are named', async () => {
  const w = await kimi({ 'a/': null });
  const system = await w.systemPrompt({ cwd: 'a' });
  const os = { linux: 'Linux', darwin: 'macOS' }[process.platform as 'linux' | 'darwin'];
  expect(system).toContain(`\nYou are running on ${os}. The shell is bash (\`/bin/bash\`).\n`);
  expect(system).toContain(`\nThe working directory is \`${w.path('a')}\`. Take it as the root of the project:`);
});

verifies(
  'M10',
  'the time has six digits and an offset; the test’s time beats ours, with and without a blank',
  async () => {
    const now = async (env: Readonly<Record<string, string>>): Promise<string | undefined> => {
      const system = await (await kimi()).systemPrompt({ env });
      return /\nIt is ([^ ]*)\. This is a reference/.exec(system)?.[1];
    };
    expect([
      await now({ REIN_NOW: '2026-11-30T12:00:00+02:00' }),
      await now({ OPENINTERPRETER_TEST_TIME: '2026-01-02 03:04:05', REIN_NOW: '2026-11-30T12:00:00+02:00' }),
      await now({ OPENINTERPRETER_TEST_TIME: 'noon' }),
      await now({ OPENINTERPRETER_TEST_TIME: '' }),
    ]).toEqual(['2026-11-30T12:00:00.000000+02:00', '2026-01-02T03:04:05.000000+00:00', 'noon', '']);
  },
);

verifies('M10', 'the time is that of the conversation’s start at every request of it', async () => {
  const w = await kimi({ '~/now': '2026-11-30T12:00:00+00:00' });
  const s = w.stream([], { env: { REIN_NOW: `@${w.path('~/now')}` } });
  await s.prompt('one');
  w.write('~/now', '2026-11-30T13:00:00+00:00');
  await s.prompt('two');
  await s.end();
  const [first, second] = w.requests().map(systemOf);
  expect(second).toBe(first);
});

verifies(
  ['M6', 'M66'],
  'developer text stands under its heading, the guidance after it; either alone, or neither',
  async () => {
    const tail = async (args: readonly string[]): Promise<string> => {
      const system = await (await kimi()).systemPrompt({ args });
      return system.slice(system.indexOf('- Write files with tools, never only into a reply.'));
    };
    const head = '- Write files with tools, never only into a reply.';
    const developer = '\n\n# Additional Developer Instructions\n\nBe terse.\n\nUse ${KIMI_OS}.';
    const texts = ['--append-system-prompt', ' Be terse.\n', '--append-system-prompt', 'Use ${KIMI_OS}.'];
    const off = ['-c', 'harness_guidance=false'];
    const guidance = (await tail([])).slice(head.length);
    expect(guidance).toMatch(/^\n\n<extra_instruction>\n[\s\S]*\n<\/extra_instruction>$/);
    expect([await tail(off), await tail([...texts, ...off]), await tail(texts)]).toEqual([
      head,
      head + developer,
      head + developer + guidance,
    ]);
  },
);

verifies('M66', 'the guidance is this harness’s alone', async () => {
  for (const harness of ['rein', 'kli', 'polytoken']) {
    const w = await workspace({ '.git/': null }, { harness });
    expect(await w.systemPrompt({ args: ['-c', 'harness_guidance=true'] })).not.toContain('extra_instruction');
  }
});

const POINTS = [
  'Work actively and concretely: a step with a tool is worth more than a long analysis.',
  'A task of several steps: write the steps down with SetTodoList early, and keep the list current.',
  'Work on files with the tools for files: ReadFile, Glob and Grep to look, WriteFile to create or replace, StrReplaceFile to edit. Do not use Python or shell commands just to read or patch sources.',
  'Where the task names local paths, and they are few, look at them first, before the first experiment in Shell. Do not infer an implementation from the words of the task.',
  'Data sets, databases, fixtures and test inputs that you were given are read-only by default. Write the output files that are asked for instead.',
  'Shell is for builds, tests, quick experiments and what belongs to a shell.',
  'A long command runs with run_in_background and a short description; look at it with TaskOutput instead of blocking.',
  'A check fails: read its concrete output, make a targeted change, and run the smallest check again that tells. Go on until it passes or you have proven what stands in the way.',
  'Build no chain of fallbacks that hides a failed check, unless you look at what each branch does.',
  'After two fixes that failed stop guessing: read source and output again, and find what is really checked.',
  'Drop an approach that has proven dead: say which hypothesis failed, and attack another mechanism.',
  'Before you finish, verify that the result meets the explicit constraints: path, format, length, prefix and suffix, schema, how it is called.',
  'Make the smallest focused change, and do not stop after planning when code or files have to change.',
];

verifies('M67', 'the guidance has its thirteen points, in their order', async () => {
  const system = await (await kimi()).systemPrompt();
  const inside = /<extra_instruction>\n([\s\S]*)\n<\/extra_instruction>$/.exec(system)?.[1] ?? '';
  expect(inside.split('\n').filter((line) => line.startsWith('- '))).toEqual(POINTS.map((point) => `- ${point}`));
});

verifies('M6', 'a context of another program among the developer texts is no instruction', async () => {
  const w = await kimi();
  const system = await w.systemPrompt({
    args: [
      '-c',
      'harness_guidance=false',
      '--append-system-prompt',
      '<Permissions instructions>no</permissions instructions>',
    ],
  });
  expect(system).not.toContain('# Additional Developer Instructions');
  expect(system).not.toMatch(/permissions instructions/i);
});

verifies(['M6', 'M16'], 'a template of the user’s own is rendered by the same rules', async () => {
  const template =
    'MINE on ${KIMI_OS}, $& ${UNKNOWN}\n{% if KIMI_OS == "Windows" %}\nWIN\n{% endif %}\n{% if other %}kept{% endif %}\n${KIMI_WORK_DIR}\n\n';
  const w = await kimi({ '~/kimi.md': template });
  const settings = ['-c', 'harness_guidance=false', '-c', 'harnesses.kimi-cli.template=~/kimi.md'];
  expect(await w.systemPrompt({ args: settings })).toBe(
    `MINE on Linux, $& \${UNKNOWN}\n{% if other %}kept{% endif %}\n${w.project}`,
  );
  w.remove('~/kimi.md');
  const { stderr } = await w.print([...settings, 'again']);
  expect(stderr).toBe(
    `${w.path('~/kimi.md')}: warning: harnesses.kimi-cli.template names it, and it cannot be read as UTF-8 of at most 256 KiB; the shipped template is used\n`,
  );
});

verifies('M6', 'a project that is not trusted names no template', async () => {
  const w = await kimi({ '.rein/settings.json': '{"harnesses":{"kimi-cli":{"template":"/etc/hostname"}}}' });
  const system = await w.systemPrompt();
  expect(system.startsWith('You are Kimi Code CLI')).toBe(true);
});

verifies(['M3', 'M4'], 'any wire but chat is refused before a request, by the exact sentence', async () => {
  for (const wire of ['messages', 'responses']) {
    const w = await kimi();
    const { code, stderr } = await w.run(['-p', '-c', `wire=${wire}`, 'hello']);
    expect([code, stderr, w.requests().length]).toEqual([
      2,
      `rein: wire_api = "${wire}" is not supported by harness = "kimi-cli"\n`,
      0,
    ]);
  }
});

verifies(['M3', 'M1'], 'it is chosen by the settings, by -c or by --harness', async () => {
  const chosen = async (tree: Parameters<typeof workspace>[0], args: readonly string[]): Promise<boolean> => {
    const w = await workspace({ '.git/': null, ...tree });
    await w.print([...args, 'hello'], { env: { REIN_HARNESS: '' } });
    return systemOf(w.requests()[0]).startsWith('You are Kimi Code CLI');
  };
  expect([
    await chosen({ '~/.config/rein/settings.json': '{"harness":"kimi-cli"}' }, []),
    await chosen({}, ['-c', 'harness="kimi-cli"']),
    await chosen({}, ['-c', 'harness=kimi-cli']),
    await chosen({}, ['--harness', 'kimi-cli']),
    await chosen({}, []),
  ]).toEqual([true, true, true, true, false]);
});

verifies('M74', 'an unknown harness is answered with the nearest, a known one with what it is', async () => {
  const refusal = async (name: string): Promise<[number | null, string]> => {
    const w = await kimi();
    const { code, stderr } = await w.run(['-p', '--harness', name, 'hello']);
    return [code, stderr];
  };
  expect([await refusal('kimicli'), await refusal('kimi-code'), await refusal('Kimi-CLI')]).toEqual([
    [2, 'rein: unknown harness "kimicli"; did you mean "kimi-cli"?\n'],
    [2, 'rein: harness "kimi-code" belongs to another program; there are: rein, kli, polytoken, kimi-cli\n'],
    [2, 'rein: unknown harness "Kimi-CLI"; did you mean "kimi-cli"?\n'],
  ]);
});

verifies('M2', 'the request is one of Chat Completions', async () => {
  const w = await kimi();
  await w.print(['hello\n\n']);
  const [request] = w.requests();
  expect(messagesOf(request)).toEqual([{ role: 'user', content: 'hello' }]);
  expect(Object.keys(bodyOf(request))).toEqual([
    ...['model', 'messages', 'max_tokens', 'prompt_cache_key', 'stream', 'stream_options', 'tools'],
  ]);
});

verifies(
  'M76',
  'the list of harnesses calls it the legacy profile and recommends another for new sessions',
  async () => {
    const { stdout } = await (await kimi()).run(['harnesses']);
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      'rein       the facet in the system prompt, instruction files in the history',
      'kli        everything in the system prompt, rebuilt on every submission',
      'polytoken  the same placement with the places and tools of Polytoken',
      'kimi-cli   one rendered template in the system prompt, for Chat Completions alone: the legacy profile of the retired Kimi CLI',
      'not in this program, known from others: claude-code, claude-code-bare, deepseek-tui, kimi-code (the profile to take for new Kimi sessions), little-coder, mini-swe-agent, minimal, opencode, pi, qwen-code, swe-agent, terminus-2, zcode',
    ]);
  },
);

verifies('M74', 'another harness is put in force in a running session, which goes on or begins anew', async () => {
  const said = async (more: Readonly<Record<string, unknown>>): Promise<[boolean, (string | null)[]]> => {
    const w = await workspace({ '.git/': null }, { harness: 'kli' });
    const s = w.stream();
    await s.prompt('one');
    await s.carryOut({ type: 'harness', to: 'kimi-cli', ...more });
    await s.prompt('two');
    await s.end();
    const last = w.requests().at(-1);
    return [systemOf(last).startsWith('You are Kimi Code CLI'), messagesOf(last).map(({ content }) => content)];
  };
  expect([await said({}), await said({ new: true })]).toEqual([
    [true, ['one', 'ok', 'two']],
    [true, ['two']],
  ]);
});
