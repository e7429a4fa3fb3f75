import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/**
 * Runs a command in the repository, stdin closed. `onOutput` receives both streams as they come, until the command
 * itself has ended: what its orphans print later is dropped. Resolves to the exit code and all that was printed;
 * a killed or missing command has code 1. After `timeoutMs` the command's whole group is killed.
 */
export function runCommand(command, parameters, { env = {}, onOutput = () => {}, timeoutMs = 300_000 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let ended = false;
    const take = (text) => {
      if (ended) return;
      output += text;
      onOutput(text);
    };
    const finish = (code) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, output });
    };
    const timer = setTimeout(() => {
      take(`\nstopped after ${timeoutMs / 1000} s: ${command} ${parameters.join(' ')}\n`);
      killGroup(child.pid);
    }, timeoutMs);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    child.on('error', (error) => {
      take(`${error.message}\n`);
      finish(1);
    });
    child.on('close', (code) => finish(code ?? 1));
    // An orphan may hold the pipe open: what the command wrote has arrived by then.
    child.on('exit', (code) => setTimeout(() => finish(code ?? 1), 1000).unref());
  });
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** A program of a development dependency, run by this Node. */
export function runTool(file, parameters, options) {
  return runCommand(process.execPath, [join(root, 'node_modules', file), ...parameters], options);
}
