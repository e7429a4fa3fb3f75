import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RehearsalReply, reply } from '../../src/testing/index.ts';
import { bodyOf, messagesOf, type Workspace, workspace } from '../rig.ts';
import type { Faceted } from './faceted.ts';
import type { Tree } from './files.ts';
import type { Line, StreamSession } from './stream-session.ts';
import type { ModelCall } from './tool-results.ts';

/** A definition. `keys`: further lines below the product's key, two blanks before each. */
export function agentFile(name: string, body: string, product: string, keys: readonly string[] = []): string {
  const own = keys.length === 0 ? '' : `${product}:\n${keys.map((key) => `  ${key}\n`).join('')}`;
  return `---\nname: ${name}\ndescription: Looks into ${name} things.\n${own}---\n${body}`;
}

export function calls(...made: readonly ModelCall[]): RehearsalReply {
  return reply.calls(made.map(([name, args]) => ({ name, arguments: { ...args } })));
}

export function of(agent: string, ...replies: readonly RehearsalReply[]): RehearsalReply[] {
  return replies.map((each) => ({ ...each, when: { ...each.when, agent } }));
}

export const exit = (summary: string): RehearsalReply => calls(['exit_tool', { summary }]);

/** Starts one and waits for it; under polytoken agents always run in the background. */
export function starts(agent: string, prompt: string, more: Readonly<Record<string, unknown>> = {}): ModelCall {
  return ['subagent', { agent, prompt, description: `run ${agent}`, ...more }];
}

export function requestsOf(w: Workspace, agent: string): ReturnType<Workspace['requests']> {
  return w.requests().filter((request) => request.agent === agent);
}

export function texts(request: Parameters<typeof messagesOf>[0]): string {
  return messagesOf(request)
    .map(({ content }) => content ?? '')
    .join('\n');
}

/** What a request brings of the results of calls, in their order. */
export function toolResults(request: Parameters<typeof messagesOf>[0]): string[] {
  return messagesOf(request).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
}

export type Job = {
  id: string;
  kind: string;
  state: string;
  description: string;
  detail: Readonly<Record<string, unknown>>;
};

export async function jobsOf(s: StreamSession): Promise<Job[]> {
  return ((await s.carryOut({ type: 'jobs' })) as { jobs: Job[] }).jobs;
}

/** Until no job runs any more. */
export async function allEnded(s: StreamSession): Promise<Job[]> {
  for (;;) {
    const jobs = await jobsOf(s);
    if (!jobs.some(({ state }) => state === 'starting' || state === 'running')) return jobs;
    await sleep(20);
  }
}

type Stored = Record<string, unknown>;

export function linesOf(file: string): Stored[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Stored);
}

/** The sessions of agents, by the name of the definition. */
export function childSessions(w: Workspace): { agent: string; id: string; file: string; lines: Stored[] }[] {
  return w.sessionFiles().flatMap((file) => {
    const lines = linesOf(file);
    const header = lines[0] as { kind: string; id: string; spawnedBy: { agent: string } | null };
    return header.spawnedBy === null ? [] : [{ agent: header.spawnedBy.agent, id: header.id, file, lines }];
  });
}

/** The session of the person. */
export function rootLines(w: Workspace): Stored[] {
  const found = w
    .sessionFiles()
    .map(linesOf)
    .filter(([header]) => header?.spawnedBy === null);
  if (found.length !== 1) throw new RangeError(`${found.length} sessions of a person`);
  return found[0] as Stored[];
}

export const BACK: Readonly<Record<string, unknown>> = { background: true };

/** Whose turn of the conversation with the person has ended. */
export function isRootEnd({ type, subagent }: Line): boolean {
  return type === 'turn-end' && subagent === undefined;
}

export function modelOf(request: Parameters<typeof bodyOf>[0]): string {
  return (bodyOf(request) as unknown as { model: string }).model;
}

/** All that the caller's model was told. */
export function toldToRoot(w: Workspace): string {
  return texts(requestsOf(w, 'root').at(-1));
}

/** Goes on only when that file is there: what it waits for is an event, not a time. */
export function waitsFor(...names: readonly string[]): string {
  return `until ${names.map((name) => `[ -e ${name} ]`).join(' && ')}; do sleep 0.05; done`;
}

/** Polls: what is waited for is an event that stdout may have told of already. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

/** The ids of the agents, as soon as so many of them run. */
export async function untilRuns(s: StreamSession, count: number): Promise<string[]> {
  let ids: string[] = [];
  await until(async () => {
    const jobs = await jobsOf(s);
    ids = jobs.filter(({ kind, state }) => kind === 'agent' && state === 'running').map(({ id }) => id);
    return ids.length === count;
  });
  return ids;
}

export type Agents = {
  /** Below which a definition speaks to the program. */
  product: string;
  /** All of them run in the background. */
  always: boolean;
  /** Arguments that have one run in the background. */
  background: Readonly<Record<string, unknown>>;
  /** The definition of `scout`. */
  scout(own?: readonly string[]): Record<string, string>;
  /** A project with it. `own`: its keys. What else the root's model is asked it answers with `ok`. */
  start(replies: RehearsalReply[], more?: Tree, own?: readonly string[]): Promise<Workspace>;
};

export function agentsUnder({ harness, inside, keys }: Faceted): Agents {
  const product = keys[0] as string;
  const always = harness === 'polytoken';
  const scout = (own: readonly string[] = []): Record<string, string> => ({
    [`${inside}/subagents/scout.md`]: agentFile('scout', 'You look.', product, own),
  });
  return {
    product,
    always,
    background: always ? {} : BACK,
    scout,
    start(replies, more = {}, own = []) {
      replies.push({ text: 'ok', repeat: true, when: { agent: 'root', text: /^(?![\s\S]*NEXT)/ } });
      return workspace({ '.git/': null, ...scout(own), ...more }, { harness, replies });
    },
  };
}

/** What the models answer from the prompt NEXT on. */
export function next(replies: RehearsalReply[], ...more: readonly RehearsalReply[]): void {
  replies.push(...more, { text: 'ok', repeat: true, when: { agent: 'root' } });
}
