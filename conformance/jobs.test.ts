import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reply } from '../src/testing/index.ts';
import {
  gate,
  JOB_WORDS,
  JobRun,
  type JobWords,
  jobFiles,
  jobsOf,
  newestJob,
  untilEnded,
  untilLogged,
} from './rig/jobs.ts';
import type { StreamSession } from './rig/stream-session.ts';
import { messagesOf } from './rig.ts';

const NO_WAKE = ['-c', 'tasks.wake=false'];

const STARTED =
  'Started JOB in the background: the work. You will be told when it ends; until then go on, or end your answer.\nOutput: FILES/tasks/JOB/output';

const end = (state: string, command: string, output: string): string =>
  `<system-reminder>\nJOB (command: the work) has ended: ${state} after N s.\nCommand: ${command}\n${output}\n</system-reminder>`;

const OUT = 'Its output (FILES/tasks/JOB/output):\nout';

/** Who spoke in the last request, in order. */
function roles(j: JobRun): string[] {
  return messagesOf(j.w.requests().at(-1)).map(({ role, content }) =>
    content?.includes(' has ended: ') ? 'end' : role,
  );
}

/** A session in which a job has ended since the last turn, and nobody has said so. */
async function withEnd(words: JobWords): Promise<{ j: JobRun; s: StreamSession; id: string; command: string }> {
  const j = await JobRun.open(words);
  const s = j.stream(NO_WAKE);
  const command = `${gate('go')}; echo out`;
  await j.turn(s, [words.start(command)]);
  const id = await newestJob(s);
  j.open('go');
  await untilEnded(s);
  return { j, s, id, command };
}

