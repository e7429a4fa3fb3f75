import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { lastSent, summaries, summaryRequests, turnRequests, windowOf } from './rig/compaction.ts';
import { FACETED, facetFile, skillFile } from './rig/faceted.ts';
import { filesTold, history } from './rig/history.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { bodyOf, messagesOf, systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const { harness, call, inside } of FACETED) {
  verifies(['P48', 'P49', 'P21', 'P56'], `${harness}: summary, literal part, then what holds`, async () => {
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT', 'a/AGENTS.md': 'INNER', 'a/x.txt': 'x', '~/.config/rein/': null },
      {
        harness,
        replies: [
          summaries('THE SUMMARY'),
          ...callsThenDone([[call.read('a/x.txt')]]),
          { text: `long ${'word '.repeat(400)}` },
          { text: 'short', repeat: true },
        ],
      },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.prompt('two');
    await session.prompt('three');
    expect(await session.carryOut({ type: 'compact', guidance: 'KEEP NAMES' })).toMatchObject({ compacted: true });
    await session.prompt('four');
    await session.end();
    const [request = ''] = summaryRequests(w);
    expect(request).toContain('[User]\\\\none');
    expect(request).toContain('KEEP NAMES');
    expect(request).not.toMatch(/ROOT|INNER|\[User\]\\\\nthree/);
    const [summary, ...rest] = history(w);
    expect(summary?.[0]).toBe('notice');
    expect(summary?.[1]).toMatch(/^The conversation was made shorter\.[^\n]*\n\nTHE SUMMARY$/);
    expect(rest).toEqual([
      ['user', 'three'],
      ['assistant', 'short'],
      ['files', ['AGENTS.md', 'ROOT']],
      ['files', ['a/AGENTS.md', 'INNER']],
      ['user', 'four'],
    ]);
    expect(new Set(turnRequests(w).map(systemOf)).size).toBe(1);
    expect(systemOf(turnRequests(w).at(-1))).not.toMatch(/ROOT|INNER|AGENTS\.md/);
  });

  verifies('P52', `${harness}: the record of a compaction holds no text of an instruction file`, async () => {
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT-BODY', 'a/AGENTS.md': 'INNER-BODY', 'a/x.txt': 'x' },
      { harness, replies: [summaries('S'), ...callsThenDone([[call.read('a/x.txt')]]), { text: 'ok', repeat: true }] },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.prompt('two');
    await session.carryOut({ type: 'compact' });
    await session.end();
    const record = w.sessionLines().find(({ type }) => type === 'compaction');
    expect(record).toMatchObject({ kind: 'text', why: 'manual', files: [w.path('AGENTS.md'), w.path('a/AGENTS.md')] });
    expect(JSON.stringify(record)).not.toMatch(/ROOT-BODY|INNER-BODY/);
  });

  verifies(
    ['P50', 'P51'],
    `${harness}: a kept, complete and current read spares a body, never the root’s`,
    async () => {
      for (const { reads, edit, told, why } of [
        {
          reads: [call.read('AGENTS.md'), call.read('a/AGENTS.md')],
          edit: false,
          told: false,
          why: /^complete current read of event /,
        },
        { reads: [call.read('AGENTS.md'), call.readStart('a/AGENTS.md')], edit: false, told: true, why: null },
        { reads: [call.read('a/AGENTS.md')], edit: true, told: true, why: null },
      ]) {
        const w = await workspace(
          { '.git/': null, 'AGENTS.md': 'ROOT', 'a/AGENTS.md': 'INNER\nMORE', 'a/x.txt': 'x' },
          {
            harness,
            replies: [
              summaries('S'),
              ...callsThenDone([[call.read('a/x.txt')]]),
              { text: `long ${'word '.repeat(2000)}` },
              ...callsThenDone([reads]),
              { text: 'ok', repeat: true },
            ],
          },
        );
        const session = w.stream();
        for (const text of ['one', 'two', 'three']) await session.prompt(text);
        if (edit) w.write('a/AGENTS.md', 'INNER\nCHANGED');
        await session.carryOut({ type: 'compact' });
        await session.prompt('four');
        await session.end();
        const paths = filesTold(w).flatMap((files) => files.map(([path]) => path));
        expect(paths).toEqual(['AGENTS.md', ...(told ? ['a/AGENTS.md'] : [])]);
        const reminder = w.sessionLines().find(({ reason }) => reason === 'paths') as { omitted: { why: string }[] };
        if (why === null) expect(reminder).toBeUndefined();
        else {
          expect(reminder.omitted[0]?.why).toMatch(why);
          const { stdout } = await w.run(['context', '--session', String(w.sessionLines()[0]?.id), '--json']);
          const { pieces } = JSON.parse(stdout) as { pieces: { id: string; status: string; reason: string | null }[] };
          const left = pieces.filter(({ reason }) => reason?.startsWith('omitted: ') === true);
          expect(left.map(({ id, status }) => ({ id, status }))).toEqual([
            { id: `context-file:${w.path('a/AGENTS.md')}`, status: 'skipped' },
          ]);
          expect(left[0]?.reason).toMatch(/^omitted: complete current read of event \w+$/);
        }
      }
    },
  );

  verifies('P50', `${harness}: the root file is the one at the bottom of the stack, wherever the top is`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': 'ROOT',
        'a/AGENTS.md': 'INNER',
        'a/b/AGENTS.md': 'x'.repeat(63 * 1024),
      },
      { harness, replies: [summaries('S'), { text: 'ok', repeat: true }] },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.carryOut({ type: 'pushd', path: 'a' });
    await session.prompt('two');
    await session.carryOut({ type: 'pushd', path: 'b' });
    await session.prompt('three');
    await session.carryOut({ type: 'compact' });
    await session.prompt('four');
    await session.end();
    const paths = filesTold(w).flatMap((files) => files.map(([path]) => path));
    expect(paths).toContain('AGENTS.md');
    expect(paths).toHaveLength(3);
    expect(w.sessionLines().findLast(({ type }) => type === 'chain')).toMatchObject({
      paths: ['AGENTS.md', 'a/AGENTS.md', 'a/b/AGENTS.md'].map((path) => w.path(path)),
    });
  });

  verifies(['P53', 'P54'], `${harness}: what was used and has no room travels as a path; siblings do not`, async () => {
    const folders = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const nested = Object.fromEntries(
      folders.flatMap((name) => [
        [`${name}/AGENTS.md`, `RULES OF ${name === 'g' ? 'f' : name}`],
        [`${name}/x.txt`, 'x'],
      ]),
    );
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT', 'untouched/AGENTS.md': 'NEVER', ...nested },
      {
        harness,
        replies: [
          summaries('S'),
          ...callsThenDone(folders.map((name) => [call.read(`${name}/x.txt`)])),
          { text: 'ok', repeat: true },
        ],
      },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.prompt('two');
    await session.carryOut({ type: 'compact' });
    await session.prompt('three');
    await session.end();
    expect(filesTold(w)).toEqual([
      [['AGENTS.md', 'ROOT']],
      ['b', 'c', 'd', 'e', 'g'].map((name) => [`${name}/AGENTS.md`, `RULES OF ${name === 'g' ? 'f' : name}`]),
    ]);
    const paths = history(w).find(
      ([kind, text]) => kind === 'notice' && typeof text === 'string' && text.includes('/f/AGENTS.md'),
    );
    expect(String(paths?.[1]).split('\n').slice(1)).toEqual([
      `- ${w.path('a/AGENTS.md')}`,
      `- ${w.path('f/AGENTS.md')}`,
    ]);
    expect(lastSent(w)).not.toContain('untouched');
    const reminder = w.sessionLines().find(({ reason }) => reason === 'paths') as { omitted: { why: string }[] };
    expect(reminder.omitted.map(({ why }) => why)).toEqual([
      '5 files outside the chain were used later',
      `the same text as ${w.path('g/AGENTS.md')}`,
    ]);
  });

  verifies(['P35', 'C40', 'C41'], `${harness}: of a loaded skill the name stays; the list stays whole`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${inside}/skills/note/SKILL.md`]: skillFile('note', 'Takes notes.', 'NOTE-BODY'),
        [`${inside}/skills/other/SKILL.md`]: skillFile('other', 'Another.', 'OTHER-BODY'),
      },
      { harness, replies: [summaries('S'), { text: 'ok', repeat: true }] },
    );
    const session = w.stream();
    await session.prompt('@skill:note delete tmp?');
    for (const text of ['two', 'three', 'four']) await session.prompt(text);
    await session.carryOut({ type: 'compact' });
    await session.prompt('thanks');
    await session.end();
    const sent = lastSent(w);
    expect(sent).not.toMatch(/NOTE-BODY|delete tmp/);
    expect(sent).toMatch(/<system-reminder>\n[^\n]*\nnote\n<\/system-reminder>/);
    const tools = turnRequests(w).map((request) => JSON.stringify(bodyOf(request).tools));
    expect(new Set(tools).size).toBe(1);
    expect(tools[0]).toMatch(/Takes notes[\s\S]*Another/);
  });

  verifies('C58', `${harness}: instructions survive two compactions word for word`, async () => {
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ALWAYS-7', 'pkg/AGENTS.md': 'PKG-7', 'pkg/x.txt': 'x' },
      {
        harness,
        replies: [summaries('S'), ...callsThenDone([[call.read('pkg/x.txt')]]), { text: 'ok', repeat: true }],
      },
    );
    const session = w.stream();
    await session.prompt('one');
    for (const text of ['two', 'three']) {
      await session.prompt(text);
      expect(await session.carryOut({ type: 'compact' })).toMatchObject({ compacted: true });
    }
    await session.prompt('four');
    await session.end();
    expect(summaryRequests(w)).toHaveLength(2);
    expect(summaryRequests(w).join()).not.toMatch(/ALWAYS-7|PKG-7/);
    expect(turnRequests(w).every((request) => JSON.stringify(messagesOf(request)).includes('ALWAYS-7'))).toBe(true);
    expect(filesTold(w)).toEqual([[['AGENTS.md', 'ALWAYS-7']], [['pkg/AGENTS.md', 'PKG-7']]]);
  });

  verifies('R7', `${harness}: instruction files, links, skills and notices are no conversation`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': 'CHAIN-BODY see @linked.md',
        'linked.md': 'LINKED-BODY',
        'a/AGENTS.md': 'FOUND-BODY',
        'a/x.txt': 'x',
        [`${inside}/skills/s/SKILL.md`]: skillFile('s', 'S.', 'SKILL-BODY'),
      },
      {
        harness,
        replies: [
          summaries('S'),
          ...callsThenDone([[call.read('a/x.txt'), ['skill', { name: 's' }]]]),
          { text: 'ok', repeat: true },
        ],
      },
    );
    const session = w.stream();
    await session.prompt('one @skill:s');
    await session.prompt('two');
    await session.carryOut({ type: 'compact' });
    await session.end();
    expect(summaryRequests(w).join()).not.toMatch(/CHAIN-BODY|LINKED-BODY|FOUND-BODY|SKILL-BODY/);
    expect(summaryRequests(w).join()).toContain('one @skill:s');
  });

  verifies('P48', `${harness}: the facet’s hint and the person’s wish reach whoever writes the summary`, async () => {
    const key = harness === 'rein' ? 'rein' : 'polytoken';
    const hint = `${key}:\n  compaction_hint: KEEP THE GRAPH\n`;
    const w = await workspace(
      { '.git/': null, [`${inside}/facets/hinted.md`]: facetFile('hinted', 'HINTED', hint) },
      { harness, replies: [summaries('S'), { text: 'ok', repeat: true }] },
    );
    const session = w.stream(['--facet', 'hinted']);
    await session.prompt('one');
    await session.prompt('two');
    await session.carryOut({ type: 'compact', guidance: 'KEEP THE NAMES' });
    await session.end();
    expect(summaryRequests(w).join()).toMatch(/KEEP THE GRAPH[\s\S]*KEEP THE NAMES/);
    expect(systemOf(w.requests().find(({ purpose }) => purpose === 'compaction'))).not.toContain('HINTED');
  });

  verifies('P30c', `${harness}: a file that is rendered is rendered anew after a compaction`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': '---\npolytoken: true\n---\nI am {{ facet_name }}.',
        [`${inside}/facets/one.md`]: facetFile('one', 'ONE'),
      },
      { harness, replies: [summaries('S'), { text: 'ok', repeat: true }] },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.prompt('two');
    await session.carryOut({ type: 'facet', to: 'one' });
    await session.carryOut({ type: 'compact' });
    await session.prompt('three');
    await session.end();
    expect(filesTold(w)).toEqual([[['AGENTS.md', 'I am one.']]]);
  });

  verifies('C49', `${harness}: two compactions that do not help end the turn with one clear error`, async () => {
    const w = await workspace(
      { '.git/': null, [`${inside}/facets/big.md`]: facetFile('big', 'word '.repeat(2800)), ...windowOf(4000) },
      {
        harness,
        replies: [summaries('S'), { text: 'ok', usage: { input: 3900, output: 10 }, repeat: true }],
      },
    );
    const session = w.stream(['--facet', 'big']);
    await session.prompt('one');
    const before = w.requests().length;
    session.send({ type: 'prompt', text: 'two', tag: 'two' });
    const answer = await session.until(({ tag, type }) => tag === 'two' && (type === 'done' || type === 'error'));
    expect(answer.type).toBe('error');
    expect(answer.code).toBe('turn/no-room');
    expect(answer.message).toMatch(/still takes about [\d,]+ tokens, too much for its window of 4,000 tokens/);
    const made = w.requests().length - before;
    expect(made).toBeLessThanOrEqual(2);
    session.send({ type: 'prompt', text: 'three', tag: 'three' });
    await session.until(({ tag, type }) => tag === 'three' && (type === 'done' || type === 'error'));
    await session.end();
    expect(w.requests().length - before).toBeLessThanOrEqual(4);
  });

  verifies(
    ['P48', 'P21'],
    `${harness}: a request that the server finds too long is made shorter, and the turn goes on`,
    async () => {
      const overflow = {
        error: { message: 'This model’s maximum context length is 4096 tokens', code: 'context_length_exceeded' },
      };
      const w = await workspace(
        { '.git/': null, 'AGENTS.md': 'ROOT' },
        {
          harness,
          replies: [
            summaries('S'),
            { text: 'first' },
            { text: 'second' },
            { text: 'third', fault: { kind: 'status', status: 400, body: JSON.stringify(overflow), times: 1 } },
          ],
        },
      );
      const session = w.stream();
      await session.prompt('one');
      await session.prompt('two');
      await session.prompt('three');
      await session.end();
      expect(summaryRequests(w)).toHaveLength(1);
      expect(history(w).slice(1)).toEqual([
        ['user', 'three'],
        ['files', ['AGENTS.md', 'ROOT']],
      ]);
      expect(w.sessionLines().filter(({ type }) => type === 'compaction')).toMatchObject([{ why: 'overflow' }]);
    },
  );

  verifies('P48', `${harness}: a summary that cannot be had leaves the conversation as it was`, async () => {
    const w = await workspace(
      { '.git/': null },
      {
        harness,
        replies: [
          { when: { purpose: 'compaction' }, text: ' ', repeat: true },
          { text: 'ok', repeat: true },
        ],
      },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.prompt('two');
    const answer = await session.command({ type: 'compact' });
    expect([answer.type, answer.code]).toEqual(['error', 'model/malformed']);
    await session.prompt('three');
    await session.end();
    expect(history(w)).toEqual([
      ['user', 'one'],
      ['assistant', 'ok'],
      ['user', 'two'],
      ['assistant', 'ok'],
      ['user', 'three'],
    ]);
  });
}

for (const harness of ['rein', 'polytoken', 'kli'] as const) {
  verifies('C50', `${harness}: a window that is not known is no window of zero`, async () => {
    for (const files of [{}, windowOf(16_384)]) {
      const w = await workspace(
        { '.git/': null, ...files },
        { harness, replies: [summaries('S'), { text: 'ok', usage: { input: 9000, output: 10 }, repeat: true }] },
      );
      const session = w.stream();
      for (const text of ['one', 'two', 'three']) await session.prompt(text);
      await session.end();
      expect(summaryRequests(w)).toEqual([]);
    }
  });

  verifies('C51', `${harness}: a server that counts nothing is counted for`, async () => {
    // kli keeps 20,000 tokens of any window.
    const [window, length] = harness === 'kli' ? [28_000, 600] : [12_000, 250];
    for (const usage of [undefined, { input: 0, output: 0 }]) {
      const w = await workspace(
        { '.git/': null, ...windowOf(window) },
        {
          harness,
          replies: [
            summaries('S'),
            { text: '漢字'.repeat(length), repeat: true, ...(usage === undefined ? {} : { usage }) },
          ],
        },
      );
      const session = w.stream();
      for (let turn = 0; turn < 24; turn += 1) await session.prompt(`turn ${turn} ${'word '.repeat(100)}`);
      await session.end();
      const count = summaryRequests(w).length;
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(12);
      expect(turnRequests(w)).toHaveLength(24);
    }
  });
}

verifies('C49', 'kli: a conversation that cannot be made short enough costs one attempt a turn, no more', async () => {
  const w = await workspace(
    { '.git/': null, 'AGENTS.md': 'word '.repeat(2000), ...windowOf(4000) },
    { harness: 'kli', replies: [summaries('long '.repeat(3000)), { text: 'ok', repeat: true }] },
  );
  const session = w.stream();
  for (let turn = 0; turn < 4; turn += 1) await session.prompt('word '.repeat(900));
  await session.end();
  expect(turnRequests(w)).toHaveLength(4);
  expect(summaryRequests(w).length).toBeLessThanOrEqual(2 * 4);
});

verifies('P48', 'a compaction that is ended leaves the conversation as it was', async () => {
  const stalled = {
    when: { purpose: 'compaction' as const },
    text: 'S',
    fault: { kind: 'stall' as const, ms: 60_000 },
  };
  const w = await workspace({ '.git/': null }, { harness: 'rein', replies: [stalled, { text: 'ok', repeat: true }] });
  const session = w.stream();
  await session.prompt('one');
  await session.prompt('two');
  session.send({ type: 'compact', tag: 'c' });
  await session.until(({ type }) => type === 'compaction-start');
  session.send({ type: 'abort' });
  const answer = await session.until(({ tag, type }) => tag === 'c' && (type === 'error' || type === 'done'));
  expect([answer.type, answer.code]).toEqual(['error', 'model/aborted']);
  await session.prompt('three');
  await session.end();
  expect(history(w).filter(([kind]) => kind === 'user')).toHaveLength(3);
  expect(w.sessionLines().some(({ type }) => type === 'compaction')).toBe(false);
});

verifies('P48', 'a lost stream is asked for again, and not where the user allows no retries', async () => {
  for (const [args, type] of [
    [[], 'done'],
    [['-c', 'providers.custom.retries=0'], 'error'],
  ] as const) {
    const lost = {
      when: { purpose: 'compaction' as const },
      text: 'LOST',
      fault: { kind: 'reset' as const, times: 1 },
    };
    const w = await workspace({ '.git/': null }, { harness: 'rein', replies: [lost, { text: 'ok', repeat: true }] });
    const session = w.stream(args);
    await session.prompt('one');
    await session.prompt('two');
    expect((await session.command({ type: 'compact' })).type).toBe(type);
    await session.end();
    expect(summaryRequests(w)).toHaveLength(type === 'done' ? 2 : 1);
  }
});

verifies('C53', 'a boundary that stands between a call and its result leaves no half of the pair', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'rein', replies: [{ text: 'ok', repeat: true }] });
  await w.print(['first']);
  const [file = ''] = w.sessionFiles();
  const [header] = w.sessionLines();
  const checkpoint = { folds: {}, sha256: 'of an earlier program' };
  const summary = [{ separator: 'SUMMARY' }];
  const boundary = {
    type: 'compaction',
    kind: 'text',
    why: 'manual',
    summary,
    todos: [],
    skills: [],
    files: [],
    checkpoint,
  };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const call = { type: 'call', id: 'T1', name: 'read', arguments: '{"path":"x"}' };
  const events = [
    { type: 'prompt', text: 'one', from: 'user' },
    { type: 'assistant', request: 'lost', parts: [call], stop: 'calls', usage },
    { ...boundary, keptFrom: 'event00001' },
    {
      type: 'tool-result',
      call: { assistant: 'event00001', id: 'T1' },
      tool: 'read',
      parts: [{ type: 'text', text: 'THE FILE' }],
      status: 'ok',
      observed: [],
    },
    { type: 'prompt', text: 'two', from: 'user' },
    { ...boundary, keptFrom: 'event00000' },
  ];
  const lines = events.map((event, index) => ({
    id: `event0000${index}`,
    parentId: index === 0 ? null : `event0000${index - 1}`,
    time: String(header?.time),
    ...event,
  }));
  writeFileSync(file, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  await w.print(['--continue', 'three']);
  const messages = messagesOf(w.requests().at(-1));
  const calls = messages.flatMap(({ tool_calls: made }) => (made ?? []).map((each) => (each as { id: string }).id));
  const results = messages.flatMap((message) => ('tool_call_id' in message ? [message.tool_call_id] : []));
  expect(results).toEqual(calls);
  expect(history(w).filter(([kind]) => kind === 'user')).toEqual([
    ['user', 'SUMMARY'],
    ['user', 'two'],
    ['user', 'three'],
  ]);
  expect(w.server.failures()).toEqual([]);
});
