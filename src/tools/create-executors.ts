import { resolve } from 'node:path';
import type {
  AgentArgs,
  AgentValue,
  AnyExecutor,
  AskArgs,
  AskValue,
  DirectoryValue,
  EditArgs,
  EditPlanArgs,
  EditValue,
  Executor,
  ExitArgs,
  ExitValue,
  FetchArgs,
  FetchValue,
  GlobArgs,
  GlobValue,
  GrepArgs,
  GrepValue,
  HandoffArgs,
  HandoffValue,
  JobsArgs,
  JobsValue,
  MessageArgs,
  MessageValue,
  PlanModeArgs,
  PlanModeValue,
  PlanValue,
  PopdArgs,
  PushdArgs,
  ReadArgs,
  ReadValue,
  SearchWebArgs,
  SearchWebValue,
  ShellArgs,
  ShellValue,
  StartArgs,
  StartValue,
  TodoArgs,
  TodoValue,
  WriteArgs,
  WritePlanArgs,
  WriteValue,
} from './contract/index.ts';
import { PathQueue } from './files/path-queue.ts';
import { patternBase } from './search/search-root.ts';
import { hostOfAddress } from './web/address.ts';
import type { SearchBackend } from './web/search-web.ts';

export type ExecutorOptions = {
  /** Hosts that `fetch` may reach although they are of this machine or a private network; `*.NAME`: all below it. */
  allowPrivateHosts?: readonly string[];
  /** Where the web is searched; absent: nowhere. */
  search?: SearchBackend;
};

/**
 * The engine's tools by name. What a tool does is loaded when it first runs. One set may serve several sessions:
 * it remembers nothing between calls, and lets changes of one file wait for each other.
 */
export function createExecutors({
  allowPrivateHosts = [],
  search,
}: ExecutorOptions = {}): ReadonlyMap<string, AnyExecutor> {
  const queue = new PathQueue();
  const read: Executor<ReadArgs, ReadValue> = {
    name: 'read',
    effect: 'read',
    subjects: ({ path }, cwd) => [{ type: 'path', path: resolve(cwd, path), access: 'read' }],
    run: async (args, context) => (await import('./files/read-file.ts')).readFile(args, context),
  };
  const edit: Executor<EditArgs, EditValue> = {
    name: 'edit',
    effect: 'write',
    subjects: ({ path }, cwd) => [{ type: 'path', path: resolve(cwd, path), access: 'write' }],
    run: async (args, context) => (await import('./files/edit-file.ts')).editFile(args, context, queue),
  };
  const write: Executor<WriteArgs, WriteValue> = {
    name: 'write',
    effect: 'write',
    subjects: ({ path }, cwd) => [{ type: 'path', path: resolve(cwd, path), access: 'write' }],
    run: async (args, context) => (await import('./files/write-file.ts')).writeFile(args, context, queue),
  };
  const shell: Executor<ShellArgs, ShellValue> = {
    name: 'shell',
    effect: 'execute',
    subjects: ({ command }) => [{ type: 'command', command }],
    run: async (args, context) => (await import('./shell/run-command.ts')).runCommand(args, context),
  };
  const fetch: Executor<FetchArgs, FetchValue> = {
    name: 'fetch',
    effect: 'network',
    subjects({ url }) {
      const host = hostOfAddress(url);
      return host === null ? [] : [{ type: 'host', host }];
    },
    run: async (args, context) => (await import('./web/fetch-page.ts')).fetchPage(args, context, allowPrivateHosts),
  };
  const searchWeb: Executor<SearchWebArgs, SearchWebValue> = {
    name: 'search_web',
    effect: 'network',
    subjects() {
      const host = search === undefined ? null : hostOfAddress(search.url);
      return host === null ? [] : [{ type: 'host', host }];
    },
    run: async (args, context) => (await import('./web/search-web.ts')).searchWeb(args, context, search ?? null),
  };
  const all: readonly AnyExecutor[] = [
    ...[read, edit, write, shell, GLOB, GREP, TODO, ASK, PUSHD, POPD, fetch, searchWeb],
    ...[WRITE_PLAN, EDIT_PLAN, PLAN_MODE, HANDOFF, START, JOBS, AGENT, MESSAGE, EXIT],
  ];
  return new Map(all.map((executor) => [executor.name, executor]));
}

