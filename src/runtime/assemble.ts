import {
  type ActiveModel,
  type AgentParts,
  AgentSession,
  type ChildLogs,
  WishedModels,
  wireError,
} from '../agent/index.ts';
import { type Diagnostic, formatDiagnostic, UsageError } from '../base/index.ts';
import { configHome, type LoadedConfig, type Settings, toldClock, userHome } from '../config/index.ts';
import { createDiscovery } from '../discovery/index.ts';
import type { Harness } from '../harness/contract/index.ts';
import { DEFAULT_HARNESS, findHarness } from '../harness/index.ts';
import type { HostPorts } from '../host/index.ts';
import { type HarnessSettings, type PromptFlags, workingDirectory } from '../model/index.ts';
import type { SessionLog, SessionStore } from '../session/index.ts';
import { askedWire, chooseModel, type ModelRequest } from './choose-model.ts';
import { type Location, locate } from './locate.ts';
import { knownTools } from './offered-tools.ts';
import { openSession, resolveSession, resumeDiagnostics, sessionStore } from './open-session.ts';
import type { AgentOptions } from './options.ts';
import { permissionMode, permissionParts } from './permission-parts.ts';
import { resolvePromptTexts } from './prompt-texts.ts';
import { readConfig } from './read-config.ts';
import { sessionModel } from './session-model.ts';
import { skillDirs } from './skill-dirs.ts';
import { createTemplates } from './templates.ts';
import { isTrusted } from './trust-store.ts';
import { PROGRAM } from './version.ts';

export type Assembled = {
  session: AgentSession;
  parts: AgentParts;
  location: Location;
  config: LoadedConfig;
  store: SessionStore;
};

/** `sends: false` builds the same graph for a preview: no model, no key and no lock are needed. */
export type AssembleMode = { sends: boolean };

/**
 * Builds the object graph from the options, the environment and the settings. Nothing is written yet. Throws
 * UsageError for what a person can put right, SessionError for a session that cannot be had.
 */
export async function assemble(options: AgentOptions, host: HostPorts, mode: AssembleMode): Promise<Assembled> {
  const location = await locate(host, options.cwd);
  const config = await readConfig(options, host, location);
  if (mode.sends) refuseBroken(config.diagnostics);
  const prompts = await readPrompts(options, host, location);
  const store = sessionStore(host);
  const log = await openLog(store, options, location, mode);
  try {
    const trusted = await isTrusted(options, host, config);
    const parts = await assembleParts({
      options,
      host,
      mode,
      location,
      config,
      log,
      store,
      flags: prompts.flags,
      trusted,
    });
    parts.diagnostics = [
      ...config.diagnostics,
      ...prompts.diagnostics,
      ...(await resumeDiagnostics(log, location, hasTexts(prompts.flags), host.files)),
    ];
    return { session: new AgentSession(parts), parts, location, config, store };
  } catch (error) {
    await log.close();
    throw error;
  }
}

function hasTexts({ replace, append }: PromptFlags): boolean {
  return replace !== null || append.length > 0;
}

/**
 * A run under settings that could not be read as they were meant may do what they forbid. Previews and reports go on
 * and show the faults.
 */
