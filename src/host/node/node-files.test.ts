import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileContract } from '../file-port-contract.ts';
import { createNodeFiles } from './node-files.ts';

function makeRoot(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'rein-files-')));
}

fileContract('on disk', () => {
  const root = makeRoot();
  return {
    files: createNodeFiles(),
    root,
    link: (target, path) => symlinkSync(target, path),
    fifo: (path) => void execFileSync('mkfifo', [path]),
    dispose: () => rmSync(root, { recursive: true }),
  };
});

test('a socket with the name of a file is not opened', async () => {
  const root = makeRoot();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
  const found = await createNodeFiles().readRegular(join(root, 'socket'), { maxBytes: 10 });
  expect(found.ok ? null : found.why).toBe('not-regular');
  server.close();
  rmSync(root, { recursive: true });
});

test('a file of the system that has no size is read to its end', async () => {
  const found = await createNodeFiles().readRegular('/proc/self/status', { maxBytes: 100_000 });
  expect(found.ok && found.bytes.length > 0).toBe(true);
});

test('set-user-id and the like survive a rewrite', async () => {
  const root = makeRoot();
  const path = join(root, 'tool');
  writeFileSync(path, 'old');
  chmodSync(path, 0o4755);
  await createNodeFiles().writeWhole(path, 'new');
  expect((await createNodeFiles().stat(path))?.mode).toBe(0o4755);
  expect(readdirSync(root)).toEqual(['tool']);
  rmSync(root, { recursive: true });
});

test.runIf(process.platform === 'linux')(
  'a directory where the system makes none is refused, not tried for ever',
  async () => {
    const made = createNodeFiles()
      .makeDirectory('/proc/no-such-place/inner')
      .then(
        () => 'made',
        (error: Error) => error.message,
      );
    expect(await made).toBe('cannot make the directory /proc/no-such-place/inner: no such file or directory');
  },
);
