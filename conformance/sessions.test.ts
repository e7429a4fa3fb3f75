import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { messagesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const SLOW = { text: 'late', fault: { kind: 'stall', ms: 20_000, at: 'headers' } } as const;

/** Contents of the last request's user messages. */
function userTexts(request: Parameters<typeof messagesOf>[0]): (string | null)[] {
  return messagesOf(request)
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content);
}

verifies('C65', 'a torn last record is set aside, and what is appended next survives another resume', async () => {
  const w = await workspace({ '.git/': null });
  await w.print(['one']);
  const [file = ''] = w.sessionFiles();
  appendFileSync(file, '{"type":"mess');
  await w.print(['--continue', 'two']);
  await w.print(['--continue', 'three']);
  expect(userTexts(w.requests()[2])).toEqual(['one', 'two', 'three']);
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) expect(JSON.parse(line)).toBeTypeOf('object');
  const aside = readdirSync(dirname(file)).filter((name) => name.includes('torn'));
  expect(aside.map((name) => readFileSync(join(dirname(file), name), 'utf8'))).toEqual(['{"type":"mess']);
  const notices = w.sessionLines().filter(({ type }) => type === 'notice');
  expect(notices).toHaveLength(1);
});

verifies(
  'C67',
  'text with every kind of line break and a lone surrogate is one line each and comes back exact',
  async () => {
    const nasty = 'a\nb\rc\r\nd\u2028e\u2029f\u0085g\u0000h\u007f\ud800i';
    const output = 'x\ny\r\nz\u2028\u2029\u0085\t\u00e9\u{1f642}\n';
    const w = await workspace(
      { '.git/': null, 'odd.txt': output },
      { replies: [{ calls: [{ name: 'read', arguments: '{"path":"odd.txt"}' }] }, { text: 'ok', repeat: true }] },
    );
    const session = w.stream();
    await session.prompt(nasty);
    await session.end();
    const [file = ''] = w.sessionFiles();
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
    expect(text.split('\n').length - 1).toBe(w.sessionLines().length);
    await w.print(['--continue', 'again']);
    const [before, after] = [messagesOf(w.requests()[1]), messagesOf(w.requests()[2])];
    expect(before[0]?.content).toBe(nasty.replace('\ud800', '\ufffd'));
    expect(before[2]?.content).toContain(output.trimEnd());
    expect(after.slice(0, before.length)).toEqual(before);
  },
);

verifies('C68', 'a second run on a session that is in use is refused with the owner and a way on', async () => {
  const w = await workspace({ '.git/': null }, { replies: [{ text: 'ok' }, SLOW, { text: 'ok', repeat: true }] });
  await w.print(['seed']);
  const first = w.stream(['--continue']);
  first.send({ type: 'prompt', text: 'ONE' });
  await first.until(({ type }) => type === 'request');
  const second = await w.run(['-p', '--continue', 'TWO']);
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 1, stdout: '' });
  expect(second.stderr.trim().split('\n')).toHaveLength(1);
  expect(second.stderr).toMatch(new RegExp(`\\b${first.pid}\\b.*--fork`));
  first.kill();
  await first.ended;
  await w.print(['--continue', 'THREE']);
  expect(userTexts(w.requests().at(-1))).toEqual(['seed', 'ONE', 'THREE']);
});

verifies('C68', 'a fork goes on beside the run that holds the session', async () => {
  const w = await workspace({ '.git/': null }, { replies: [{ text: 'ok' }, SLOW, { text: 'ok', repeat: true }] });
  await w.print(['seed']);
  const id = String(w.sessionLines()[0]?.id);
  const first = w.stream(['--continue']);
  first.send({ type: 'prompt', text: 'ONE' });
  await first.until(({ type }) => type === 'request');
  await w.print(['--fork', id, 'TWO']);
  expect(userTexts(w.requests().at(-1)).at(0)).toBe('seed');
  expect(userTexts(w.requests().at(-1)).at(-1)).toBe('TWO');
  expect(w.sessionFiles()).toHaveLength(2);
});

verifies('C71', 'directories whose names are alike each continue their own session', async () => {
  const places = ['t/red-blue', 't/red/blue', 't/red.blue', 't/red_blue', 't/東側', 't/西側'];
  const w = await workspace(Object.fromEntries(places.map((place) => [`${place}/.git/`, null])));
  for (const place of places) await w.print([`first in ${place}`], { cwd: place });
  for (const place of places) {
    await w.print(['--continue', 'second'], { cwd: place });
    expect(userTexts(w.requests().at(-1))).toEqual([`first in ${place}`, 'second']);
  }
  expect(new Set(w.sessionFiles().map((file) => basename(dirname(file)))).size).toBe(places.length);
});
