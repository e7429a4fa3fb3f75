// Bundles the program into dist/: ESM, split chunks, Markdown as text, pure-JavaScript dependencies included.
// `--types` also writes the declaration files that the package ships.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const entries = { rein: 'src/cli/main.ts', sdk: 'src/sdk/index.ts', testing: 'src/testing/index.ts' };
const hashbang = '#!/usr/bin/env node\n';

/** The command's file starts as a script; the others stay plain modules. */
const executableEntry = {
  name: 'executable-entry',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]cli[\\/]main\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      return { contents: source.startsWith('#!') ? source : hashbang + source, loader: 'ts' };
    });
  },
};

/** For Node, `yaml` offers CommonJS only, whose `require` calls a bundled ES module cannot serve. */
const yamlAsModule = {
  name: 'yaml-as-module',
  setup(build) {
    build.onResolve({ filter: /^yaml$/ }, () => ({ path: join(root, 'node_modules/yaml/browser/index.js') }));
  },
};

/**
 * Writes what changed, each file in one step, and removes what is no longer made, so that a program running from
 * dist/ while it is built finds its chunks for as long as possible.
 */
function replaceFiles(files) {
  for (const [path, bytes] of files) {
    if (existsSync(path) && Buffer.from(bytes).equals(readFileSync(path))) continue;
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.pid}.tmp`;
    writeFileSync(temporary, bytes);
    renameSync(temporary, path);
  }
  const chunks = join(dist, 'chunks');
  if (!existsSync(chunks)) return;
  for (const name of readdirSync(chunks)) {
    const path = join(chunks, name);
    if (!files.has(path) && !name.endsWith('.tmp')) rmSync(path, { force: true });
  }
}

/** The licence texts of the packages that were bundled. */
function licences(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match !== null) names.add(match[1]);
  }
  return [...names].sort().map((name) => {
    const directory = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
    return `${name} ${version} (${license})\n${text}`;
  });
}

/** Returns the entries that were left out because their source does not exist. Throws esbuild's failure. */
export async function build({ types = false } = {}) {
  const present = Object.entries(entries).filter(([, source]) => existsSync(join(root, source)));
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(present),
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    splitting: true,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    chunkNames: 'chunks/[name]-[hash]',
    loader: { '.md': 'text' },
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [executableEntry, yamlAsModule],
  });
  const files = new Map(result.outputFiles.map((file) => [file.path, file.contents]));
  files.set(join(dist, 'meta.json'), JSON.stringify(result.metafile));
  files.set(join(dist, 'third-party-licenses.txt'), licences(result.metafile).join('\n'));
  replaceFiles(files);
  if (existsSync(join(dist, 'rein.js'))) chmodSync(join(dist, 'rein.js'), 0o755);
  if (existsSync(join(root, 'samples'))) {
    rmSync(join(dist, 'samples'), { recursive: true, force: true });
    cpSync(join(root, 'samples'), join(dist, 'samples'), { recursive: true });
  }
  if (types) writeTypes();
  return Object.keys(entries).filter((name) => !present.some(([other]) => other === name));
}

function writeTypes() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.types.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the declaration files were not written');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = performance.now();
  try {
    const missing = await build({ types: process.argv.includes('--types') });
    for (const name of missing)
      console.log(`${relative(root, join(dist, `${name}.js`))}: not built, ${entries[name]} does not exist`);
    console.log(`built dist/ in ${Math.round(performance.now() - started)} ms`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
