import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runCalls } from './rig/tool-results.ts';
import { verifies } from './verifies.ts';

/** What the program and its model need besides the command: measured by an empty one. */
async function startMs(): Promise<number> {
  const started = performance.now();
  await runCalls({}, [[['shell', { command: 'true' }]]]);
  return performance.now() - started;
}

function endWhenTestEnds(result: string): number[] {
  const pids = [...result.matchAll(/\((\d+)\)/g)].map(([, pid]) => Number(pid));
  onTestFinished(() => {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {}
    }
  });
  return pids;
}

verifies('C100', 'a command that leaves a process behind returns at once and names it, whatever it holds', async () => {
  const commands = [
    'sleep 300 & echo done',
    "node -e 'setInterval(() => console.log(1), 50)' & echo up; sleep 0.4",
    'setsid bash -c "setsid sleep 301 </dev/null >/dev/null 2>&1 &"; sleep 0.1; echo forked',
  ];
  const bare = await startMs();
  for (const [index, name] of (['sleep', 'node', 'sleep'] as const).entries()) {
    const started = performance.now();
    const { results } = await runCalls({}, [[['shell', { command: commands[index] }]]]);
    const took = performance.now() - started - bare;
    const [result = ''] = results;
    const pids = endWhenTestEnds(result);
    expect(result).toMatch(new RegExp(`^(?:done|up|forked)\\n(?:1\\n)*\\[still running: ${name} \\(\\d+\\)\\]$`));
    expect(pids).toHaveLength(1);
    // It goes on: nothing was ended, and writing on does not end it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(() => process.kill(pids[0] ?? 0, 0)).not.toThrow();
    expect(took).toBeLessThan(3000);
  }
});

verifies('C100', 'at its time limit a command ends with all that it started, daemons too', async () => {
  const command = 'setsid bash -c "setsid sleep 302 </dev/null >/dev/null 2>&1 & echo \\$! > pid"; cat pid; sleep 60';
  const { results } = await runCalls({}, [[['shell', { command, timeout: 1 }]]]);
  expect(results[0]).toMatch(/^\d+\n\[timed out after 1\.\d s and was stopped\]$/);
  const pid = Number.parseInt(results[0] ?? '', 10);
  // Dead, or dead and not yet waited for.
  expect(stateOf(pid)).toMatch(/^Z?$/);
});

function stateOf(pid: number): string {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '';
  } catch {
    return '';
  }
}

verifies('C101', 'what would wait for a person fails at once and leaves the history as it was', async () => {
  const setUp = [
    'git init -q r && cd r && git config user.email a@b && git config user.name a',
    'for i in 1 2; do echo $i > f; git add f; git commit -q -m c$i; done; git checkout -q -b side HEAD~1',
    'echo other > f; git commit -q -a -m side; git rebase -q main 2>/dev/null || git rebase -q master; true',
  ].join('\n');
  const bare = await startMs();
  const started = performance.now();
  const { results } = await runCalls({}, [
    [['shell', { command: setUp }]],
    [['shell', { command: 'cd r && git add f && git rebase --continue; echo code $?' }]],
    [
      [
        'shell',
        { command: 'cd r && git rebase --abort; echo more >> f; git commit -a; echo code $?; git log --format=%s' },
      ],
    ],
    [['shell', { command: 'read x </dev/tty; echo code $?; read x; echo code $?' }]],
    [['shell', { command: 'echo text > f; less f; git -C r log --oneline | cat' }]],
    [['shell', { command: 'command -v sudo >/dev/null && sudo -k; sudo -n true 2>/dev/null; tty; ps -o tty= -p $$' }]],
  ]);
  expect(performance.now() - started - bare).toBeLessThan(8000);
  expect(results[1]).toMatch(/editor[\s\S]*code 1\n$/i);
  expect(results[2]).toMatch(/editor[\s\S]*code 1\nside\nc1\n$/i);
  expect(results[3]).toMatch(/No such device or address\ncode 1\ncode 1\n$/);
  expect(results[4]).toMatch(/^text\n/);
  expect(results[5]).toMatch(/^not a tty\n\?\s*$/);
});

verifies('C101', 'a command that waits all the same ends at its time limit and says how long it took', async () => {
  const { results, ended } = await runCalls({}, [[['shell', { command: 'sleep 60' }]]], {
    args: ['-c', 'shell.timeout_ms=300'],
  });
  expect(results[0]).toMatch(/^\[timed out after 0\.\d s and was stopped\]$/);
  expect(ended.code).toBe(0);
});

verifies(
  'C102',
  'more output than there is memory ends as their head and tail, the exact count between, and a bounded file',
  async () => {
    const command = 'yes | head -c 700000000';
    const { w, results } = await runCalls({}, [[['shell', { command, timeout: 100 }]]], {
      env: { NODE_OPTIONS: '--max-old-space-size=512' },
    });
    const [result = ''] = results;
    const kept = 32 * 1024;
    expect(result.length).toBeLessThan(kept + 500);
    expect(result).toMatch(/^(?:y\n){6144}\[699,967,232 bytes left out; the whole output is in (\S+)\]\n(?:y\n)+$/);
    const [session = ''] = w.sessionFiles();
    const directory = session.replace(/\.jsonl$/, '.files');
    const [spill = '', ...more] = readdirSync(directory);
    expect([more, dirname(session)]).toEqual([[], dirname(directory)]);
    const { size, mode } = statSync(join(directory, spill));
    expect([size <= 64 * 1024 * 1024 + 100, mode & 0o777]).toEqual([true, 0o600]);
  },
);

verifies('C102', 'an endless output ends at its time limit, and what follows it goes on', async () => {
  const started = performance.now();
  const { results } = await runCalls(
    {},
    [
      [
        ['shell', { command: 'yes', timeout: 3 }],
        ['shell', { command: 'echo beside' }],
      ],
      [['shell', { command: 'echo after' }]],
    ],
    { env: { NODE_OPTIONS: '--max-old-space-size=512' } },
  );
  expect(results[0]).toMatch(
    /^(?:y\n)+\[[\d,]+ bytes left out; .*\]\n(?:y\n)+\[timed out after 3\.\d s and was stopped\]$/,
  );
  expect(results.slice(1)).toEqual(['beside\n', 'after\n']);
  expect(performance.now() - started).toBeLessThan(12_000);
});

verifies(
  'C103',
  'colours, links, bars, bells and broken bytes reach the model as final plain text, and no screen',
  async () => {
    const script = [
      "printf '\\033[31mred\\033[0m \\033]8;;http://evil\\033\\\\link\\033]8;;\\033\\\\\\n'",
      "for i in 0 50 100; do printf '\\rprogress %s%%' $i; done; echo",
      "printf 'up\\033[2A\\033[Kdown\\n\\007bell\\000nul \\377broken\\n\\033]0;title\\007\\033[?1049h'",
      "printf '\\033]52;c;ZXZpbA==\\007last\\n'; exit 3",
    ].join('\n');
    const { results, ended } = await runCalls({ 'run.sh': script }, [
      [['shell', { command: 'bash run.sh' }]],
      [['shell', { command: "printf '\\033[31mx'; exit 1 # \u001b[31m" }]],
    ]);
    expect(results).toEqual([
      'red link\nprogress 100%\nupdown\nbellnul \ufffdbroken\nlast\n[exit code 3]',
      'x\n[exit code 1]',
    ]);
    expect(ended.stdout + ended.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  },
);
