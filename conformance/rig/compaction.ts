import type { RehearsalReply } from '../../src/testing/index.ts';
import { messagesOf, systemOf, type Workspace } from '../rig.ts';

/** Answers every request for a summary with the same text. */
export function summaries(text: string): RehearsalReply {
  return { when: { purpose: 'compaction' }, text, repeat: true };
}

type Captured = ReturnType<Workspace['requests']>[number];

/** What whoever writes the summary was given: all of it. */
export function summaryRequests(w: Workspace): string[] {
  return w
    .requests()
    .filter(({ purpose }) => purpose === 'compaction')
    .map((request) => JSON.stringify(request.body));
}

export function turnRequests(w: Workspace): Captured[] {
  return w.requests().filter(({ purpose }) => purpose === 'turn');
}

/** The last request of a turn as one text. */
export function lastSent(w: Workspace): string {
  const request = turnRequests(w).at(-1);
  return `${systemOf(request)}\n${messagesOf(request)
    .map(({ content }) => content ?? '')
    .join('\n')}`;
}

/** A model of a small window. */
export function windowOf(tokens: number): Readonly<Record<string, string>> {
  const settings = { providers: { custom: { models: { rehearsed: { context_window: tokens } } } } };
  return { '~/.config/rein/settings.json': JSON.stringify(settings) };
}
