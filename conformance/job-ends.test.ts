import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reply } from '../src/testing/index.ts';
import { FACETED, type Faceted } from './rig/faceted.ts';
import {
  appears,
  gate,
  isAlive,
  JOB_WORDS,
  JobRun,
  type JobWords,
  jobCalls,
  jobFiles,
  jobsOf,
  newestJob,
  untilEnded,
} from './rig/jobs.ts';

const NO_WAKE = ['-c', 'tasks.wake=false'];
const KEEP = ['-c', 'tasks.on_exit=keep'];

const end = (state: string, command: string, output: string): string =>
  `<system-reminder>\nJOB (command: the work) has ended: ${state} after N s.\nCommand: ${command}\n${output}\n</system-reminder>`;

const OUT = 'Its output (FILES/tasks/JOB/output):\nout';

/** What stderr says but for the calls. */
function said(j: JobRun, stderr: string): string[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('· shell'))
    .map((line) => j.plain(line));
}

async function pids(j: JobRun, ...names: readonly string[]): Promise<number[]> {
  return Promise.all(names.map(async (name) => Number(await appears(j.w.path(name)))));
}

const TREE_FILES = ['child.pid', 'away.pid', 'grand.pid', 'self.pid'];

/** Has children in its group, out of it, and out of it by way of one that has ended; deaf: to a TERM. */
function tree(last: string, { deaf = true } = {}): string {
  const trap = deaf ? 'trap "" TERM; ' : '';
  return [
    `${trap}sh -c 'echo $$ >child.pid; sleep 300; sleep 300' &`,
    `setsid sh -c '${trap}echo $$ >away.pid; sleep 300; sleep 300' &`,
    `(setsid sh -c 'sh -c "echo \\$\\$ >grand.pid; exec sleep 300" & wait' &)`,
    'echo $$ >self.pid',
    'until [ -s child.pid ] && [ -s away.pid ] && [ -s grand.pid ]; do sleep 0.05; done',
    last,
  ].join('\n');
}

