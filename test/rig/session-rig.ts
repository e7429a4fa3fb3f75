import fc from 'fast-check';
import { createMemoryHost, type MemoryHost, type MemoryHostOptions } from '../../src/host/memory/index.ts';
import { deliveryFold, makePiece } from '../../src/instructions/index.ts';
import type { Event, EventBody, EventOf, Laid, Part, Piece, PieceKind } from '../../src/model/index.ts';
import { NO_USAGE } from '../../src/model/index.ts';
import {
  createSessionStore,
  type FoldSet,
  makeCheckpoint,
  type RequestFields,
  SESSION_FOLDS,
  type SessionInit,
  type SessionLog,
  type SessionStore,
} from '../../src/session/index.ts';

export const FOLDS: FoldSet = { ...SESSION_FOLDS, delivery: deliveryFold };
export const DIRECTORY = '/state/sessions';
export const INIT: SessionInit = { cwd: '/home/user/project', projectRoot: null, program: 'rein 0.1.0' };

export type SessionRig = { host: MemoryHost; store: SessionStore; begin(): Promise<SessionLog> };

/** A store on the in-memory machine. */
export function sessionRig(options: MemoryHostOptions = {}): SessionRig {
  const host = createMemoryHost(options);
  const store = createSessionStore({ host, directory: DIRECTORY, folds: FOLDS });
  return {
    host,
    store,
    async begin() {
      const log = store.create(INIT);
      await log.begin();
      return log;
    },
  };
}

export function memoryLog(): SessionLog {
  return sessionRig().store.create({ ...INIT, memoryOnly: true });
}

export const REQUEST: RequestFields = {
  purpose: 'turn',
  harness: 'rein',
  wire: 'chat',
  provider: 'test',
  model: 'small',
  system: [],
  tools: [],
};

export function pieceOf(id: string, text: string, kind: PieceKind = 'context-file'): Piece {
  return makePiece({ id, kind, origin: { type: 'session' }, placement: 'history', rule: 'a test', text });
}

export function laidOf(text: string, kind: PieceKind = 'context-file'): Laid {
  const path = kind === 'context-file' ? 'context-file:/a/AGENTS.md' : kind;
  return [
    { separator: '<note>\n' },
    { piece: pieceOf(path, text, kind), trigger: 'chain-changed' },
    { separator: '\n</note>' },
  ];
}

export function prompt(text: string): EventBody {
  return { type: 'prompt', text, from: 'user' };
}

/** A request and its answer. */
export function answer(
  log: SessionLog,
  parts: Part[],
  more: { purpose?: RequestFields['purpose']; partial?: true } = {},
): EventOf<'assistant'> {
  const { purpose = 'turn', ...rest } = more;
  const request = log.recordRequest({ ...REQUEST, purpose }, ['{', `"${log.recent().length}"`, '}']);
  const body: EventBody = {
    type: 'assistant',
    request: request.id,
    parts,
    stop: 'end',
    usage: { ...NO_USAGE, input: 10, output: 1 },
    ...rest,
  };
  return log.append(body) as EventOf<'assistant'>;
}

export function callPart(id: string): Part {
  return { type: 'call', id, name: 'read', arguments: `{"path":"${id}"}` };
}

export function resultOf(assistant: string, id: string): EventBody {
  return {
    type: 'tool-result',
    call: { assistant, id },
    tool: 'read',
    parts: [{ type: 'text', text: `result of ${id}` }],
    status: 'ok',
    observed: [],
  };
}

/** One thing that happens in a session; numbers choose among what is there at that moment. */
export type Step =
  | { do: 'prompt' | 'todos' | 'plan' | 'facet' | 'pin' | 'directory' | 'chain' | 'drop-media'; value: number }
  | { do: 'reminder'; kind: PieceKind; value: number; key: boolean }
  | { do: 'answer'; calls: number; text: boolean; partial: boolean; purpose: 'turn' | 'compaction' }
  | { do: 'result'; back: number; call: number; file: number }
  | { do: 'clear'; plan: boolean }
  | { do: 'compact'; keep: number; summary: boolean }
  | { do: 'rewind'; to: number };

