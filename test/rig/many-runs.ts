import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FACETED } from '../../conformance/rig/faceted.ts';
import type { StreamSession } from '../../conformance/rig/stream-session.ts';
import { type Workspace, workspace } from '../../conformance/rig.ts';
import { type RehearsalReply, reply } from '../../src/testing/index.ts';

type Given = Readonly<Record<string, unknown>>;

const definition = (name: string, keys = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name} work.\nrein:\n  inherit_tools: true\n${keys}---\nYou are ${name}.`;

const calls = (...made: readonly (readonly [string, Given])[]): RehearsalReply =>
  reply.calls(made.map(([name, args]) => ({ name, arguments: { ...args } })));

/** A reply in the lane of one run: that agent, asked with that word. */
function lane(agent: string, text: string | RegExp, ...replies: readonly RehearsalReply[]): RehearsalReply[] {
  return replies.map((each) => ({ ...each, when: { agent, text } }));
}

const starts = (agent: string, prompt: string, more: Given = {}): readonly [string, Given] => [
  'subagent',
  { agent, prompt, description: prompt, ...more },
];
const exit = (summary: string): RehearsalReply => calls(['exit_tool', { summary }]);
const writes = (name: string): RehearsalReply => calls(['write', { path: `out/${name}`, content: `${name}\n` }]);

/** Writes its file and gives it as its result. */
const works = (name: string): RehearsalReply[] => lane('worker', name, writes(name), exit(`wrote ${name}`));
/** Its model cannot be had. */
const crashes = (name: string): RehearsalReply[] =>
  lane('crasher', name, { fault: { kind: 'status', status: 400, times: 9 } });

export const COMMANDS = 8;
export const WORKERS: readonly string[] = ['work-a', 'work-b', 'work-c', 'work-d', 'work-e'];
/** Names of all files that a run leaves. */
export const FILES: readonly string[] = [
  ...WORKERS,
  ...Array.from({ length: COMMANDS }, (_, number) => `command-${number}`),
].sort();

const command = (number: number): readonly [string, Given] => [
  'shell',
  {
    command: `sleep 0.${number}; echo command-${number} | tee out/command-${number}; exit ${number % 3}`,
    background: true,
    description: `command ${number}`,
  },
];

/**
 * Twelve agents on three levels: two whose model fails, one that is steered, one that is stopped, one that is gone on
 * with; and eight commands.
 */
function script(): RehearsalReply[] {
  const background = { background: true };
  return [
    ...lane(
      'root',
      'BEGIN',
      calls(
        ...Array.from({ length: COMMANDS }, (_, number) => command(number)),
        starts('lead', 'lead-1', background),
        starts('lead', 'lead-2', background),
        starts('slow', 'slow-stopped', background),
        starts('slow', 'slow-steered', background),
      ),
      reply.text('begun'),
    ),
    ...lane(
      'lead',
      'lead-1',
      calls(starts('worker', 'work-a'), starts('worker', 'work-b'), starts('crasher', 'crash-a')),
    ),
    ...lane('lead', 'lead-1', exit('lead-1 done')),
    ...lane(
      'lead',
      'lead-2',
      calls(starts('lead', 'lead-3'), starts('worker', 'work-c'), starts('crasher', 'crash-b')),
    ),
    ...lane('lead', 'lead-2', exit('lead-2 done')),
    ...lane('lead', 'lead-3', calls(starts('worker', 'work-d'), starts('worker', 'work-e')), exit('lead-3 done')),
    ...WORKERS.flatMap(works),
    ...crashes('crash-a'),
    ...crashes('crash-b'),
    ...lane('slow', 'slow-stopped', calls(['shell', { command: 'sleep 600' }])),
    ...lane('slow', 'slow-steered', { ...calls(['shell', { command: 'sleep 0.1' }]), repeat: true }),
    ...lane('slow', 'HURRY', exit('hurried')),
    ...lane('lead', 'ONCE MORE', exit('more done')),
    { text: 'noted', when: { agent: 'root', text: /^(?![\s\S]*GO ON WITH IT)/ }, repeat: true },
  ];
}

/** The root's model goes on with that run when it is told to. */
export function goOn(run: string): RehearsalReply[] {
  return lane('root', 'GO ON WITH IT', calls(starts('lead', 'ONCE MORE', { resume_from: run })), reply.text('went on'));
}

export const ARGS: readonly string[] = ['--permission-mode', 'yolo', '-c', 'subagents.max_running=16'];

export type ManyRuns = { w: Workspace; replies: RehearsalReply[] };

export async function manyRuns(): Promise<ManyRuns> {
  const rein = FACETED.find(({ harness }) => harness === 'rein');
  const replies = script();
  const w = await workspace(
    {
      '.git/': null,
      'out/': null,
      '.rein/subagents/lead.md': definition('lead', '  allow_subagent_spawn: true\n'),
      '.rein/subagents/worker.md': definition('worker'),
      '.rein/subagents/crasher.md': definition('crasher'),
      '.rein/subagents/slow.md': definition('slow'),
    },
    { harness: rein?.harness ?? 'rein', replies },
  );
  return { w, replies };
}

export type Job = { id: string; kind: string; state: string; description: string; detail: Given };

export async function jobs(session: StreamSession): Promise<Job[]> {
  return ((await session.carryOut({ type: 'jobs' })) as { jobs: Job[] }).jobs;
}

export function filesOf({ project }: Workspace): string[] {
  return existsSync(join(project, 'out')) ? readdirSync(join(project, 'out')).sort() : [];
}

export type Stored = Record<string, unknown> & { type: string };

export function linesOf(file: string): Stored[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Stored);
}

/** Processes that work in or below the project, or for its home, the tests' own aside. */
export function processesOf({ root }: Workspace, own: readonly (number | undefined)[] = []): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid || own.includes(Number(name))) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')) return [];
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1');
      const line = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return environment.includes(`${root}/`) ? [`${name} ${line}`] : [];
    } catch {
      return [];
    }
  });
}
