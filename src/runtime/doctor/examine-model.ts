import { nearest, ReinError, screenLine, UsageError } from '../../base/index.ts';
import type { LoadedConfig } from '../../config/index.ts';
import type { Harness } from '../../harness/contract/index.ts';
import { findHarness } from '../../harness/index.ts';
import { type HostPorts, HttpError } from '../../host/index.ts';
import { PROVIDER_KEY_VARIABLES } from '../../permissions/index.ts';
import { baseUrlHint, listModels, networkHint, type ResolvedProvider } from '../../wire/index.ts';
import { chooseModel, isRehearsal, type ModelRequest, resolveModel } from '../choose-model.ts';
import { withoutCredentials } from '../shown-value.ts';
import type { Finding } from './finding.ts';
import { originWords } from './origin-words.ts';

const ASK_LIMIT_MS = 3000;

type Given = { host: HostPorts; config: LoadedConfig; cwd: string; online: boolean };

/** Who would answer: harness, model, key, server. */
export async function examineModel(given: Given): Promise<Finding[]> {
  const { finding, harness } = await examineHarness(given);
  return [finding, ...(await examineChoice(given, harness)), examineKeys(given)];
}

function from({ config }: Given, key: string): string {
  const origin = config.origins[key];
  return origin === undefined ? '' : ` (${originWords(origin)})`;
}

function problem(check: Finding['check'], error: UsageError, data: Finding['data']): Finding {
  return { check, status: 'problem', message: error.message, data: { code: error.code, ...data } };
}

async function examineHarness(given: Given): Promise<{ finding: Finding; harness: Harness | null }> {
  const name = given.config.settings.harness;
  const data = { name, origin: given.config.origins.harness ?? null };
  try {
    const harness = await findHarness(name);
    return { finding: { check: 'harness', status: 'ok', message: `${name}${from(given, 'harness')}`, data }, harness };
  } catch (error) {
    if (!UsageError.isInstance(error)) throw error;
    return { finding: problem('harness', error, data), harness: null };
  }
}

async function examineChoice(given: Given, harness: Harness | null): Promise<Finding[]> {
  const { config, host, cwd } = given;
  const name = config.settings.model;
  const data = { name, origin: config.origins.model ?? null };
  const request: ModelRequest = { settings: config.settings, host, cwd, sends: true };
  if (name === null) return [noModel(data)];
  try {
    if (isRehearsal(name, config.settings)) {
      await chooseModel(name, request);
      const message = `${name}: a script plays the model${from(given, 'model')}`;
      return [{ check: 'model', status: 'ok', message, data: { ...data, provider: 'rehearsal' } }];
    }
    const { server, lacksKey } = resolve(name, request);
    const { provider, id, wire } = server.info;
    const message = `${provider}/${id} over the ${wire} wire${from(given, 'model')}`;
    const accepted = harness?.wires[wire];
    const refused = accepted !== undefined && !accepted.accepted;
    return [
      {
        check: 'model',
        status: refused ? 'problem' : 'ok',
        message: refused ? accepted.error : message,
        data: { ...data, provider, id, wire },
      },
      keyFinding(server, lacksKey),
      lacksKey === null && given.online ? await askServer(server, host) : serverNotAsked(server),
    ];
  } catch (error) {
    if (!UsageError.isInstance(error)) throw error;
    return [problem('model', error, data)];
  }
}

function noModel(data: Finding['data']): Finding {
  return {
    check: 'model',
    status: 'problem',
    message: 'no model is configured',
    advice:
      'set "model" in your settings to PROVIDER/MODEL, and the provider’s key in the environment; or name a server with --base-url URL --model MODEL; without either there is rein demo',
    data: { code: 'model/none-configured', ...data },
  };
}

/** The server, also where its key is missing: then `lacksKey` says so. Throws UsageError for everything else. */
function resolve(name: string, request: ModelRequest): { server: ResolvedProvider; lacksKey: UsageError | null } {
  try {
    return { server: resolveModel(name, request), lacksKey: null };
  } catch (error) {
    if (!UsageError.isInstance(error) || error.code !== 'wire/no-key') throw error;
    return { server: resolveModel(name, { ...request, sends: false }), lacksKey: error };
  }
}