const GLOB: Executor<GlobArgs, GlobValue> = {
  name: 'glob',
  effect: 'read',
  // A pattern without such a place is refused when it runs.
  subjects: ({ pattern, path, paths }, cwd) =>
    (paths ?? [path]).map((root) => ({
      type: 'path',
      path: patternBase(pattern, root, cwd) ?? cwd,
      access: 'read',
    })),
  run: async (args, context) => (await import('./search/many-roots.ts')).globRoots(args, context),
};

const GREP: Executor<GrepArgs, GrepValue> = {
  name: 'grep',
  effect: 'read',
  subjects: ({ path = '.', paths = [path] }, cwd) =>
    paths.map((root) => ({ type: 'path', path: resolve(cwd, root), access: 'read' })),
  run: async (args, context) => (await import('./search/many-roots.ts')).grepRoots(args, context),
};

const TODO: Executor<TodoArgs, TodoValue> = {
  name: 'todo',
  inTurn: 'todos',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./todo/run-todo.ts')).runTodo(args, context),
};

const ASK: Executor<AskArgs, AskValue> = {
  name: 'ask',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./ask/ask-questions.ts')).askQuestions(args, context),
};

const PUSHD: Executor<PushdArgs, DirectoryValue> = {
  name: 'pushd',
  inTurn: 'directories',
  effect: 'read',
  subjects: ({ path }, cwd) => [{ type: 'path', path: resolve(cwd, path), access: 'read' }],
  run: async (args, context) => (await import('./directory/change-directory.ts')).pushDirectory(args, context),
};

const POPD: Executor<PopdArgs, DirectoryValue> = {
  name: 'popd',
  inTurn: 'directories',
  effect: 'none',
  subjects: () => [],
  run: async (_args, context) => (await import('./directory/change-directory.ts')).popDirectory(context),
};

const WRITE_PLAN: Executor<WritePlanArgs, PlanValue> = {
  name: 'write_plan',
  inTurn: 'plan',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./plan/change-plan.ts')).writePlan(args, context),
};

const EDIT_PLAN: Executor<EditPlanArgs, PlanValue> = {
  name: 'edit_plan',
  inTurn: 'plan',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./plan/change-plan.ts')).editPlan(args, context),
};

const PLAN_MODE: Executor<PlanModeArgs, PlanModeValue> = {
  name: 'plan_mode',
  inTurn: 'plan',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./plan/plan-mode.ts')).changePlanMode(args, context),
};

const HANDOFF: Executor<HandoffArgs, HandoffValue> = {
  name: 'handoff',
  inTurn: 'plan',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./plan/hand-over-plan.ts')).handOverPlan(args, context),
};

const START: Executor<StartArgs, StartValue> = {
  name: 'start',
  inTurn: 'tasks',
  effect: 'execute',
  subjects: ({ command }) => [{ type: 'command', command }],
  run: async (args, context) => (await import('./background/start-command.ts')).startCommand(args, context),
};

const JOBS: Executor<JobsArgs, JobsValue> = {
  name: 'jobs',
  // A list shows what the calls before it in the same answer have started.
  inTurn: 'tasks',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./background/run-jobs.ts')).runJobs(args, context),
};

const AGENT: Executor<AgentArgs, AgentValue> = {
  name: 'agent',
  effect: 'none',
  // It begins there, as after entering that directory.
  subjects: ({ cwd: given }, cwd) =>
    given === undefined ? [] : [{ type: 'path', path: resolve(cwd, given), access: 'read' }],
  run: async (args, context) => (await import('./subagent/start-agent.ts')).startAgent(args, context),
};

const MESSAGE: Executor<MessageArgs, MessageValue> = {
  name: 'message',
  effect: 'none',
  subjects: () => [],
  run: async (args, context) => (await import('./subagent/start-agent.ts')).messageAgent(args, context),
};

const EXIT: Executor<ExitArgs, ExitValue> = {
  name: 'exit',
  effect: 'none',
  subjects: () => [],
  run: async (args) => (await import('./subagent/give-result.ts')).giveResult(args),
};