const small = fc.nat({ max: 5 });

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('prompt' as const), value: small }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('todos', 'plan', 'facet', 'pin', 'directory', 'chain', 'drop-media'),
      value: small,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reminder' as const),
      kind: fc.constantFrom<PieceKind>('context-file', 'plan', 'skill', 'notice'),
      value: small,
      key: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      calls: fc.nat({ max: 3 }),
      text: fc.boolean(),
      partial: fc.boolean(),
      purpose: fc.constantFrom('turn', 'turn', 'turn', 'compaction'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('result' as const),
      back: fc.constantFrom(0, 0, 0, 0, 1),
      call: fc.nat({ max: 3 }),
      file: small,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), plan: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('compact' as const), keep: fc.nat({ max: 30 }), summary: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rewind' as const), to: fc.nat({ max: 30 }) }) },
);

/** Does it, where there is something to do it to. */
export function takeStep(log: SessionLog, step: Step): void {
  switch (step.do) {
    case 'answer':
      answer(log, partsOf(step), { purpose: step.purpose, ...(step.partial ? { partial: true as const } : {}) });
      return;
    case 'result': {
      const answers = log.branch().filter((event): event is EventOf<'assistant'> => event.type === 'assistant');
      const of = answers.at(-1 - step.back);
      if (of === undefined) return;
      log.append({ ...(resultOf(of.id, `c${step.call}`) as EventOf<'tool-result'>), ...seen(step.file) });
      return;
    }
    case 'rewind': {
      const events = log.branch();
      const target = events[step.to];
      log.append({ type: 'rewind', to: target?.id ?? null });
      return;
    }
    default:
      log.append(bodyOf(log, step));
  }
}

function partsOf(step: Extract<Step, { do: 'answer' }>): Part[] {
  const calls = Array.from({ length: step.calls }, (_, index) => callPart(`c${index}`));
  return [...(step.text ? [{ type: 'text' as const, text: 'said' }] : []), ...calls];
}

function seen(file: number): Pick<EventOf<'tool-result'>, 'observed'> {
  const observation = { size: file, mtimeMs: 1, sha256: `${file}`, how: 'read' as const, complete: true };
  return { observed: [{ ...observation, path: `/f${file % 3}`, decorated: false }] };
}

function bodyOf(log: SessionLog, step: Exclude<Step, { do: 'answer' | 'result' | 'rewind' }>): EventBody {
  switch (step.do) {
    case 'prompt':
      return step.value === 0
        ? ({ ...prompt('a picture'), parts: [{ type: 'media', sha256: 'm1', mime: 'image/png' }] } as EventBody)
        : prompt(`prompt ${step.value}`);
    case 'drop-media':
      return { type: 'media-dropped', sha256: ['m1'], why: 'the picture was left out' };
    case 'todos':
      return { type: 'todos', items: [{ id: `${step.value}`, title: 'a', status: 'pending' }] };
    case 'plan':
      return { type: 'plan', op: 'write', path: '/plan.md', text: `plan ${step.value}` };
    case 'facet':
      return { type: 'facet', from: null, to: `facet-${step.value}`, by: 'user' };
    case 'pin':
      return { type: 'pin', name: `pin-${step.value % 2}`, value: `${step.value}` };
    case 'directory':
      return { type: 'directory', stack: ['/home/user/project', `/d${step.value}`] };
    case 'chain':
      return { type: 'chain', paths: [`/a${step.value}/AGENTS.md`] };
    case 'reminder': {
      const layout = log.toLayout(laidOf(`text ${step.value}`, step.kind));
      return { type: 'reminder', reason: 'test', layout, ...(step.key ? { key: `k${step.value}` } : {}) };
    }
    case 'clear':
      return {
        type: 'clear',
        facet: null,
        plan: step.plan ? '/plan.md' : null,
        checkpoint: makeCheckpoint(log.state()),
      };
    case 'compact': {
      const events: readonly Event[] = log.branch();
      return {
        type: 'compaction',
        kind: 'text',
        why: 'manual',
        ...(step.summary ? { summary: log.toLayout(laidOf('what was before', 'summary')) } : {}),
        keptFrom: events.at(-1 - step.keep)?.id ?? 'nothing',
        todos: [],
        skills: [],
        files: [],
        checkpoint: makeCheckpoint(log.state()),
      };
    }
  }
}