for (const words of JOB_WORDS) {
  const { harness, start, list, show, wait, stop, run } = words;

  test(`${harness}: a command is started, listed, looked at, waited for and stopped, and the model reads how it is`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream(NO_WAKE);
    const command = `echo one; ${gate('go')}; echo two`;
    const rest = `  the work\ncommand: ${command}\noutput (4 bytes, FILES/tasks/JOB/output):\none\n`;
    expect(await j.turn(s, [start(command)])).toBe(STARTED);
    const id = await newestJob(s);
    await j.wrote('one\n');
    const told: string[] = [];
    const absent = show('bash-absent');
    for (const call of [list(), show(id), wait([id], 0), stop(id), list(), list(true), stop(id), absent])
      told.push(await j.turn(s, [call]));
    await s.end();
    const killed = 'JOB  command  killed (stopped by the model) after N s  the work';
    expect(told).toEqual([
      'JOB  command  running  the work',
      `JOB  command  running${rest}`,
      `[still running at the end of the wait]\nJOB  command  running${rest}`,
      `JOB  command  killed (stopped by the model) after N s${rest}`,
      'There are none.',
      killed,
      `JOB  command  killed (stopped by the model) after N s${rest}`,
      'Error: There is no job "bash-absent"; there are: JOB',
    ]);
    expect(j.told()).toEqual([]);
  });

  test(`${harness}: a wait resolves with the end, and that counts as told`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream();
    const command = `${gate('go')}; echo out; exit 3`;
    await j.turn(s, [start(command), start(gate('go'))]);
    const jobs = await jobsOf(s);
    const failed = jobs.find(({ detail }) => detail.command === command)?.id ?? '';
    const other = jobs.find(({ id }) => id !== failed)?.id ?? '';
    j.open('go');
    const [first, second] = [failed, other];
    expect(await j.turn(s, [wait([first, second], 60)])).toBe(
      [
        `JOB  command  failed (exit code 3) after N s  the work\ncommand: ${command}`,
        'output (4 bytes, FILES/tasks/JOB/output):\nout\n',
        `JOB  command  completed after N s  the work\ncommand: ${gate('go')}`,
        'output (0 bytes, FILES/tasks/JOB/output):\n[none]\n',
      ].join('\n'),
    );
    await j.turn(s);
    await s.end();
    expect(j.told()).toEqual([]);
  });

  test(`${harness}: a look that showed the end counts as told, one that came before it does not`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream(NO_WAKE);
    await j.turn(s, [start(gate('go'))]);
    await j.turn(s, [start(gate('go'))]);
    const [second = '', first = ''] = (await jobsOf(s)).map(({ id }) => id);
    await j.turn(s, [show(first), show(second)]);
    j.open('go');
    await untilEnded(s);
    await untilEnded(s);
    // It stands before what the model does with this prompt: only what the session has not told yet.
    await j.turn(s, [list(true)]);
    expect(roles(j).slice(-5)).toEqual(['end', 'end', 'user', 'assistant', 'tool']);
    await s.end();
    const { j: k, s: t, id } = await withEnd(words);
    await k.turn(t, [show(id)]);
    await k.turn(t);
    await t.end();
    expect(k.told()).toHaveLength(1);
  });

  test(`${harness}: of a big output the model reads the end, and asks for a part`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream(NO_WAKE);
    const command = `${gate('go')}; seq 100000`;
    await j.turn(s, [start(command)]);
    const id = await newestJob(s);
    j.open('go');
    await untilEnded(s);
    await j.turn(s);
    const last = Array.from({ length: 20 }, (_, line) => `${99_981 + line}`).join('\n');
    expect(j.told()).toEqual([end('completed', command, `The end of its output (FILES/tasks/JOB/output):\n${last}`)]);
    const head = `JOB  command  completed after N s  the work\ncommand: ${command}\noutput `;
    const place = '588,895 bytes, FILES/tasks/JOB/output):\n';
    expect(await j.turn(s, [show(id, 13)])).toBe(`${head}(from byte 588,882 of ${place}99999\n100000\n`);
    const whole = Array.from({ length: 100_000 }, (_, line) => `${line + 1}\n`).join('');
    expect(await j.turn(s, [show(id)])).toBe(`${head}(from byte 580,703 of ${place}${whole.slice(-8192)}`);
    await s.end();
    expect(jobFiles(j.w).map(({ output }) => statSync(output).size)).toEqual([588_895]);
  });

  test(`${harness}: an end is told at the next pause of a running turn, once`, async () => {
    const j = await JobRun.open(words);
    j.will([start('echo out')], [run(untilLogged('completed'))], [run('true')]);
    const { code, stdout } = await j.print();
    expect([code, stdout]).toEqual([0, 'said\n']);
    const counts = j.w.requests().map((_, at) => j.told(at).length);
    // Whether it ended before or during the second call, the request after that has it.
    expect([counts[0], counts.slice(2)]).toEqual([0, [1, 1]]);
    expect(j.told()).toEqual([end('completed', 'echo out', OUT)]);
  });

  test(`${harness}: without a wake an end is told before the next prompt`, async () => {
    const { j, s, command } = await withEnd(words);
    const before = j.w.requests().length;
    await jobsOf(s);
    expect(j.w.requests()).toHaveLength(before);
    await j.turn(s);
    expect(roles(j)).toEqual(['user', 'assistant', 'tool', 'assistant', 'end', 'user']);
    expect(j.told()).toEqual([end('completed', command, OUT)]);
    await s.end();
  });

  test(`${harness}: an end wakes a session that does nothing, and the model answers to it`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream();
    const command = `${gate('go')}; echo out`;
    await j.turn(s, [start(command)]);
    j.replies.push(reply.text('heard'));
    j.open('go');
    await s.until(({ type }) => type === 'turn-end');
    expect(roles(j)).toEqual(['user', 'assistant', 'tool', 'assistant', 'end']);
    expect(j.told()).toEqual([end('completed', command, OUT)]);
    await j.turn(s);
    await s.end();
    expect(roles(j)).toEqual(['user', 'assistant', 'tool', 'assistant', 'end', 'assistant', 'user']);
  });

  test(`${harness}: what was told is not told again after a resume, a clear and a compaction`, async () => {
    const { j, s } = await withEnd(words);
    await j.turn(s);
    await s.end();
    const t = j.stream([...NO_WAKE, '-c', 'compaction.keep_tokens=1', '--continue']);
    await j.turn(t);
    expect(roles(j)).toEqual(['user', 'assistant', 'tool', 'assistant', 'end', 'user', 'assistant', 'user', 'user']);
    j.replies.push(reply.text('SUMMARY'));
    expect(await t.carryOut({ type: 'compact' })).toMatchObject({ compacted: true });
    await j.turn(t);
    const kept = j.told();
    await t.carryOut({ type: 'clear' });
    await j.turn(t);
    expect([kept, j.told()]).toEqual([[], []]);
    expect(await jobsOf(t)).toMatchObject([{ state: 'completed' }]);
    await t.end();
  });

  test(`${harness}: what was not told yet is told after a resume, also when the conversation was cleared`, async () => {
    const { j, s, command } = await withEnd(words);
    await s.carryOut({ type: 'clear' });
    await s.end();
    const t = j.stream([...NO_WAKE, '--continue']);
    await j.turn(t);
    await t.end();
    expect(roles(j)).toEqual(['end', 'user']);
    expect(j.told()).toEqual([end('completed', command, OUT)]);
  });

  test(`${harness}: a rewind to before the message has the end told again`, async () => {
    const { j, s } = await withEnd(words);
    j.will();
    s.send({ type: 'prompt', text: 'back to here' });
    const { id: to } = await s.until(({ type, text }) => type === 'prompt' && text === 'back to here');
    await s.until(({ type }) => type === 'turn-end');
    await s.carryOut({ type: 'rewind', to });
    await j.turn(s);
    expect(roles(j)).toEqual(['user', 'assistant', 'tool', 'assistant', 'end', 'user']);
    await s.end();
  });
}

