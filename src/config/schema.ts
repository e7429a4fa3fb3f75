import { WIRES } from '../model/index.ts';
import { PROVIDER_RULES } from './provider-rules.ts';

/** What a setting may hold. */
export type ValueType =
  | { type: 'text' }
  | { type: 'url' }
  | { type: 'word'; words: readonly string[] }
  | { type: 'integer'; min: number; max: number }
  | { type: 'flag' }
  /** A list without repetitions. */
  | { type: 'words'; words: readonly string[] }
  /** A header's value: text, or the variable that holds it. */
  | { type: 'header' }
  /** Names as programs have them. */
  | { type: 'names'; of: 'environment variables' | 'fields' }
  /** `example.lan`, `*.lan`, `127.0.0.1`, `[::1]`. */
  | { type: 'hosts' }
  /** Directories. */
  | { type: 'paths' }
  /** Permission rules: `write(docs/**)`. Lists of several sources add up. */
  | { type: 'rules' }
  /** An object of anything, for whoever owns it to judge. */
  | { type: 'free' };

export type Rule = {
  value: ValueType;
  /** For the user, in `docs/settings.md` and the JSON Schema: what it means, in one line without a full stop. */
  about: string;
  /**
   * Whether a project may set it although nobody said that the directory is trusted: only what neither runs nor
   * widens anything, and sends nothing elsewhere.
   */
  project: 'allowed' | 'trusted-only';
};

const TEXT: ValueType = { type: 'text' };
const URL: ValueType = { type: 'url' };
const WIRE: ValueType = { type: 'word', words: WIRES };
const COUNT: ValueType = { type: 'integer', min: 1, max: 1_000_000_000 };
const BYTES: ValueType = { type: 'integer', min: 0, max: 64 * 1024 * 1024 };
const TIME: ValueType = { type: 'integer', min: 1, max: 24 * 60 * 60 * 1000 };
const MODES: ValueType = { type: 'word', words: ['ask', 'read-only', 'accept-edits', 'yolo'] };

/** Every setting by its dotted key; `*` is a name of the user's own. */
export const RULES: Readonly<Record<string, Rule>> = {
  model: {
    value: TEXT,
    project: 'trusted-only',
    about: '`provider/model`; with `base_url` the whole is the model’s id',
  },
  base_url: { value: URL, project: 'trusted-only', about: 'an ad hoc model server, as with `--base-url`' },
  wire: { value: WIRE, project: 'trusted-only', about: 'the format of requests to `base_url`' },
  harness: { value: TEXT, project: 'allowed', about: 'whose rules for instruction files and prompts are followed' },
  effort: { value: TEXT, project: 'allowed', about: 'reasoning effort, as the model knows it' },
  facet: {
    value: TEXT,
    project: 'allowed',
    about: 'the facet that a session begins with; not chosen: the harness’s own. Harnesses without facets take none',
  },
  permission_mode: {
    value: MODES,
    project: 'trusted-only',
    about: 'what may be done without asking; not chosen: `read-only` in print mode',
  },
  'permissions.allow': {
    value: { type: 'rules' },
    project: 'trusted-only',
    about: 'rules for what may be done without asking',
  },
  'permissions.ask': {
    value: { type: 'rules' },
    project: 'allowed',
    about: 'rules for what is asked about in every mode',
  },
  'permissions.deny': { value: { type: 'rules' }, project: 'allowed', about: 'rules for what is never done' },
  max_turns: { value: COUNT, project: 'trusted-only', about: 'most model requests in one turn; not chosen: no limit' },
  'instructions.max_file_bytes': {
    value: BYTES,
    project: 'allowed',
    about: 'the largest instruction file whose text is sent; not chosen: the harness’s own limit',
  },
  'harnesses.*': {
    value: { type: 'free' },
    project: 'allowed',
    about: 'settings of one harness, by its name; see its page',
  },
  harness_guidance: {
    value: { type: 'flag' },
    project: 'allowed',
    about:
      'whether a harness adds what it has to say on how to work beside its prompt (only `kimi-cli` has such a text)',
  },
  'compaction.automatic': {
    value: { type: 'flag' },
    project: 'allowed',
    about: 'whether a conversation that fills the model’s window is made shorter unasked',
  },
  'compaction.threshold_percent': {
    value: { type: 'integer', min: 1, max: 100 },
    project: 'allowed',
    about: 'how full the window is when that happens; not chosen: 85',
  },
  'compaction.keep_tokens': {
    value: COUNT,
    project: 'allowed',
    about: 'most tokens of the newest part that stay word for word; not chosen: the harness’s own measure',
  },
  'shell.timeout_ms': {
    value: TIME,
    project: 'trusted-only',
    about: 'how long a command may run where the model does not say, milliseconds; not chosen: two minutes',
  },
  'shell.env_pass': {
    value: { type: 'names', of: 'environment variables' },
    project: 'trusted-only',
    about: 'environment variables that commands get although they look like secrets',
  },
  mini_model: {
    value: TEXT,
    project: 'trusted-only',
    about: '`provider/model` for light work: what `default_model:mini` means; not chosen: the session’s own model',
  },
  'tasks.max_commands': {
    value: { type: 'integer', min: 1, max: 64 },
    project: 'trusted-only',
    about: 'most commands that run in the background at once, in one session',
  },
  'tasks.wait_ms': {
    value: { type: 'integer', min: 0, max: 24 * 60 * 60 * 1000 },
    project: 'allowed',
    about: 'how long print mode waits for what still runs in the background when the model is done, milliseconds',
  },
  'tasks.on_exit': {
    value: { type: 'word', words: ['stop', 'keep'] },
    project: 'trusted-only',
    about: 'whether commands in the background end with the program or go on; resuming the session finds them again',
  },
  'tasks.wake': {
    value: { type: 'flag' },
    project: 'allowed',
    about: 'whether the model is told at once of what has ended in the background while nothing else is done',
  },
  'subagents.max_running': {
    value: { type: 'integer', min: 1, max: 64 },
    project: 'trusted-only',
    about: 'most subagents that run at once, of all levels',
  },
  'subagents.max_depth': {
    value: { type: 'integer', min: 0, max: 8 },
    project: 'trusted-only',
    about: 'how many levels deep subagents may start subagents; 0: none are started',
  },
  'plans.handoff': {
    value: { type: 'word', words: ['ask', 'new-context', 'current-context'] },
    project: 'trusted-only',
    about: 'what is answered to a plan that is handed over: a person is asked, or it is carried out at once',
  },
  'notices.session_resumed': {
    value: { type: 'flag' },
    project: 'allowed',
    about: 'whether the model is told that a session was taken up again, and how long it rested',
  },
  'notices.directory_changed': {
    value: { type: 'flag' },
    project: 'allowed',
    about: 'whether it is told when you enter or leave a directory',
  },
  'notices.task_tracking': {
    value: { type: 'flag' },
    project: 'allowed',
    about: 'whether it is reminded of its todos, or to write some, in work of many steps',
  },
  'notices.context_pressure': {
    value: { type: 'flag' },
    project: 'allowed',
    about: 'whether it is told once that its window fills',
  },
  'skills.extra_dirs': {
    value: { type: 'paths' },
    project: 'trusted-only',
    about: 'more directories of skills, for harnesses with a scope for them (`kimi-cli`)',
  },
  'web.search_url': {
    value: URL,
    project: 'trusted-only',
    about: 'a service that the web is searched with; not chosen: no tool that searches it is offered',
  },
  'web.search_key_env': {
    value: TEXT,
    project: 'trusted-only',
    about: 'the environment variable that holds its key; never the key itself',
  },
  'web.allow_private_hosts': {
    value: { type: 'hosts' },
    project: 'trusted-only',
    about: 'hosts that pages may be fetched from although they are this machine or of a private network',
  },
  ...PROVIDER_RULES,
};

