import type { Stdio } from '../print/index.ts';
import { type CommandRun, type Runnable, runCommandLine as runWith } from './run-command-line.ts';

/** Every command but a run: a bundle of its own, complete in itself, of which a run loads nothing. */
export function runCommandLine(line: Runnable, stdio?: Stdio): Promise<number> {
  return runWith(line, load, stdio);
}

export { readCommandLine } from './command-line.ts';

async function load(name: string): Promise<CommandRun> {
  switch (name) {
    case 'context':
      return (await import('./commands/context.ts')).runContextCommand;
    case 'config':
      return (await import('./commands/config.ts')).runConfigCommand;
    case 'doctor':
      return (await import('./commands/doctor.ts')).runDoctorCommand;
    case 'harnesses':
      return (await import('./commands/harnesses.ts')).runHarnessesCommand;
    case 'models':
      return (await import('./commands/models.ts')).runModelsCommand;
    case 'completion':
      return (await import('./commands/completion.ts')).runCompletionCommand;
    case 'sessions':
      return (await import('./commands/sessions.ts')).runSessionsCommand;
    case 'trust':
      return (await import('./commands/trust.ts')).runTrustCommand;
    case 'validate':
      return (await import('./commands/validate.ts')).runValidateCommand;
    case 'init':
      return (await import('./commands/init.ts')).runInitCommand;
    case 'vfs':
      return (await import('./commands/vfs.ts')).runVfsCommand;
    case 'rehearsal':
      return (await import('./commands/rehearsal.ts')).runRehearsalCommand;
    case 'demo':
      return (await import('./commands/demo.ts')).runDemoCommand;
    default:
      return (await import('./commands/print.ts')).runPrintCommand;
  }
}
