import { expect } from 'vitest';
import { messagesOf, type Workspace } from '../rig.ts';

/**
 * A message of a request, reduced to what instruction files, skills and people bring into it. Files by their path below
 * the project (`a/AGENTS.md`) or the home (`~/…`), without a final line break; a body of null: only the path was given.
 * `notice`: what else the program says. The results of tools stand for themselves.
 */
export type Said =
  | readonly ['user' | 'assistant' | 'notice', string]
  | readonly ['call', ...string[]]
  | readonly ['result']
  | readonly ['files', ...(readonly [path: string, body: string | null])[]]
  | readonly ['skills', ...(readonly [name: string, body: string])[]];

const REMINDER = /^<system-reminder>\n([\s\S]*)<\/system-reminder>$/;
const FILE = /<instructions path="([^"]*)"[^>]*>\n([\s\S]*?)<\/instructions>/g;
const SKILL = /<skill name="([^"]*)"[^>]*>\n([\s\S]*?)<\/skill>/g;
const PATH = /^- (\/.*) \(\d+ bytes\)$/gm;

/** A path as the tree of a test writes it. */
function shown(w: Workspace, path: string): string {
  if (path.startsWith(`${w.project}/`)) return path.slice(w.project.length + 1);
  if (path.startsWith(`${w.home}/`)) return `~/${path.slice(w.home.length + 1)}`;
  return path.startsWith(`${w.root}/`) ? `../${path.slice(w.root.length + 1)}` : path;
}

/** The skills that a text carries, with their bodies; what the program says first of each is left out. */
export function skillsIn(text: string): [name: string, body: string][] {
  return [...text.matchAll(SKILL)].map(([, name = '', inner = '']) => {
    const start = inner.indexOf('\n\n');
    return [name, inner.slice(start === -1 ? 0 : start + 2).replace(/\n$/, '')];
  });
}

function reminder(w: Workspace, inner: string): Said {
  const bodies = [...inner.matchAll(FILE)].map(
    ([, path = '', body = '']) => [shown(w, path), body.replace(/\n$/, '')] as const,
  );
  const rest = inner.replace(FILE, '');
  const paths = [...rest.matchAll(PATH)].map(([, path = '']) => [shown(w, path), null] as const);
  if (bodies.length + paths.length > 0) return ['files', ...bodies, ...paths];
  const skills = skillsIn(inner);
  return skills.length > 0 ? ['skills', ...skills] : ['notice', inner.trim()];
}

/** What a run that takes a session up again says first. */
export const TAKEN_UP_AGAIN: Said = [
  'notice',
  expect.stringMatching(
    /^This session was taken up again: its last message was less than a minute ago\. Today is \d{4}-\d\d-\d\d\. Files may have changed since; read a file again before you edit it\.$/,
  ),
];

type Message = ReturnType<typeof messagesOf>[number];

function said(w: Workspace, { role, content, tool_calls: calls }: Message): Said {
  if (role === 'tool') return ['result'];
  if (role === 'assistant') {
    const names = (calls ?? []).map((call) => (call as { function: { name: string } }).function.name);
    return names.length > 0 ? ['call', ...names] : ['assistant', content ?? ''];
  }
  const [, inner] = REMINDER.exec(content ?? '') ?? [];
  return inner === undefined ? ['user', content ?? ''] : reminder(w, inner);
}

/** All messages after the system prompt of a request: 0 the first, -1 the last. */
export function history(w: Workspace, request: number = -1): Said[] {
  return messagesOf(w.requests().at(request)).map((message) => said(w, message));
}

/** The files of a request's reminders, one list a reminder; nothing else of its history. */
export function filesTold(w: Workspace, request: number = -1): (readonly [path: string, body: string | null])[][] {
  return history(w, request).flatMap((each) => {
    if (each[0] !== 'files') return [];
    const [, ...files] = each;
    return [files];
  });
}
