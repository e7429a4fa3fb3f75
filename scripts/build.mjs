// Bundles the program into dist/, Markdown as text, pure-JavaScript dependencies included: the command as two CommonJS
// files with their compiled code behind a tiny entry, the SDK and rein/testing as split ES modules.
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
/** A run, and every other command. */
const PROGRAMS = { program: 'src/cli/program.ts', commands: 'src/cli/commands-program.ts' };
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

/** Harnesses that few runs use, each a file of its own beside the program: it is complete in itself. */
const HARNESSES = ['polytoken', 'kimi-cli'];

const harnessesBeside = {
  name: 'harnesses-beside',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^\\./(?:${HARNESSES.join('|')})/harness\\.ts$`) }, ({ path }) => {
      return { path: `./harnesses/${path.split('/')[1]}.cjs`, external: true };
    });
  },
};

/** Packages are loaded when they are needed: each is a file of its own beside the program; their names go into `met`. */
const packagesBeside = (met, from = './') => ({
  name: 'packages-beside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || path.startsWith('node:')) return undefined;
      met.add(path);
      return { path: `${from}packages/${path.replaceAll('/', '-').replace('@', '')}.cjs`, external: true };
    });
  },
});

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  loader: { '.md': 'text' },
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
};

// `import()` of a bundled file becomes a function call, of a package or a built-in module a `require`.
const commonJs = { ...common, format: 'cjs', charset: 'ascii', supported: { 'dynamic-import': false } };

async function buildProgram() {
  const packageNames = new Set();
  const minified = {
    ...commonJs,
    outExtension: { '.js': '.cjs' },
    minifySyntax: true,
    minifyWhitespace: true,
    // Names of classes too: what the program tells of an error is its code, never its name.
    minifyIdentifiers: true,
    define: { 'import.meta.dirname': '__dirname' },
  };
  // One after the other: together they would share nothing all the same.
  const programs = [];
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const plugins = [harnessesBeside, packagesBeside(packageNames)];
    programs.push(await esbuild.build({ ...minified, entryPoints: { [name]: source }, outdir: 'dist', plugins }));
  }
  const harnesses = await esbuild.build({
    ...minified,
    entryPoints: Object.fromEntries(HARNESSES.map((name) => [name, `src/harness/${name}/harness.ts`])),
    outdir: 'dist/harnesses',
    // Next to the packages from here.
    plugins: [packagesBeside(packageNames, '../')],
  });
  const packages = await esbuild.build({
    ...commonJs,
    entryPoints: Object.fromEntries(
      [...packageNames].map((name) => [name.replaceAll('/', '-').replace('@', ''), name]),
    ),
    outdir: 'dist/packages',
    outExtension: { '.js': '.cjs' },
    plugins: [yamlAsModule],
  });
  return [...programs, harnesses, packages];
}

/** The thread that templates are rendered in: a program of its own, which reads the engine's wasm from its package. */
function buildTemplateWorker() {
  return esbuild.build({
    ...commonJs,
    entryPoints: { 'template-worker': 'src/host/node/template-worker.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    minify: true,
    define: { 'import.meta.dirname': '__dirname' },
  });
}

/** Returns the entries that were left out because their source does not exist. Throws esbuild's failure. */
export async function build({ types = false } = {}) {
  const present = Object.entries(entries).filter(([, source]) => existsSync(join(root, source)));
  const modules = {
    ...common,
    outdir: 'dist',
    format: 'esm',
    charset: 'utf8',
    plugins: [executableEntry, yamlAsModule],
  };
  const [command, library] = [['rein'], ['sdk', 'testing']].map((names) =>
    Object.fromEntries(present.filter(([name]) => names.includes(name))),
  );
  const results = [
    await esbuild.build({ ...modules, entryPoints: command }),
    await esbuild.build({ ...modules, entryPoints: library, splitting: true, chunkNames: 'chunks/[name]-[hash]' }),
    ...(await buildProgram()),
    await buildTemplateWorker(),
  ];
  const metafile = merge(results.map((result) => result.metafile));
  const files = new Map(results.flatMap((result) => result.outputFiles.map((file) => [file.path, file.contents])));
  files.set(join(dist, 'meta.json'), JSON.stringify(metafile));
  files.set(join(dist, 'third-party-licenses.txt'), licences(metafile).join('\n'));
  replaceFiles(files);
  if (existsSync(join(dist, 'rein.js'))) chmodSync(join(dist, 'rein.js'), 0o755);
  if (existsSync(join(root, 'samples'))) {
    rmSync(join(dist, 'samples'), { recursive: true, force: true });
    cpSync(join(root, 'samples'), join(dist, 'samples'), { recursive: true });
  }
  writeCompiledCode();
  if (types) writeTypes();
  return Object.keys(entries).filter((name) => !present.some(([other]) => other === name));
}

function merge(metafiles) {
  return {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
}

/** Without it the program only starts more slowly, so a failure is told and no more. */
function writeCompiledCode() {
  const script = join(root, 'scripts/write-compiled-code.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  });
  if (status !== 0) console.error(`the compiled code was not written: ${stderr}`);
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
