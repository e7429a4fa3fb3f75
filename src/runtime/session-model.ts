import { UsageError } from '../base/index.ts';
import type { Settings } from '../config/index.ts';

/** What the log calls the provider of a model at `--base-url`. */
const AD_HOC = 'custom/';
/** A preview sends nothing: any address will do. */
const NO_ADDRESS = 'http://127.0.0.1';

type Servers = Pick<Settings, 'base_url' | 'providers'>;
type Asked = { name: string; baseUrl: string | null };

/**
 * How a session's last model is asked for again. Of one at `--base-url` the log keeps `custom/ID`, never the address:
 * where one is given the name there is ID, without one a run cannot go on. Throws UsageError model/no-base-url.
 */
export function sessionModel(stored: string, { base_url: baseUrl, providers }: Servers, sends: boolean): Asked {
  const known = providers.custom?.base_url !== undefined;
  if (!stored.startsWith(AD_HOC) || (known && baseUrl === null)) return { name: stored, baseUrl };
  const name = stored.slice(AD_HOC.length);
  if (baseUrl !== null || !sends) return { name, baseUrl: baseUrl ?? NO_ADDRESS };
  const address = 'was at a --base-url, which is not kept';
  throw new UsageError(
    'model/no-base-url',
    `the session's model ${JSON.stringify(name)} ${address}: give it again, or choose another with --model PROVIDER/MODEL`,
    { data: { model: name } },
  );
}
