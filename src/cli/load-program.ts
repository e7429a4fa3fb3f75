export type Program = typeof import('./program.ts');

/**
 * Loads a bundle from this directory, with the code that the build compiled (`NAME.cache`) where this Node can use it:
 * V8 checks version and flags and rejects what is not its own. Elsewhere the file is loaded as any other, with Node's
 * own cache from 22.1 on. Built-in modules are taken without `import`, so that nothing is loaded for `--version`.
 */
export function loadProgram(directory: string, name: 'program' | 'commands'): Program {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { createRequire } = process.getBuiltinModule('node:module');
  const { Script } = process.getBuiltinModule('node:vm');
  const file = `${directory}/${name}.cjs`;
  const requireBeside = createRequire(file);
  const cachedData = compiledCode(`${directory}/${name}.cache`, readFileSync);
  if (cachedData !== null) {
    const script = new Script(inFunction(readFileSync(file, 'latin1')), { filename: file, cachedData });
    if (script.cachedDataRejected !== true) {
      const module = { exports: {} };
      const run = script.runInThisContext() as (...scope: unknown[]) => void;
      run(module.exports, requireBeside, module, file, directory);
      return module.exports as Program;
    }
  }
  enableNodesOwnCache();
  return requireBeside(file) as Program;
}

/** As Node wraps a CommonJS module. The build writes ASCII only, so any one-byte reading of the file is the same. */
export function inFunction(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n});`;
}

function compiledCode(file: string, read: (file: string) => Buffer): Buffer | null {
  try {
    return read(file);
  } catch {
    return null;
  }
}

function enableNodesOwnCache(): void {
  const module = process.getBuiltinModule('node:module') as { enableCompileCache?: () => unknown };
  module.enableCompileCache?.();
}
