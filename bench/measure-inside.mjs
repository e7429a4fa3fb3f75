import { spawn } from 'node:child_process';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { callOf, startModel, TEXT } from './model-server.mjs';
import { environment } from './processes.mjs';

/** Bundles `inside.ts` and runs it in a process of its own: figures of the parts, and the id of a long session. */
export async function measureInside(root) {
  const model = await startModel((number) => (number % 2 === 1 ? callOf('read', { path: 'a.txt' }) : TEXT));
  const outfile = join(root, 'inside.mjs');
  await esbuild.build({
    entryPoints: [join(import.meta.dirname, 'inside.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    loader: { '.md': 'text' },
    external: ['jsonc-parser'],
    // As in the program's own build: for Node the package offers CommonJS only.
    alias: { yaml: join(import.meta.dirname, '../node_modules/yaml/browser/index.js') },
    logLevel: 'error',
  });
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [outfile, root], {
        cwd: join(root, 'project'),
        env: environment(join(root, 'home'), model.url),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`inside: exit code ${code}`)),
      );
    });
  } finally {
    model.close();
  }
}
