import { readCommandLine } from './command-line.ts';
import { helpText } from './help.ts';
import { loadProgram } from './load-program.ts';
import { VERSION } from './version.ts';

// Whoever asked for help and closed the pipe has seen enough.
process.stdout.on('error', () => undefined);

const line = readCommandLine(process.argv.slice(2));
if (line.type === 'version') process.stdout.write(`rein ${VERSION}\n`);
else if (line.type === 'help') process.stdout.write(helpText(line.command));
else {
  const isRun = line.type === 'run' && line.command.name === '';
  const { runCommandLine } = loadProgram(import.meta.dirname, isRun ? 'program' : 'commands');
  process.exit(await runCommandLine(line));
}
