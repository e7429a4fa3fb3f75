import { resolve } from 'node:path';
import type { ActiveModel } from '../agent/index.ts';
import { UsageError } from '../base/index.ts';
import type { Settings } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import { isWire, type Wire } from '../model/index.ts';
import { createChatModel, type ResolvedProvider, resolveProvider } from '../wire/index.ts';
import { noneConfigured } from './none-configured.ts';

/** `rehearsal/FILE`: a script plays the model, in process. */
const REHEARSAL = 'rehearsal/';
/** Larger than any script a person writes. Bytes. */
const MAX_SCRIPT = 16 * 1024 * 1024;
/** What a preview shows where a model's name would stand. */
const NO_MODEL = 'MODEL';

export type ModelRequest = {
  settings: Settings;
  host: HostPorts;
  cwd: string;
  /** A preview sends nothing: it needs neither a model nor a key. */
  sends: boolean;
};

/** The wire that was asked for. Throws UsageError wire/unknown. */
export function askedWire(settings: Settings): Wire | null {
  const { wire } = settings;
  if (wire === null || isWire(wire)) return wire;
  throw new UsageError('wire/unknown', `unknown wire ${JSON.stringify(wire)}; there are: chat, responses, messages`);
}

/** The model that the settings name. Throws UsageError; without a name model/none-configured. */
export async function chooseModel(name: string | null, request: ModelRequest): Promise<ActiveModel> {
  const { settings, host, sends } = request;
  if (name === null || name === '') {
    if (sends) throw noneConfigured();
    return { port: placeholder(request), info: null };
  }
  if (isRehearsal(name, settings)) return rehearsal(name.slice(REHEARSAL.length), request);
  const resolved = resolveModel(name, request);
  return { port: createChatModel({ host, ...resolved }), info: resolved.info };
}

/** Whether a script plays the model: it has no server. */
export function isRehearsal(name: string, settings: Settings): boolean {
  return settings.base_url === null && name.startsWith(REHEARSAL);
}

/** The server that a model's name means; nothing is asked of it. Throws UsageError. */
export function resolveModel(name: string, { settings, host, sends }: ModelRequest): ResolvedProvider {
  const wire = askedWire(settings);
  const baseUrl = settings.base_url;
  return resolveProvider({
    model: name,
    ...(wire === null ? {} : { wire }),
    ...(baseUrl === null ? {} : { baseUrl }),
    providers: settings.providers,
    env: (variable) => host.env.get(variable),
    preview: !sends,
  });
}

function placeholder({ settings, host }: ModelRequest): ActiveModel['port'] {
  const wire = askedWire(settings) ?? 'chat';
  const info = { provider: 'none', id: NO_MODEL, wire, contextWindow: null, outputLimit: null };
  return createChatModel({ host, info, baseUrl: 'http://127.0.0.1', apiKey: null });
}

async function rehearsal(file: string, { settings, host, cwd }: ModelRequest): Promise<ActiveModel> {
  const { createRehearsalModel, parseRehearsal } = await import('../wire/rehearsal/index.ts');
  const path = resolve(cwd, file);
  const read = await host.files.readRegular(path, { maxBytes: MAX_SCRIPT });
  if (!read.ok) {
    throw new UsageError('rehearsal/unreadable', `cannot read the rehearsal script ${path}: ${read.detail}`, {
      data: { path },
    });
  }
  const script = await parseRehearsal(new TextDecoder().decode(read.bytes), path);
  const port = createRehearsalModel(script, host, settings.providers.rehearsal);
  return { port, info: port.info };
}
