import type { Harness } from '../harness/contract/index.ts';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { deliveryFold, makePiece } from '../instructions/index.ts';
import type { ModelEvent, ModelPort, ModelRequest, StreamEvent, World } from '../model/index.ts';
import { NO_USAGE } from '../model/index.ts';
import { createSessionStore, SESSION_FOLDS, type SessionStore } from '../session/index.ts';
import type { AnyExecutor, Executor, ToolFace } from '../tools/contract/index.ts';
import { AgentSession } from './agent-session.ts';
import { CommandError } from './error.ts';
import { OpenQuestions } from './open-questions.ts';
import type { AgentParts } from './parts.ts';
import { WishedModels } from './wished-model.ts';

/** One answer of the scripted model: its events, or a function that makes them when it is asked. */
export type Script = readonly (readonly ModelEvent[] | ((signal: AbortSignal) => AsyncIterable<ModelEvent>))[];

export function say(text: string): ModelEvent[] {
  return [
    { type: 'text-start' },
    { type: 'text-delta', text },
    { type: 'text-end' },
    { type: 'finish', stop: 'end', usage: { ...NO_USAGE, input: 10, output: 2 } },
  ];
}

export function call(...calls: { id: string; name: string; args: unknown }[]): ModelEvent[] {
  return [
    ...calls.map(({ id, name, args }) => ({
      type: 'tool-input-end' as const,
      id,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
    { type: 'finish', stop: 'calls', usage: { ...NO_USAGE, input: 10, output: 2 } },
  ];
}

class ScriptedModel implements ModelPort {
  readonly info = { provider: 'scripted', id: 'model', wire: 'chat' as const, contextWindow: null, outputLimit: null };
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;
  #next = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  prepare(request: ModelRequest): { body: string[]; send(signal: AbortSignal): AsyncIterable<ModelEvent> } {
    this.requests.push(request);
    const answers = this.#script;
    const take = (): Script[number] => answers[this.#next++] ?? [];
    return {
      body: [request.system, ...request.messages.map((message) => JSON.stringify(message))],
      async *send(signal: AbortSignal): AsyncIterable<ModelEvent> {
        const answer = take();
        yield* typeof answer === 'function' ? answer(signal) : answer;
      },
    };
  }
}

const NOTE: Executor<{ text: string; fail?: boolean; path?: string }, string> = {
  name: 'note',
  effect: 'read',
  subjects: ({ path }) => (path === undefined ? [] : [{ type: 'path', path, access: 'write' }]),
  run: async ({ text, fail }) =>
    fail === true ? { error: { code: 'note/failed', message: text }, observed: [] } : { value: text, observed: [] },
};

const NOTE_FACE: ToolFace = {
  name: 'note',
  description: [{ separator: 'Notes a text.' }],
  schema: { type: 'object' },
  toCall: (id, args) => {
    try {
      return { call: { id, name: 'note', executor: 'note', args: JSON.parse(args) } };
    } catch {
      return { error: { code: 'tool/bad-arguments', message: 'the arguments are not JSON' } };
    }
  },
  toParts: (outcome) => [{ type: 'text', text: 'error' in outcome ? outcome.error.message : String(outcome.value) }],
};

function plainHarness(overrides: Partial<Harness>): Harness {
  const piece = makePiece({
    id: 'base/identity',
    kind: 'base',
    origin: { type: 'shipped' },
    placement: 'system',
    rule: 'For tests.',
    text: 'You are a test.',
  });
  const wire = {
    accepted: true as const,
    shape: { fields: [], toolsWhenEmpty: 'omit' as const, trimUserNewlines: false },
  };
  return {
    name: 'plain',
    wires: { chat: wire, responses: wire, messages: wire },
    schedule: { parallel: true, identicalCallsOnce: false, onSteer: 'after-batch' },
    sources: () => [],
    expand: (typed) => ({ parts: [{ type: 'text', text: typed }], reminders: [] }),
    compose: () => ({
      system: [{ piece, trigger: 'every-submission' }],
      pins: [],
      reminders: { beforePrompt: [], afterPrompt: [] },
      chain: null,
      options: {},
      diagnostics: [],
    }),
    tools: () => [NOTE_FACE],
    gate: () => 'pass',
    finish: (_call, parts) => parts,
    afterBatch: () => ({ reminders: [] }),
    notice: (notice) => [{ separator: '<note>' }, { piece: notice, trigger: 'tool-batch' }, { separator: '</note>' }],
    stop: () => null,
    ...overrides,
  };
}

export type Rig = {
  session: AgentSession;
  parts: AgentParts;
  model: ScriptedModel;
  events: StreamEvent[];
  host: MemoryHost;
};

function childLogs(store: SessionStore): AgentParts['children'] {
  return {
    create: (spawnedBy, cwd) => store.create({ cwd, projectRoot: null, program: 'test', kind: 'subagent', spawnedBy }),
    fork: (session, spawnedBy) => store.fork(session, undefined, { kind: 'subagent', spawnedBy }),
    open: (session) => store.open(session),
  };
}

/** A session on the in-memory host with a scripted model and one tool, `note`, that returns its text. */
export function rig(script: Script, given: { harness?: Partial<Harness>; parts?: Partial<AgentParts> } = {}): Rig {
  const host = createMemoryHost({ files: { '/repo': { directory: true } } });
  const store = createSessionStore({ host, directory: '/state', folds: { ...SESSION_FOLDS, delivery: deliveryFold } });
  const model = new ScriptedModel(script);
  const parts: AgentParts = {
    host,
    clock: { now: async () => ({ epochMs: 0, micros: 0, offsetMinutes: 0 }) },
    harness: plainHarness(given.harness ?? {}),
    settings: () => ({
      configHome: '/config',
      home: '/home',
      cwd: '/repo',
      flags: { replace: null, append: [] },
      own: {},
    }),
    world: { look: async ({ cwd, stack }) => emptyWorld(cwd, stack), reload: () => undefined },
    copySession: () => Promise.reject(new CommandError('command/not-stored', 'kept in memory')),
    templates: {
      render: async ({ text }) => ({ type: 'text', segments: [{ text, from: null }], warnings: [] }),
    },
    model: { port: model, info: model.info },
    effort: null,
    facet: null,
    wished: new WishedModels(),
    permissionMode: 'yolo',
    log: store.create({ cwd: '/repo', projectRoot: null, program: 'test' }),
    children: childLogs(store),
    crew: { running: 0, most: 4, deepest: 2, grant: (rule) => parts.log.note({ type: 'grant', rule, for: 'session' }) },
    depth: 0,
    modelGiven: false,
    beside: { commands: 4, keep: false, wake: true },
    handoff: null,
    executors: async () => new Map<string, AnyExecutor>([['note', NOTE as AnyExecutor]]),
    limits: LIMITS,
    childEnv: {},
    spillDirectory: null,
    fitImage: async (bytes) => ({ fits: true, mime: 'image/png', bytes, width: 2, height: 1, was: null }),
    judge: async () => ({ verdict: 'allow', places: null }),
    protectedFiles: { watch: async () => async () => [], since: async () => [], accept: async () => undefined },
    questions: new OpenQuestions(false),
    mask: { keys: (text) => text, output: (text) => text },
    onlyTools: null,
    maxRequests: null,
    choose: {
      harness: async () => plainHarness({ name: 'other' }),
      model: async () => ({ port: model, info: model.info }),
      permissionMode: (name) => name,
      tools: async (names) => names,
    },
    diagnostics: [],
    ...given.parts,
  };
  const session = new AgentSession(parts);
  const events: StreamEvent[] = [];
  session.subscribe((event) => events.push(event));
  return { session, parts, model, events, host };
}

const LIMITS = {
  fileBytes: 1000,
  resultBytes: 1000,
  lineBytes: 100,
  headBytes: 100,
  tailBytes: 100,
  spillBytes: 1000,
  commandTimeoutMs: 1000,
  commandTimeoutMaxMs: 1000,
};

function emptyWorld(cwd: string, stack: readonly string[]): World {
  return {
    files: [],
    searched: [],
    diagnostics: [],
    projectRoot: null,
    cwd,
    stack,
    platform: { os: 'linux', shell: '/bin/bash', home: '/home' },
    git: null,
  };
}

/** The conversation as the model saw it in its n-th request (0-based), a line a message. */
export function conversation(model: ScriptedModel, request: number): string[] {
  return (model.requests[request]?.messages ?? []).map((message) => {
    const text = message.parts
      .map((part) =>
        part.type === 'text' ? part.text : part.type === 'call' ? `call ${part.name} ${part.arguments}` : part.type,
      )
      .join(' | ');
    const kind =
      message.role === 'user' ? message.from : message.role === 'tool' ? `tool ${message.status}` : 'assistant';
    return `${kind}: ${text}`;
  });
}