function keyFinding({ info, keyName, apiKey }: ResolvedProvider, lacksKey: UsageError | null): Finding {
  const data = { provider: info.provider, variable: keyName, present: lacksKey === null && apiKey !== null };
  if (lacksKey !== null) return problem('keys', lacksKey, data);
  if (apiKey !== null) return { check: 'keys', status: 'ok', message: `the key is in ${keyName}`, data };
  const unset = keyName === null ? '' : `: ${keyName} is not set`;
  return { check: 'keys', status: 'note', message: `requests go out without a key${unset}`, data };
}

function serverNotAsked({ baseUrl }: ResolvedProvider): Finding {
  const url = withoutCredentials(baseUrl);
  return {
    check: 'server',
    status: 'note',
    message: `${url}, not asked`,
    advice: 'ask it with --online',
    data: { url },
  };
}

async function askServer(server: ResolvedProvider, host: HostPorts): Promise<Finding> {
  const url = withoutCredentials(server.baseUrl);
  const finding = (status: Finding['status'], message: string, data: Finding['data'] = {}): Finding => ({
    check: 'server',
    status,
    message,
    data: { url, ...data },
  });
  try {
    const { status, models } = await listModels({ ...server, wire: server.info.wire }, host, ASK_LIMIT_MS);
    const data = { status, models: models?.length ?? null };
    if (status === 401 || status === 403) return finding('problem', refusal(url, status, server), data);
    if (status >= 500) return finding('warning', `${url} answers with an error of its own (${status})`, data);
    if (models === null)
      return { ...finding('note', `${url} answers (${status}), but has no list of models`, data), ...misplaced(url) };
    return { ...finding('ok', `${url} answers, and has the model`, data), ...missing(server.info.id, models, url) };
  } catch (error) {
    if (!ReinError.isInstance(error)) throw error;
    const isLate = error instanceof HttpError && error.fault === 'aborted';
    const why = isLate ? `no answer within ${ASK_LIMIT_MS / 1000} seconds` : screenLine(error.message, 300);
    const hint = error instanceof HttpError ? networkHint(error) : '';
    return finding('problem', `${url} cannot be reached: ${why}${hint}`, { code: error.code });
  }
}

function refusal(url: string, status: number, { info, keyName, apiKey }: ResolvedProvider): string {
  if (apiKey !== null) return `${url} refuses the key in ${keyName} (${status})`;
  const way = keyName === null ? `name its variable in providers.${info.provider}.api_key_env` : `set ${keyName}`;
  return `${url} refuses to answer without a key (${status}): ${way}`;
}

/** What differs in the finding where the base URL looks as if it were another place of that server. */
function misplaced(url: string): Partial<Finding> {
  const hint = baseUrlHint(url);
  return hint === '' ? {} : { status: 'warning', advice: hint };
}

/** What differs in the finding where the list lacks the model; some servers write `models/ID`. */
function missing(id: string, models: readonly string[], url: string): Partial<Finding> {
  const ids = models.map((name) => name.replace(/^models\//, ''));
  if (ids.includes(id)) return {};
  const near = nearest(id, ids);
  return {
    status: 'warning',
    message: `${url} answers, but its list of ${ids.length} ${ids.length === 1 ? 'model' : 'models'} lacks ${JSON.stringify(id)}`,
    advice: near === undefined ? 'rein models lists what it has' : `did you mean ${JSON.stringify(near)}?`,
  };
}

/** Which providers could be used: the names of the variables that are set. */
function examineKeys({ host, config }: Given): Finding {
  const own = Object.values(config.settings.providers).flatMap(({ api_key_env: name }) => name ?? []);
  const names = [...new Set([...own, ...PROVIDER_KEY_VARIABLES])];
  const set = names.filter((name) => (host.env.get(name) ?? '').trim() !== '');
  const message = set.length === 0 ? 'no variable of a provider’s key is set' : `set: ${set.join(', ')}`;
  return { check: 'keys', status: 'note', message, data: { set } };
}