test('polytoken: a service is told of only if it fails, and a part of an output may be any', async () => {
  const words = JOB_WORDS[1] as JobWords;
  const j = await JobRun.open(words);
  const s = j.stream(NO_WAKE);
  const service = (command: string) => ['shell_service', { command, description: 'serve' }] as const;
  expect(await j.turn(s, [service(`${gate('go')}; echo out`)])).toBe(
    'Started JOB in the background: serve. It is not expected to end; you will be told only if it fails.\nOutput: FILES/tasks/JOB/output',
  );
  const id = await newestJob(s);
  await j.turn(s, [service(`${gate('fail')}; exit 9`)]);
  j.open('go');
  await untilEnded(s);
  j.open('fail');
  await untilEnded(s);
  await j.turn(s);
  expect(j.told()).toEqual([
    end('failed (exit code 9)', `${gate('fail')}; exit 9`, 'It wrote nothing.').replace('the work', 'serve'),
  ]);
  const head = `JOB  command  completed after N s  serve\ncommand: ${gate('go')}; echo out\noutput `;
  const result = (given: object) => j.turn(s, [['job_result', { handle: id, ...given }]]);
  expect([await result({}), await result({ offset: 1, limit: 1 }), await result({ offset: 100 })]).toEqual([
    `${head}(4 bytes, FILES/tasks/JOB/output):\nout\n`,
    `${head}(from byte 1 of 4 bytes, FILES/tasks/JOB/output):\nu\n`,
    `${head}(from byte 4 of 4 bytes, FILES/tasks/JOB/output):\n[none]\n`,
  ]);
  await s.end();
});

test('polytoken: a job has a description, which is one line', async () => {
  const words = JOB_WORDS[1] as JobWords;
  const j = await JobRun.open(words);
  const s = j.stream(NO_WAKE);
  const named = (name: string, description: string) => [name, { command: gate('go'), description }] as const;
  await j.turn(s, [named('shell_monitor', ' \n'), named('shell_service', ''), named('shell_monitor', 'a\nJOB  b')]);
  const started = j.results();
  const listed = await j.turn(s, [words.list()]);
  await s.end();
  const missing = 'Error: description is missing: a few words on what a background command is for';
  expect([started, listed]).toEqual([
    [missing, missing, STARTED.replace('the work', 'a JOB b')],
    'JOB  command  running  a JOB b',
  ]);
});

test('rein: a command in the background has a description, and it needs a session that keeps files', async () => {
  const words = JOB_WORDS[0] as JobWords;
  const j = await JobRun.open(words);
  j.will([['shell', { command: 'touch made', background: true }]], [words.start('touch made')], [words.run('ls')]);
  await j.print(['--no-session']);
  expect(j.results()).toEqual([
    'Error: description is missing: a few words on what a background command is for',
    'Error: This session keeps no files (--no-session), so that no command can run in the background.',
    '[no output]',
  ]);
});
