// The one description of the command line: parsing, help, completion and the check of docs/cli.md read it. Data only,
// since `--version` and `--help` load nothing else.

export type OptionSpec = {
  name: string;
  short?: string;
  /** What its value is called in help; absent: it takes none. */
  value?: string;
  /** The words that are accepted, where the list is closed. */
  words?: readonly string[];
  /** What a shell offers for its value where the list is not closed. */
  completes?: 'file' | 'directory' | 'harness' | 'model' | 'effort' | 'setting';
  /** May be given more than once, in order. The others: the last one counts. */
  repeats?: true;
  help: string;
};

export type CommandSpec = {
  /** Empty: no command word. */
  name: string;
  usage: readonly string[];
  summary: string;
  /** Names of OPTIONS. */
  options: readonly string[];
  /** Most arguments it takes. */
  arguments: number;
  /** What its first argument may be, where the list is closed. */
  words?: readonly string[];
  /** What a shell offers for the arguments after that. */
  completes?: 'file';
};

export const OPTIONS: readonly OptionSpec[] = [
  { name: 'print', short: 'p', help: 'headless: run one prompt to its end, the answer on stdout' },
  {
    name: 'harness',
    value: 'NAME',
    completes: 'harness',
    help: 'whose rules for instruction files and prompts are followed',
  },
  {
    name: 'model',
    value: 'PROVIDER/MODEL',
    completes: 'model',
    help: 'split at the first "/"; with --base-url the whole is the model id; rehearsal/FILE plays a script',
  },
  { name: 'base-url', value: 'URL', help: 'an ad hoc provider; its key comes from REIN_API_KEY' },
  {
    name: 'wire',
    value: 'WIRE',
    words: ['chat', 'responses', 'messages'],
    help: 'the format of model requests; this version has chat',
  },
  {
    name: 'effort',
    value: 'WORD',
    completes: 'effort',
    help: 'reasoning effort, as the model knows it: low, medium, high, …',
  },
  { name: 'facet', value: 'NAME', help: 'the facet to begin with, or to go on in; of harnesses that have facets' },
  {
    name: 'handoff',
    value: 'WHERE',
    words: ['new-context', 'current-context'],
    help: 'carry out plans that are handed over without asking: in a context of their own, or in the current one',
  },
  { name: 'cwd', short: 'C', value: 'DIR', completes: 'directory', help: 'the working directory' },
  {
    name: 'config',
    short: 'c',
    value: 'KEY=VALUE',
    completes: 'setting',
    repeats: true,
    help: 'one setting for this run; dotted keys; VALUE is JSON, else a string',
  },
  { name: 'continue', help: 'go on with the newest session of this directory' },
  { name: 'resume', value: 'ID', help: 'go on with that session, named by its id or the beginning of it' },
  { name: 'fork', value: 'ID', help: 'go on with a copy of that session' },
  { name: 'no-session', help: 'keep no log' },
  {
    name: 'output',
    value: 'FORMAT',
    words: ['text', 'json', 'stream-json'],
    help: 'text (default), json: one object at the end, stream-json: every event on a line',
  },
  {
    name: 'input',
    value: 'FORMAT',
    words: ['text', 'stream-json'],
    help: 'text (default), stream-json: a command on each line of stdin',
  },
  {
    name: 'permission-mode',
    value: 'MODE',
    words: ['ask', 'read-only', 'accept-edits', 'yolo'],
    help: 'ask, read-only (default in print mode), accept-edits or yolo',
  },
  {
    name: 'trust',
    help: 'for this run: let this project’s settings run and widen what they say, and its files lead out of it',
  },
  { name: 'tools', value: 'LIST', help: 'narrow the tools to these, separated by commas' },
  { name: 'system-prompt', value: 'TEXT', help: 'replaces the shipped base of the system prompt, for this run' },
  { name: 'system-prompt-file', value: 'FILE', completes: 'file', help: 'the same from a file' },
  {
    name: 'append-system-prompt',
    value: 'TEXT',
    repeats: true,
    help: 'added to the system prompt, for this run; in order with the next',
  },
  { name: 'append-system-prompt-file', value: 'FILE', completes: 'file', repeats: true, help: 'the same from a file' },
  { name: 'max-turns', value: 'N', help: 'stop after N model requests' },
  { name: 'json', help: 'the whole report as JSON' },
  { name: 'body', help: 'the exact HTTP body of the request' },
  { name: 'prompt', value: 'TEXT', help: 'the user message of the previewed request (default: hello)' },
  { name: 'session', value: 'ID', help: 'a stored session, by its id or the beginning of it' },
  { name: 'request', value: 'N', help: 'with --session: what its N-th request was sent, from 1' },
  { name: 'diff', help: 'compare A and B: two harnesses, or with --session two requests' },
  { name: 'all', help: 'the sessions of all directories' },
  {
    name: 'format',
    value: 'FORMAT',
    words: ['markdown', 'html'],
    help: 'markdown (default) or html; without it the ending of --out FILE decides',
  },
  { name: 'out', value: 'FILE', completes: 'file', help: 'write to FILE, not to stdout' },
  { name: 'online', help: 'also ask the model server, once and for at most 3 seconds' },
  { name: 'port', value: 'N', help: 'the port on loopback (default: a free one)' },
  { name: 'user', help: 'your own files, for all projects, in place of the project’s' },
  { name: 'keep', help: 'leave the temporary directory in place' },
  { name: 'help', short: 'h', help: 'this help' },
  { name: 'version', short: 'V', help: 'the version' },
];

