import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PackagedProgram } from '../index.ts';

const PACKAGES: Readonly<Record<PackagedProgram, string>> = { rg: '@vscode/ripgrep' };

/**
 * Each platform's program is an optional package of its own, which an install may have left out. It is looked for
 * from the package that names it: with some package managers nobody else can see it.
 */
export function packagedProgram(program: PackagedProgram): string | null {
  const name = PACKAGES[program];
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  try {
    const parent = createRequire(join(import.meta.dirname, 'from.js')).resolve(name);
    return createRequire(parent).resolve(`${name}-${process.platform}-${process.arch}/bin/${file}`);
  } catch {
    return null;
  }
}
