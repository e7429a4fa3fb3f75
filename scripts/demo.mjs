// Builds what is missing and runs the demonstration: a sample repository, a scripted model, the real loop.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run-command.mjs';

await build();
const { status } = spawnSync(process.execPath, [join(root, 'dist/rein.js'), 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
