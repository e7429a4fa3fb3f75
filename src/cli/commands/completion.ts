import { UsageError } from '../../base/index.ts';
import { SETTING_KEYS } from '../../config/index.ts';
import { HARNESSES, PROVIDERS } from '../../sdk/index.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { offers } from '../completion/offers.ts';
import { zshCompletion } from '../completion/zsh.ts';
import type { CommandCall } from '../run-command-line.ts';

/** Any word is taken; these are the ones that some model knows. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra'];

/** `rein completion SHELL`: the script, on stdout. */
export async function runCompletionCommand({ arguments: words, stdio }: CommandCall): Promise<number> {
  const script = completionScript(words[0]);
  if (script === null) throw new UsageError('usage/incomplete', 'usage: rein completion bash | zsh | fish');
  stdio.output.write(script);
  return 0;
}

/** Null where no shell is named, or one that is not known. */
function completionScript(shell: string | undefined): string | null {
  const commands = offers({
    harness: HARNESSES,
    model: [...PROVIDERS, 'rehearsal'].map((name) => `${name}/`),
    effort: EFFORTS,
    setting: SETTING_KEYS.filter((key) => !key.includes('*')).map((key) => `${key}=`),
  });
  if (shell === 'bash') return bashCompletion(commands);
  if (shell === 'zsh') return zshCompletion(commands);
  return shell === 'fish' ? fishCompletion(commands) : null;
}