for (const words of JOB_WORDS) {
  const { names } = FACETED.find((each) => each.harness === words.harness) as Faceted;
  const { harness, start, stop, run, show, wait } = words;

  test(`${harness}: print mode waits for a job, says so, and answers to its end`, async () => {
    const j = await JobRun.open(words);
    const command = 'sleep 2; echo out';
    j.replies.push(jobCalls(start(command)), reply.text('started'), reply.text('final'));
    const { code, stdout, stderr } = await j.print();
    expect([code, stdout]).toEqual([0, 'started\n\nfinal\n']);
    expect(said(j, stderr)).toEqual([
      '· JOB (the work): running',
      'rein: waits, 600 s at most, for JOB (the work)',
      '· JOB (the work): completed',
    ]);
    expect(j.told()).toEqual([end('completed', command, OUT)]);
  });

  test(`${harness}: print mode waits no longer than tasks.wait_ms, and what then runs is stopped and named`, async () => {
    const j = await JobRun.open(words);
    j.will([start('echo $$ >self.pid; sleep 300')]);
    const { code, stdout, stderr } = await j.print(['-c', 'tasks.wait_ms=300']);
    expect([code, stdout]).toEqual([0, 'said\n']);
    expect(said(j, stderr)).toEqual([
      '· JOB (the work): running',
      'rein: waits, 0.3 s at most, for JOB (the work)',
      'warning: still running after 0.3 s of waiting (tasks.wait_ms); stopped now: JOB',
      '· JOB (the work): killed, the session was closed',
    ]);
    expect((await pids(j, 'self.pid')).map(isAlive)).toEqual([false]);
  });

  test(`${harness}: a kept command goes on, and a resume tells how it ended`, async () => {
    const j = await JobRun.open(words);
    const command = `${gate('go')}; echo out; exit 4`;
    j.will([start(command)]);
    const first = await j.print(['-c', 'tasks.wait_ms=0', ...KEEP]);
    expect(said(j, first.stderr)).toEqual([
      '· JOB (the work): running',
      'warning: still running after 0 s of waiting (tasks.wait_ms); running on, as tasks.on_exit says: JOB',
    ]);
    j.open('go');
    await appears(jobFiles(j.w)[0]?.exit ?? '');
    j.will();
    expect((await j.print(['--continue'])).code).toBe(0);
    expect(j.told()).toEqual([end('failed (exit code 4)', command, OUT)]);
  });

  test(`${harness}: a kept command is found running by a resume, is watched on, and can be stopped`, async () => {
    const j = await JobRun.open(words);
    const [first, second] = [`${gate('go')}; echo out`, tree('sleep 300')];
    j.will([start(first)], [start(second)]);
    await j.print(['-c', 'tasks.wait_ms=0', ...KEEP]);
    const s = j.stream([...KEEP, ...NO_WAKE, '--continue']);
    const found = await jobsOf(s);
    expect(found.map(({ state }) => state)).toEqual(['running', 'running']);
    const members = await pids(j, ...TREE_FILES);
    expect(members.map(isAlive)).toEqual([true, true, true, true]);
    j.open('go');
    await untilEnded(s);
    const [running] = found;
    await j.turn(s, [stop(running?.id ?? '')]);
    expect(members.map(isAlive)).toEqual([false, false, false, false]);
    expect(j.told()).toEqual([end('completed', first, OUT)]);
    await s.end();
  });

  test(`${harness}: the first word to a resumed session may be a stop of what was kept`, async () => {
    const j = await JobRun.open(words);
    j.will([start(tree('sleep 300', { deaf: false }))]);
    await j.print(['-c', 'tasks.wait_ms=0', ...KEEP]);
    const members = await pids(j, ...TREE_FILES);
    const id = j.w.sessionLines().find(({ type }) => type === 'task')?.task;
    const s = j.stream([...KEEP, ...NO_WAKE, '--continue']);
    expect(await s.carryOut({ type: 'stop', id })).toMatchObject({
      job: { state: 'killed', detail: { reason: 'stopped by the user' } },
    });
    expect(members.map(isAlive)).toEqual([false, false, false, false]);
    await s.end();
  });

  test(`${harness}: where nothing is kept, a resume stops what was, and it is lost`, async () => {
    const j = await JobRun.open(words);
    const command = tree('sleep 300');
    j.will([start(command)]);
    await j.print(['-c', 'tasks.wait_ms=0', ...KEEP]);
    const members = await pids(j, ...TREE_FILES);
    expect(members.map(isAlive)).toEqual([true, true, true, true]);
    j.will();
    await j.print(['--continue']);
    expect(members.map(isAlive)).toEqual([false, false, false, false]);
    expect(j.told()).toEqual([end('lost (the program ended before it)', command, 'It wrote nothing.')]);
  });

  test(`${harness}: after a kill of the program one that had ended has its exit code, another is stopped and lost`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream(NO_WAKE);
    const [first, second] = [`${gate('go')}; echo out; exit 5`, tree('sleep 300')];
    await j.turn(s, [start(first)], [start(second)]);
    const members = await pids(j, ...TREE_FILES);
    s.kill();
    await s.ended;
    j.open('go');
    await Promise.any(jobFiles(j.w).map(({ exit }) => appears(exit)));
    const t = j.stream([...NO_WAKE, '--continue']);
    expect((await jobsOf(t)).map(({ state, detail }) => [state, detail.exitCode, detail.reason])).toEqual([
      ['lost', undefined, 'the program ended before it'],
      ['failed', 5, 'exit code 5'],
    ]);
    expect(members.map(isAlive)).toEqual([false, false, false, false]);
    await j.turn(t);
    await t.end();
    expect(j.told()).toEqual([
      end('failed (exit code 5)', first, OUT),
      end('lost (the program ended before it)', second, 'It wrote nothing.'),
    ]);
  });

  test(`${harness}: a time limit, a stop and the end of the session each end all that a command started`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream(NO_WAKE);
    const ends: unknown[] = [];
    for (const how of ['time', 'stop', 'end']) {
      const command = tree('sleep 300', { deaf: how === 'stop' });
      await j.turn(s, [start(command, how === 'time' ? { seconds: 5 } : {})]);
      const members = await pids(j, ...TREE_FILES);
      const id = await newestJob(s);
      if (how === 'time') await untilEnded(s);
      else if (how === 'stop') await s.carryOut({ type: 'stop', id });
      else await s.end();
      ends.push([how, ...members.map(isAlive)]);
      for (const file of TREE_FILES) j.w.remove(file);
    }
    expect(ends).toEqual(['time', 'stop', 'end'].map((how) => [how, false, false, false, false]));
    const notes = j.w
      .sessionLines()
      .filter(({ type, state }) => type === 'task' && /failed|killed/.test(String(state)));
    expect(notes.map(({ state, detail }) => [state, detail])).toEqual([
      ['failed', { timedOut: true, reason: 'timed out after 5 s', exitCode: null }],
      ['killed', { reason: 'stopped by the user', exitCode: null }],
      ['killed', { reason: 'the session was closed', exitCode: null }],
    ]);
  });

  test(`${harness}: what a command left running when it ended by itself is ended, too`, async () => {
    const j = await JobRun.open(words);
    const command = tree('echo out');
    j.replies.push(jobCalls(start(command)), reply.text('started'), reply.text('final'));
    await j.print();
    expect((await pids(j, ...TREE_FILES)).map(isAlive)).toEqual([false, false, false, false]);
    expect(j.told()).toEqual([end('completed', command, OUT)]);
  });

  test(`${harness}: no more than tasks.max_commands run at once`, async () => {
    const j = await JobRun.open(words);
    const command = gate('never');
    j.will([start(command), start(command)], [start(command)]);
    await j.print(['-c', 'tasks.max_commands=2', '-c', 'tasks.wait_ms=0']);
    expect(j.results()[2]).toBe(
      'Error: 2 commands are running in the background, as many as may at once. Wait for one to end, or stop one.',
    );
    expect(j.w.sessionLines().filter(({ type, state }) => type === 'task' && state === 'killed')).toHaveLength(2);
  });

  test(`${harness}: a command in the background needs the permission that any command needs`, async () => {
    const j = await JobRun.open(words);
    const denied = ['-c', 'permissions.deny=["shell(touch *)"]'];
    j.will([start('touch made')]);
    await j.w.print(['--permission-mode', 'read-only', 'go']);
    const readOnly = j.results();
    j.will([start('true && touch made')]);
    await j.print(denied);
    const rule = j.results();
    j.will([start('touch made')]);
    j.will([start('touch made')]);
    const { code, stderr } = await j.w.run(['-p', '--permission-mode', 'ask', 'go']);
    expect([code, /^rein: stopped: .* needs a permission and nobody could be asked\./m.test(stderr)]).toEqual([
      3,
      true,
    ]);
    const k = await JobRun.open(words);
    const s = k.w.stream(['--permission-mode', 'ask', ...NO_WAKE]);
    const answers: unknown[] = [];
    for (const value of ['deny', 'allow']) {
      k.will([start('touch made')]);
      s.send({ type: 'prompt', text: 'go' });
      const { id, ...question } = await s.until(({ type }) => type === 'permission-request');
      answers.push(question);
      s.send({ type: 'answer', id, value });
      await s.until(({ type }) => type === 'turn-end');
      answers.push(k.results().at(-1));
    }
    await k.turn(s, [wait([await newestJob(s)], 60)]);
    await s.end();
    const asked = {
      type: 'permission-request',
      tool: start('')[0],
      subjects: ['run touch made'],
      why: 'Running "touch made" needs the user’s approval.',
      rules: ['shell(touch made)'],
    };
    expect(answers).toEqual([
      asked,
      'The user denied this call. Do not try the same in another way.',
      asked,
      'Started JOB in the background: the work. You will be told when it ends; until then go on, or end your answer.\nOutput: FILES/tasks/JOB/output',
    ]);
    expect([readOnly, rule]).toEqual([
      [
        'This session is read-only: running commands is not allowed. The user can allow it with --permission-mode yolo.',
      ],
      ['The command "touch made" is not allowed: the rule deny shell(touch *) (-c).'],
    ]);
    expect(existsSync(k.w.path('made'))).toBe(true);
  });

  test(`${harness}: secrets of a job reach neither model nor log nor screen, and keys of the program no job`, async () => {
    const own = 'own-key-0123456789';
    const github = `ghp_${'a1B2'.repeat(9)}`;
    const j = await JobRun.open(words, { 'secrets.txt': `${own}\n${github}\n` });
    const env = { REIN_API_KEY: own, OPENAI_API_KEY: 'openai-key-0123456789', PASSED: 'passed-0123456789' };
    const s = j.stream(NO_WAKE, { env });
    const command = `${gate('go')}; echo "key=$REIN_API_KEY=$OPENAI_API_KEY=$PASSED"; cat secrets.txt`;
    await j.turn(s, [start(command)]);
    const id = await newestJob(s);
    j.open('go');
    await untilEnded(s);
    await j.turn(s, [show(id)]);
    const [file] = jobFiles(j.w);
    await j.turn(s, [run(`cat ${file?.output}`)]);
    const directory = join(file?.output ?? '', '../..');
    await j.turn(s, [[names.read, { path: file?.output }]], [[names.grep, { pattern: 'gh', path: directory }]]);
    await s.end();
    const out = 'key===passed-0123456789\n[masked]\n[masked]\n';
    expect(j.told()).toEqual([
      end('completed', command, `The end of its output (FILES/tasks/JOB/output):\n${out.trimEnd()}`),
    ]);
    expect(
      j
        .results()
        .slice(1)
        .map((text) => text.slice(text.search(/key===|3:/))),
    ).toEqual([out, out, out, '3: [masked]']);
    const { stdout, stderr } = await s.ended;
    const texts = {
      requests: j.w
        .requests()
        .map(({ body }) => body)
        .join('\n'),
      stdout,
      stderr,
      log: readFileSync(j.w.sessionFiles()[0] ?? '', 'utf8'),
    };
    const leaks = Object.entries(texts).flatMap(([where, text]) =>
      [own, github, 'openai-key-0123456789']
        .filter((secret) => text.includes(secret))
        .map((secret) => `${where}: ${secret}`),
    );
    expect(leaks).toEqual([]);
  });

  test(`${harness}: over stdin jobs are listed and stopped while a turn runs, and each change is a line`, async () => {
    const j = await JobRun.open(words);
    const s = j.stream(NO_WAKE);
    j.will([start(gate('never'))], [run(gate('go'))]);
    s.send({ type: 'prompt', text: 'go' });
    await s.until(({ type, state }) => type === 'task' && state === 'running');
    await s.until(({ type }) => type === 'assistant');
    const [job] = await jobsOf(s);
    const running = { kind: 'command', state: 'running', description: 'the work', endedAt: null };
    expect(job).toMatchObject(running);
    const killed = { job: { id: job?.id, state: 'killed', detail: { reason: 'stopped by the user' } } };
    expect(await s.carryOut({ type: 'stop', id: job?.id })).toMatchObject(killed);
    expect(await s.command({ type: 'stop', id: 'bash-absent' })).toMatchObject({
      type: 'error',
      code: 'command/no-target',
      message: 'there is no job "bash-absent"',
    });
    expect(await s.carryOut({ type: 'tasks' })).toEqual({ tasks: [] });
    j.open('go');
    await s.until(({ type }) => type === 'turn-end');
    expect(await s.carryOut({ type: 'stop', id: job?.id })).toMatchObject(killed);
    await s.end();
    const lines = s.lines.filter(({ type }) => type === 'task');
    expect(lines.map(({ task, state }) => [task, state])).toEqual(
      ['starting', 'running', 'killed'].map((state) => [job?.id, state]),
    );
    expect(j.told()).toEqual([end('killed (stopped by the user)', gate('never'), 'It wrote nothing.')]);
  });
}

test('polytoken: print mode does not wait for a service, and stops it', async () => {
  const words = JOB_WORDS[1] as JobWords;
  const j = await JobRun.open(words);
  j.will([
    ['shell_service', { command: 'echo $$ >self.pid; sleep 300', description: 'serve' }],
    words.run('until [ -s self.pid ]; do sleep 0.05; done'),
  ]);
  const { code, stdout, stderr } = await j.print();
  expect([code, stdout]).toEqual([0, 'said\n']);
  expect(said(j, stderr)).toEqual(['· JOB (serve): running', '· JOB (serve): killed, the session was closed']);
  expect((await pids(j, 'self.pid')).map(isAlive)).toEqual([false]);
});
