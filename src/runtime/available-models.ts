import { ReinError, screenLine, UsageError } from '../base/index.ts';
import type { Settings } from '../config/index.ts';
import { type HostPorts, HttpError } from '../host/index.ts';
import { baseUrlHint, listModels, PROVIDER_NAMES, type ResolvedProvider } from '../wire/index.ts';
import { type ModelRequest, resolveModel } from './choose-model.ts';
import { locate } from './locate.ts';
import type { AgentOptions } from './options.ts';
import { readConfig } from './read-config.ts';
import { withoutCredentials } from './shown-value.ts';

const LIMIT_MS = 10_000;

/** What one server says of its models: names as `--model` takes them, or why there are none. */
export type AvailableModels = {
  provider: string;
  url: string;
  models: readonly string[];
  problem: string | null;
};

/**
 * Asks every model server that could be used, once: the ad hoc one alone, where there is one, else the user's own and
 * those whose key is there. Throws UsageError models/nobody-to-ask, and for a fault in the options.
 */
export async function availableModels(options: AgentOptions, host: HostPorts): Promise<AvailableModels[]> {
  const location = await locate(host, options.cwd);
  const { settings } = await readConfig(options, host, location);
  const servers = serversToAsk(settings, { settings, host, cwd: location.cwd, sends: true });
  if (servers.length > 0) return await Promise.all(servers.map((server) => ask(server, host)));
  throw new UsageError(
    'models/nobody-to-ask',
    'no model server to ask: set a provider’s key, one under "providers" in your settings, or --base-url URL; ' +
      'of a server on this machine: --model ollama/any',
  );
}

function serversToAsk(settings: Settings, request: ModelRequest): ResolvedProvider[] {
  // Which model is asked for has no say in where its provider is.
  if (settings.base_url !== null) return [resolveModel('any', request)];
  const chosen = settings.model?.split('/', 1)[0];
  const own = new Set([...Object.keys(settings.providers), ...(chosen === undefined ? [] : [chosen])]);
  return [...new Set([...own, ...PROVIDER_NAMES])].flatMap((id) => {
    try {
      const server = resolveModel(`${id}/any`, request);
      return own.has(id) || server.apiKey !== null ? [server] : [];
    } catch (error) {
      // Without its key, or of a format that is not spoken here: nothing to ask.
      if (UsageError.isInstance(error)) return [];
      throw error;
    }
  });
}

function urlAdvice(baseUrl: string): string {
  const hint = baseUrlHint(baseUrl);
  return hint === '' ? '' : `: ${hint}`;
}

async function ask(server: ResolvedProvider, host: HostPorts): Promise<AvailableModels> {
  const { provider, wire } = server.info;
  const found = { provider, url: withoutCredentials(server.baseUrl), models: [], problem: null };
  try {
    const { status, models } = await listModels({ ...server, wire }, host, LIMIT_MS);
    if (models === null)
      return { ...found, problem: `it answered ${status}, without a list of models${urlAdvice(server.baseUrl)}` };
    return { ...found, models: provider === 'custom' ? models : models.map((id) => `${provider}/${id}`) };
  } catch (error) {
    if (!ReinError.isInstance(error)) throw error;
    const isLate = error instanceof HttpError && error.fault === 'aborted';
    return {
      ...found,
      problem: isLate ? `no answer within ${LIMIT_MS / 1000} seconds` : screenLine(error.message, 300),
    };
  }
}