const PATTERNS = Object.entries(RULES).map(([key, rule]) => ({ segments: key.split('.'), rule }));

/**
 * What the schema knows of a path: a value's rule (below a free object, the object's), a group with the names that may
 * follow (none listed where the user chooses them), or nothing.
 */
export type Known = { rule: Rule } | { names: readonly string[] } | null;

export function lookUp(path: readonly string[]): Known {
  const names = new Set<string>();
  let isGroup = false;
  for (const { segments, rule } of PATTERNS) {
    const isFree = rule.value.type === 'free';
    const shared = segments.slice(0, path.length);
    if (!shared.every((segment, index) => segment === '*' || segment === path[index])) continue;
    if (segments.length === path.length || (isFree && segments.length < path.length)) return { rule };
    if (segments.length < path.length) continue;
    isGroup = true;
    const next = segments[path.length];
    if (next !== undefined && next !== '*') names.add(next);
  }
  return isGroup ? { names: [...names] } : null;
}

/** Of what stands below a free object: it names a file whose text is sent, anywhere on the disk. */
const NAMES_A_FILE = ['harnesses', '*', 'template'];

/** Whether a project's file may set this without a person's yes. */
export function isHarmless(path: readonly string[]): boolean {
  const known = lookUp(path);
  const isFile =
    path.length === NAMES_A_FILE.length && NAMES_A_FILE.every((name, at) => name === '*' || name === path[at]);
  return known !== null && 'rule' in known && known.rule.project === 'allowed' && !isFile;
}

/** What is in force where nobody says otherwise. */
export const DEFAULTS: readonly (readonly [path: readonly string[], value: unknown])[] = [
  [['model'], null],
  [['base_url'], null],
  [['wire'], null],
  [['harness'], 'rein'],
  [['harness_guidance'], true],
  [['effort'], null],
  [['facet'], null],
  [['permission_mode'], null],
  [['permissions', 'allow'], []],
  [['permissions', 'ask'], []],
  [['permissions', 'deny'], []],
  [['max_turns'], null],
  [['instructions', 'max_file_bytes'], null],
  [['compaction', 'automatic'], true],
  [['compaction', 'threshold_percent'], null],
  [['compaction', 'keep_tokens'], null],
  [['shell', 'timeout_ms'], null],
  [['shell', 'env_pass'], []],
  [['mini_model'], null],
  [['tasks', 'max_commands'], 8],
  [['tasks', 'wait_ms'], 600_000],
  [['tasks', 'on_exit'], 'stop'],
  [['tasks', 'wake'], true],
  [['subagents', 'max_running'], 8],
  [['subagents', 'max_depth'], 3],
  [['plans', 'handoff'], 'ask'],
  [['notices', 'session_resumed'], true],
  [['notices', 'directory_changed'], true],
  [['notices', 'task_tracking'], true],
  [['notices', 'context_pressure'], true],
  [['skills', 'extra_dirs'], []],
  [['web', 'allow_private_hosts'], []],
  [['web', 'search_url'], null],
  [['web', 'search_key_env'], null],
];
