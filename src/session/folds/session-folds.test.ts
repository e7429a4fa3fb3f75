import { describe, expect, test } from 'vitest';
import { answer, laidOf, memoryLog, prompt, resultOf } from '../../../test/rig/session-rig.ts';
import { emptySession } from '../../../test/rig/session-state.ts';
import { sha256, toStableJson } from '../../base/index.ts';
import { type EventBody, type Folded, NO_USAGE } from '../../model/index.ts';
import type { SessionLog } from '../session-log.ts';
import { makeCheckpoint } from './fold-branch.ts';

function fieldAfter(field: keyof Folded, ...bodies: EventBody[]): unknown {
  const log = memoryLog();
  for (const body of bodies) log.append(body);
  return log.state()[field];
}

function clear(log: SessionLog, fields: { facet?: string; plan?: string } = {}): void {
  const { facet = null, plan = null } = fields;
  log.append({ type: 'clear', facet, plan, checkpoint: makeCheckpoint(log.state()) });
}

function observation(path: string, size: number): Folded['observed'][string] {
  return { path, size, mtimeMs: 1, sha256: `${size}`, how: 'read', complete: true, decorated: false };
}

describe('the state of a session', () => {
  test('is empty before its first event', () => {
    const log = memoryLog();
    expect(log.state()).toEqual({
      id: log.id,
      header: log.header,
      leaf: null,
      history: [],
      choices: { harness: null, wire: null, model: null, effort: null, facet: null, 'permission-mode': null },
      pins: {},
      narrowing: { allow: null, deny: [] },
      directories: ['/home/user/project'],
      todos: [],
      plan: null,
      planMode: null,
      delivery: emptySession('s', '/repo').delivery,
      observed: {},
      usage: { last: null, total: NO_USAGE, requests: 0 },
      told: [],
      given: null,
    });
  });

  test('holds the last choice of each kind', () => {
    expect(
      fieldAfter(
        'choices',
        { type: 'model', from: null, to: 'a/b', by: 'flag' },
        { type: 'permission-mode', from: null, to: 'yolo', by: 'user' },
        { type: 'model', from: 'a/b', to: 'c/d', by: 'user' },
      ),
    ).toEqual({ harness: null, wire: null, model: 'c/d', effort: null, facet: null, 'permission-mode': 'yolo' });
  });

  test('knows of which ends of tasks the model was told, once each, whatever was cleared since', () => {
    const log = memoryLog();
    const tells = { type: 'reminder', reason: 'notification', key: 'task/a', layout: [] } as const;
    log.append(tells);
    log.append({ type: 'task-told', tasks: ['b', 'a'] });
    log.append({ type: 'clear', facet: null, plan: null, checkpoint: makeCheckpoint(log.state()) });
    log.append({ ...tells, key: 'other/c' });
    expect(log.state().told).toEqual(['a', 'b']);
  });

  test('has what a subagent gave until its caller asks again', () => {
    const given = { type: 'agent-result', value: { summary: 'x' } } as const;
    expect(fieldAfter('given', given)).toEqual({ summary: 'x' });
    expect(fieldAfter('given', given, { type: 'prompt', text: 'more', from: 'parent' })).toBeNull();
  });

  test('replaces the narrowing of the tools as a whole', () => {
    expect(fieldAfter('narrowing', { type: 'tools', allow: ['read'] })).toEqual({ allow: ['read'], deny: [] });
    expect(fieldAfter('narrowing', { type: 'tools', allow: ['read'] }, { type: 'tools', deny: ['shell'] })).toEqual({
      allow: null,
      deny: ['shell'],
    });
  });

  test('holds pins, directories, todos and plan mode as last said', () => {
    expect(
      fieldAfter('pins', { type: 'pin', name: 'now', value: '1' }, { type: 'pin', name: 'listing', value: 'a' }),
    ).toEqual({ now: '1', listing: 'a' });
    expect(
      fieldAfter('directories', { type: 'directory', stack: ['/a', '/b'] }, { type: 'directory', stack: [] }),
    ).toEqual(['/a', '/b']);
    const items = [{ id: '1', title: 'do', status: 'pending' as const }];
    expect(fieldAfter('todos', { type: 'todos', items })).toEqual(items);
    expect(fieldAfter('planMode', { type: 'plan-mode', on: true, file: '/p.md', by: 'user' })).toEqual({
      on: true,
      file: '/p.md',
    });
  });

  test('keeps the plan over a clear that names it, and drops it at any other', () => {
    const log = memoryLog();
    log.append({ type: 'plan', op: 'write', path: '/p.md', text: 'first' });
    log.append({ type: 'plan', op: 'edit', path: '/p.md', text: 'second' });
    clear(log, { plan: '/p.md', facet: 'execute' });
    expect(log.state().plan).toEqual({ path: '/p.md', text: 'second', changes: [] });
    expect(log.state().choices.facet).toBe('execute');
    clear(log);
    expect(log.state().plan).toBeNull();
    expect(log.state().choices.facet).toBe('execute');
  });

  test('has the plan back where a rewind lands on a clear that carried it (P41)', () => {
    const log = memoryLog();
    log.append({ type: 'plan', op: 'write', path: '/p.md', text: 'the plan' });
    clear(log, { plan: '/p.md' });
    const boundary = log.state().leaf;
    log.append(prompt('go'));
    log.append({ type: 'plan', op: 'write', path: '/p.md', text: 'another' });
    log.append({ type: 'rewind', to: boundary });
    expect(log.state().plan).toEqual({ path: '/p.md', text: 'the plan', changes: [] });
  });

  test('holds the latest observation of each file until the context is reset', () => {
    const log = memoryLog();
    const said = answer(log, [{ type: 'call', id: 'a', name: 'read', arguments: '{}' }]);
    const body = resultOf(said.id, 'a') as Extract<EventBody, { type: 'tool-result' }>;
    log.append({ ...body, observed: [observation('/a', 1), observation('/__proto__', 1)] });
    log.append({ ...body, observed: [observation('/a', 2)] });
    expect(log.state().observed).toEqual({ '/a': observation('/a', 2), '/__proto__': observation('/__proto__', 1) });
    clear(log);
    expect(log.state().observed).toEqual({});
  });

  test('counts the tokens of every answer, and the last of the conversation', () => {
    const log = memoryLog();
    answer(log, [{ type: 'text', text: 'one' }]);
    answer(log, [{ type: 'text', text: 'two' }], { purpose: 'compaction' });
    const each = { ...NO_USAGE, input: 10, output: 1 };
    expect(log.state().usage).toEqual({ last: each, total: { ...NO_USAGE, input: 20, output: 2 }, requests: 2 });
    clear(log);
    expect(log.state().usage).toEqual({ last: null, total: { ...NO_USAGE, input: 20, output: 2 }, requests: 2 });
  });

  test('carries all but the history in a checkpoint, and survives JSON', () => {
    const log = memoryLog();
    log.append(prompt('go'));
    log.append({ type: 'chain', paths: ['/a/AGENTS.md'] });
    log.append({ type: 'reminder', reason: 'chain', key: 'once', layout: log.toLayout(laidOf('RULE')) });
    const { id: _id, header: _header, leaf: _leaf, history: _history, ...carried } = log.state();
    const checkpoint = makeCheckpoint(log.state());
    expect(checkpoint).toEqual({ folds: carried, sha256: sha256(toStableJson(carried)) });
    expect(JSON.parse(JSON.stringify(checkpoint))).toEqual(checkpoint);
  });

  test('is the same object until the next event', () => {
    const log = memoryLog();
    log.append(prompt('go'));
    const state = log.state();
    log.note({ type: 'title', text: 'a title' });
    expect(log.state()).toBe(state);
    log.append({ type: 'turn-end', stop: 'end' });
    expect(log.state()).not.toBe(state);
  });
});