function refuseBroken(diagnostics: readonly Diagnostic[]): void {
  const [first, ...rest] = diagnostics.filter(({ severity }) => severity === 'error');
  if (first === undefined) return;
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more: rein doctor lists them)`;
  throw new UsageError('config/broken-settings', `${formatDiagnostic(first)}${more}`, {
    data: { diagnostics: [first, ...rest] },
  });
}

function readPrompts(
  options: AgentOptions,
  host: HostPorts,
  { cwd }: Location,
): Promise<{ flags: PromptFlags; diagnostics: Diagnostic[] }> {
  const given = { replace: options.systemPrompt ?? null, append: options.appendSystemPrompts ?? [] };
  return resolvePromptTexts(given, host.files, { cwd, home: userHome(host.env) });
}

async function openLog(
  store: SessionStore,
  options: AgentOptions,
  location: Location,
  mode: AssembleMode,
): Promise<SessionLog> {
  const choice = options.session ?? { type: 'new' };
  if (mode.sends || choice.type === 'new' || choice.type === 'none') return openSession(store, choice, location);
  if (choice.type === 'continue') {
    const newest = await store.newest(location.cwd);
    if (newest === null) return openSession(store, choice, location);
    return store.read(newest.id);
  }
  return store.read(await resolveSession(store, choice.id, location.cwd));
}

type Ingredients = {
  options: AgentOptions;
  host: HostPorts;
  mode: AssembleMode;
  location: Location;
  config: LoadedConfig;
  log: SessionLog;
  store: SessionStore;
  flags: PromptFlags;
  trusted: boolean;
};

async function assembleParts(given: Ingredients): Promise<AgentParts> {
  const { options, host, mode, config, log } = given;
  const { settings } = config;
  const chosen = log.state().choices;
  const harness = await findHarness(chosenOr(given, 'harness', chosen.harness) ?? DEFAULT_HARNESS);
  refuseWire(harness, settings);
  if (mode.sends) warmTemplates(host, harness, chosenOr(given, 'facet', chosen.facet));
  const request = { settings, host, cwd: given.location.cwd, sends: mode.sends };
  const model = await chosenModel(given, request);
  const { files, env, clock } = host;
  const world = createDiscovery({ files, env, clock, trusted: given.trusted });
  const known = (names: readonly string[], of: Harness): Promise<readonly string[]> =>
    knownTools(names, { harness: of, settings: harnessSettings(of.name, given), session: log.state(), world });
  const parts: AgentParts = {
    host,
    clock: toldClock(host.clock, host.env, host.files),
    harness,
    settings: (name) => harnessSettings(name, given),
    world,
    templates: createTemplates(host.templates),
    model,
    effort: chosenOr(given, 'effort', chosen.effort),
    facet: facetOfThisRun(given, harness),
    wished: new WishedModels(),
    log,
    ...permissionParts({ options, host, config, location: given.location, log }),
    fitImage: async (bytes) => (await import('../media/index.ts')).fitImage(bytes),
    onlyTools: options.tools === undefined ? null : await known(options.tools, harness),
    maxRequests: settings.max_turns,
    diagnostics: [],
    children: childLogs(given.store, log),
    crew: {
      running: 0,
      most: settings.subagents.max_running,
      deepest: settings.subagents.max_depth,
      grant: (rule) => log.note({ type: 'grant', rule, for: 'session' }),
    },
    depth: 0,
    modelGiven: false,
    beside: {
      commands: settings.tasks.max_commands,
      keep: settings.tasks.on_exit === 'keep',
      wake: settings.tasks.wake,
    },
    handoff: settings.plans.handoff === 'ask' ? null : settings.plans.handoff,
    copySession: (at) => copySession(given.store, log, at),
    choose: {
      harness: findHarness,
      model: (name) => chooseModel(name, request),
      permissionMode,
      tools: known,
    },
  };
  const error = wireError(parts);
  if (error !== null) throw new UsageError('harness/wire-not-accepted', error);
  return parts;
}

type ChoiceKey = 'harness' | 'model' | 'effort' | 'facet';

/** A flag, `-c` or variable decides; without one the session's own last choice; then the settings' files. */
function chosenOr(given: Ingredients, key: ChoiceKey, fromSession: string | null): string | null {
  const { settings } = given.config;
  return isForThisRun(given, key) ? settings[key] : (fromSession ?? settings[key]);
}

function isForThisRun({ config }: Ingredients, key: ChoiceKey): boolean {
  const origin = config.origins[key]?.from;
  return origin === 'flag' || origin === '-c' || origin === 'environment';
}

/** The one that was given for this run; the settings' files only say what a session begins with. */
function facetOfThisRun(given: Ingredients, { name, facets }: Harness): string | null {
  if (!isForThisRun(given, 'facet')) return null;
  if (facets !== undefined) return given.config.settings.facet;
  throw new UsageError('facet/none', `harness "${name}" has no facets`, { data: { harness: name } });
}

async function chosenModel(given: Ingredients, request: ModelRequest): Promise<ActiveModel> {
  const stored = given.log.state().choices.model;
  if (stored === null || isForThisRun(given, 'model')) return chooseModel(given.config.settings.model, request);
  const { name, baseUrl } = sessionModel(stored, request.settings, request.sends);
  return chooseModel(name, { ...request, settings: { ...request.settings, base_url: baseUrl } });
}

/** Beside the caller's: kept where that is kept. */
function childLogs(store: SessionStore, { header, path }: SessionLog): ChildLogs {
  const { projectRoot } = header;
  return {
    create: (spawnedBy, cwd) =>
      store.create({ cwd, projectRoot, program: PROGRAM, kind: 'subagent', spawnedBy, memoryOnly: path === null }),
    fork: (session, spawnedBy) => store.fork(session, undefined, { kind: 'subagent', spawnedBy }),
    open: (session) => store.open(session),
  };
}

/** The copy is nobody's: whoever wants to go on in it opens it. */
async function copySession(store: SessionStore, log: SessionLog, at: string | null): Promise<string> {
  const copy = await store.fork(log.id, at ?? undefined);
  await copy.close();
  return copy.id;
}

/** A facet of the user's own will probably need the engine: it starts while the rest is put together. */
function warmTemplates({ templates }: HostPorts, { resources = {} }: Harness, facet: string | null): void {
  const isShipped = (name: string): boolean => Object.keys(resources).some((uri) => uri.endsWith(`/facets/${name}.md`));
  if (facet !== null && !isShipped(facet)) templates.prepare();
}

/** A wire that was asked for by name is judged by the harness first: the message is the harness's. */
function refuseWire(harness: Harness, settings: Settings): void {
  const wire = askedWire(settings);
  if (wire === null) return;
  const rule = harness.wires[wire];
  if (!rule.accepted)
    throw new UsageError('harness/wire-not-accepted', rule.error, { data: { wire, harness: harness.name } });
}

function harnessSettings(name: string, given: Ingredients): HarnessSettings {
  const { host, config, flags, log, options, trusted } = given;
  const { harnesses, instructions, shell, facet, compaction, notices, mini_model: miniModel } = config.settings;
  const { automatic, threshold_percent: percent, keep_tokens: keepTokens } = compaction;
  const testTime = host.env.get('OPENINTERPRETER_TEST_TIME');
  const cap = instructions.max_file_bytes === null ? {} : { max_file_bytes: instructions.max_file_bytes };
  return {
    configHome: configHome(host.env),
    home: userHome(host.env),
    cwd: workingDirectory(log.state()),
    flags,
    own: { ...cap, ...(Object.hasOwn(harnesses, name) ? harnesses[name] : {}) },
    ...(shell.timeout_ms === null ? {} : { commandTimeoutMs: shell.timeout_ms }),
    ...(facet === null ? {} : { facet }),
    ...(miniModel === null ? {} : { miniModel }),
    compaction: { automatic, threshold: percent === null ? null : percent / 100, keepTokens },
    trusted,
    guidance: config.settings.harness_guidance,
    ...(options.skills === undefined ? {} : { sessionSkills: options.skills }),
    skillDirs: skillDirs(config.settings.skills.extra_dirs, workingDirectory(log.state()), host.env),
    webSearch: config.settings.web.search_url !== null,
    ...(testTime === undefined ? {} : { testTime }),
    startsAgents: config.settings.subagents.max_depth > 0,
    interactive: options.answers === true,
    notices: {
      sessionResumed: notices.session_resumed,
      directoryChanged: notices.directory_changed,
      taskTracking: notices.task_tracking,
      contextPressure: notices.context_pressure,
    },
  };
}