/** What sets a setting, or says where settings are looked for. */
const SETTING_OPTIONS = [
  'harness',
  'model',
  'base-url',
  'wire',
  'effort',
  'facet',
  'handoff',
  'cwd',
  'config',
  'permission-mode',
  'trust',
] as const;

/** What a preview and a run have in common. */
const AGENT_OPTIONS = [
  ...SETTING_OPTIONS,
  'tools',
  'system-prompt',
  'system-prompt-file',
  'append-system-prompt',
  'append-system-prompt-file',
] as const;

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: '',
    usage: ['rein -p [OPTIONS] [PROMPT]', '… | rein -p [OPTIONS] [PROMPT]', 'rein -p --input stream-json [OPTIONS]'],
    summary: 'runs the agent on one prompt (piped text is added to it; PROMPT "-" waits for it)',
    options: [
      'print',
      ...AGENT_OPTIONS,
      'continue',
      'resume',
      'fork',
      'no-session',
      'output',
      'input',
      'max-turns',
      'help',
      'version',
    ],
    arguments: 1,
  },
  {
    name: 'context',
    usage: [
      'rein context [--json | --body] [OPTIONS]',
      'rein context --session ID [--request N] [--json | --body]',
      'rein context --diff A B [--session ID] [--json]',
    ],
    summary: 'what the model would be sent now, with the file and rule of each piece; calls no model, writes nothing',
    options: ['json', 'body', 'prompt', 'session', 'request', 'diff', ...AGENT_OPTIONS, 'help'],
    arguments: 2,
  },
  {
    name: 'sessions',
    usage: [
      'rein sessions [list] [--all] [--json] [WORD …]',
      'rein sessions show ID [--json]',
      'rein sessions export ID [--format markdown | html] [--out FILE]',
      'rein sessions fork ID',
      'rein sessions delete ID …',
    ],
    summary: 'stored sessions: find, read, copy, export, delete; an ID may be the beginning that only one has',
    options: ['all', 'json', 'format', 'out', 'cwd', 'help'],
    arguments: 1000,
    words: ['list', 'show', 'export', 'fork', 'delete'],
  },
  {
    name: 'config',
    usage: ['rein config [show] [--json] [OPTIONS]', 'rein config path [--json]', 'rein config schema'],
    summary: 'the settings in force, each with where it comes from; their files; their JSON Schema',
    options: ['json', ...SETTING_OPTIONS, 'help'],
    arguments: 1,
    words: ['show', 'path', 'schema'],
  },
  {
    name: 'doctor',
    usage: ['rein doctor [--online] [--json] [OPTIONS]'],
    summary: 'what was found on this machine, and what keeps a run from working; exit code 1 when something does',
    options: ['online', 'json', ...SETTING_OPTIONS, 'help'],
    arguments: 0,
  },
  {
    name: 'models',
    usage: ['rein models [SEARCH] [--json] [OPTIONS]'],
    summary: 'the models that can be used, as their servers list them; SEARCH is a part of the name',
    options: ['json', ...SETTING_OPTIONS, 'help'],
    arguments: 1,
  },
  {
    name: 'harnesses',
    usage: ['rein harnesses [--json]'],
    summary: 'the harnesses that can be chosen, and what each does',
    options: ['json', 'help'],
    arguments: 0,
  },
  {
    name: 'trust',
    usage: ['rein trust [-C DIR]'],
    summary:
      'trusts this project with its settings as they are now; a change of what they run or widen is asked about again',
    options: ['cwd', 'help'],
    arguments: 0,
  },
  {
    name: 'validate',
    usage: ['rein validate facet | subagent | skill FILE [--json] [OPTIONS]'],
    summary: 'checks a file that describes a facet, a subagent or a skill; exit code 1 on an error',
    options: ['json', 'harness', 'config', 'cwd', 'help'],
    arguments: 2,
    words: ['facet', 'subagent', 'skill'],
    completes: 'file',
  },
  {
    name: 'init',
    usage: ['rein init [--user] [-C DIR]'],
    summary: 'writes a first set of instruction files, each explained in itself; overwrites nothing',
    options: ['user', 'cwd', 'help'],
    arguments: 0,
  },
  {
    name: 'vfs',
    usage: ['rein vfs ls [URI] [--json] [OPTIONS]', 'rein vfs cat URI [OPTIONS]'],
    summary: 'the texts that a harness ships, by URI: to read, and to begin a text of your own with',
    options: ['json', 'harness', 'config', 'cwd', 'help'],
    arguments: 2,
    words: ['ls', 'cat'],
  },
  {
    name: 'rehearsal',
    usage: ['rein rehearsal serve FILE [--wire chat] [--port N]'],
    summary: 'plays a scripted model as a server on loopback',
    options: ['wire', 'port', 'help'],
    arguments: 2,
    words: ['serve'],
    completes: 'file',
  },
  {
    name: 'demo',
    usage: ['rein demo [--keep]'],
    summary: 'a sample repository, a scripted model, the real loop; needs no key and no network',
    options: ['keep', 'help'],
    arguments: 0,
  },
  {
    name: 'completion',
    usage: ['rein completion bash | zsh | fish'],
    summary: 'a script with which a shell completes the commands, options and words of this program',
    options: ['help'],
    arguments: 1,
    words: ['bash', 'zsh', 'fish'],
  },
];

/** Promised for later: named, so that a call says so instead of taking the word for a prompt. */
export const COMMANDS_NOT_BUILT: readonly string[] = ['lint', 'auth', 'acp', 'inspect'];
