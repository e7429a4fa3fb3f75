import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { ChildProcess, ProcessIdentity } from '../index.ts';
import { createNodeProcess } from './node-process.ts';

const processes = createNodeProcess();
const VARIABLE = 'REIN_FAMILY_TEST';
let count = 0;

type Started = { child: ChildProcess; leader: ProcessIdentity; mark: { variable: string; value: string } };

async function started(command: string): Promise<Started> {
  count += 1;
  const mark = { variable: VARIABLE, value: `${process.pid}-${count}` };
  const env = { PATH: process.env.PATH ?? '' };
  const child = await processes.spawn({ file: '/bin/sh', args: ['-c', command], cwd: '/', env, mark });
  child.detachOutput();
  onTestFinished(() => void child.killGroup('SIGKILL'));
  const { bootId } = await processes.self();
  return { child, leader: { pid: child.pid, bootId, startTime: child.startTime }, mark };
}

test('a family of an earlier run is found by its leader and its mark, and can be ended', async () => {
  const { child, leader, mark } = await started('setsid sleep 60 & sleep 60');
  await sleep(100);
  const family = await processes.adopt({ leader, mark });
  expect([family.groupAlive(), family.living()]).toEqual([true, child.living()]);
  expect(family.living().length).toBe(3);
  expect(family.killGroup('SIGKILL')).toBe(true);
  await child.exited;
  await sleep(50);
  expect([family.groupAlive(), family.living(), family.killGroup('SIGKILL')]).toEqual([false, [], false]);
});

test('a process that only has the number of the one that is meant is left alone', async () => {
  const { child, leader, mark } = await started('sleep 60');
  const other = { ...mark, value: `${mark.value}-other` };
  for (const wrong of [
    { ...leader, startTime: '1' },
    { ...leader, startTime: null },
    { ...leader, bootId: 'another' },
    { ...leader, pid: 1 },
    { ...leader, pid: 0 },
    { ...leader, pid: -1 },
    null,
  ]) {
    const family = await processes.adopt({ leader: wrong, mark: other });
    expect([family.groupAlive(), family.living(), family.killGroup('SIGKILL')]).toEqual([false, [], false]);
  }
  expect(child.groupAlive()).toBe(true);
});

test('where the leader is gone its mark still finds what is left, what is nested below it too', async () => {
  const { child, leader, mark } = await started(`${VARIABLE}=$${VARIABLE},inner setsid sleep 60 & exit 0`);
  await child.exited;
  await sleep(100);
  const family = await processes.adopt({ leader, mark });
  expect(family.living().map(({ name }) => name)).toEqual(['sleep']);
  family.killGroup('SIGKILL');
  await sleep(50);
  expect(family.groupAlive()).toBe(false);
});

test('a child that left the group and cleared its environment is found by its parent, and stays when that is gone', async () => {
  const { child, leader, mark } = await started(
    `env -i setsid sh -c 'trap "" TERM; sleep 60; sleep 60' & sleep 0.1; exec sleep 60`,
  );
  await sleep(200);
  const family = await processes.adopt({ leader, mark });
  expect(
    family
      .living()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['sh', 'sleep', 'sleep']);
  family.killGroup('SIGTERM');
  await child.exited;
  expect(family.groupAlive()).toBe(true);
  family.killGroup('SIGKILL');
  await sleep(50);
  expect(family.living()).toEqual([]);
});
