import { resolve } from 'node:path';
import { screenLine, toJsonLine, UsageError } from '../../base/index.ts';
import type { HostPorts, SessionSummary, StoredSessions, TranscriptEntry } from '../../sdk/index.ts';
import { isGiven, lastValue } from '../given-options.ts';
import { outputWidth } from '../output-width.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

type Scene = { call: CommandCall; host: HostPorts; sessions: StoredSessions; words: readonly string[] };
type Verb = { options: readonly string[]; run(scene: Scene): Promise<void> };

const VERBS: Readonly<Record<string, Verb>> = {
  list: { options: ['all', 'json'], run: list },
  show: { options: ['json'], run: show },
  export: { options: ['format', 'out'], run: exportSession },
  fork: { options: [], run: fork },
  delete: { options: [], run: remove },
};

/** `rein sessions [list|show|export|fork|delete]`: what is stored, for people and scripts. Asks nothing. */
export async function runSessionsCommand(call: CommandCall): Promise<number> {
  const [name = 'list', ...words] = call.arguments;
  const verb = VERBS[name] ?? { options: [], run: list };
  refuseOthers(name, verb, call);
  const { createNodeHost, openSessions } = await import('../../sdk/index.ts');
  const host = createNodeHost();
  const cwd = lastValue(call.options, 'cwd');
  const sessions = await openSessions(cwd === null ? {} : { cwd }, host);
  await verb.run({ call, host, sessions, words });
  return 0;
}

function refuseOthers(name: string, { options }: Verb, call: CommandCall): void {
  const other = call.options.find((option) => option.name !== 'cwd' && !options.includes(option.name));
  if (other === undefined) return;
  throw new UsageError('usage/option-of-another', `--${other.name} is not an option of "rein sessions ${name}"`);
}

async function list({ call: { options, stdio }, host, sessions, words }: Scene): Promise<void> {
  const all = isGiven(options, 'all');
  const found = await sessions.list({ all, words });
  if (isGiven(options, 'json')) {
    stdio.output.write(`${readableJson(found)}\n`);
    return;
  }
  const { sessionTable } = await import('../sessions/session-table.ts');
  stdio.output.write(sessionTable(found, { width: outputWidth(stdio, host.env), all, clock: host.clock }));
  if (found.length > 0) return;
  const where = all ? '' : ' of this directory (--all: of every one)';
  stdio.errors.write(`rein: no session${where}${words.length === 0 ? '' : ' with these words'}\n`);
}

async function show({ call, sessions, words }: Scene): Promise<void> {
  const { output } = call.stdio;
  const { transcriptText } = await import('../sessions/transcript-text.ts');
  const render = isGiven(call.options, 'json') ? transcriptJson : transcriptText;
  await sessions.read(oneId('show', words), async (summary, entries) => {
    for (const text of render(summary, entries)) {
      if (call.stdio.outputGone.aborted) return;
      output.write(text);
      await call.stdio.drained();
    }
  });
}

/** One object; an entry on each line, so that a long session needs no memory. */
function* transcriptJson(session: SessionSummary, entries: Iterable<TranscriptEntry>): Generator<string> {
  yield `{"session":${toJsonLine(session)},"entries":[`;
  let separator = '\n';
  for (const entry of entries) {
    yield `${separator}${toJsonLine(entry)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function exportSession({ call, host, sessions, words }: Scene): Promise<void> {
  const { options, stdio } = call;
  const out = lastValue(options, 'out');
  if (out === '') throw new UsageError('usage/empty-value', '--out is empty');
  const isHtml = (lastValue(options, 'format') ?? (/\.html?$/i.test(out ?? '') ? 'html' : 'markdown')) === 'html';
  const render = isHtml
    ? (await import('../sessions/transcript-html.ts')).transcriptHtml
    : (await import('../sessions/transcript-markdown.ts')).transcriptMarkdown;
  await sessions.read(oneId('export', words), async (summary, entries) => {
    if (out !== null) {
      await writeFile(resolve(host.env.cwd(), out), render(summary, entries), host);
      return;
    }
    for (const text of render(summary, entries)) {
      if (stdio.outputGone.aborted) return;
      stdio.output.write(text);
      await stdio.drained();
    }
  });
}

/** A transcript may hold what is nobody else's business: only its owner can read the file. */
async function writeFile(path: string, texts: Iterable<string>, { files }: HostPorts): Promise<void> {
  const handle = await files.openAppend(path, { mode: 0o600, create: true });
  try {
    handle.truncate(0);
    for (const text of texts) handle.write(text);
  } finally {
    handle.close();
  }
}

async function fork({ call, sessions, words }: Scene): Promise<void> {
  call.stdio.output.write(`${await sessions.fork(oneId('fork', words))}\n`);
}

async function remove({ call, sessions, words }: Scene): Promise<void> {
  if (words.length === 0) throw new UsageError('usage/incomplete', 'usage: rein sessions delete ID …');
  const { size, about } = await import('../sessions/session-table.ts');
  for await (const { id, summary, stopped } of sessions.remove(words)) {
    const what = summary === null ? 'no readable session' : `${size(summary.size)}  ${about(summary, 60)}`;
    call.stdio.output.write(`deleted ${id}  ${screenLine(what, 100)}\n`);
    for (const task of stopped) {
      call.stdio.output.write(
        `stopped ${task.id}  ${screenLine(`${task.description}: ${task.detail.command ?? ''}`, 100)}\n`,
      );
    }
  }
}

function oneId(verb: string, [id, extra]: readonly string[]): string {
  if (id === undefined) throw new UsageError('usage/incomplete', `usage: rein sessions ${verb} ID`);
  if (extra !== undefined) {
    throw new UsageError(
      'usage/too-many-arguments',
      `rein sessions ${verb} takes one ID: unexpected ${JSON.stringify(extra)}`,
    );
  }
  return id;
}
