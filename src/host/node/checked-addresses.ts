import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { forbiddenError, toHttpError } from './http-fault.ts';
import type { Connections } from './send-request.ts';

type Allow = (address: string) => boolean;

/**
 * Connections of one request alone: one that is kept from a request without such a check may lead anywhere. The
 * lookup that is checked is the one that is connected by, so that a name cannot change in between. Throws HttpError.
 */
export async function checkedConnections(url: URL, allow: Allow): Promise<Connections> {
  const literal = literalAddress(url);
  if (literal !== null && !allow(literal)) throw forbiddenError(url, literal);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return {
    open: (target, options) => request(target, { ...options, agent: false, lookup: checkedLookup(url, allow) }),
  };
}

/** Throws HttpError where the name is unknown, or stands for an address that is not allowed. */
export async function checkAddresses(url: URL, allow: Allow): Promise<void> {
  const literal = literalAddress(url);
  if (literal !== null) {
    if (!allow(literal)) throw forbiddenError(url, literal);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    checkedLookup(url, allow)(url.hostname, { all: true }, (error) => {
      if (error === null) resolve();
      else reject(toHttpError(url, 'connect', error));
    });
  });
}

function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}

/** Node's own, which asks of all addresses first: one forbidden address among others is no name to be trusted. */
function checkedLookup(url: URL, allow: Allow): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const forbidden = addresses.find(({ address }) => !allow(address));
      const first = addresses[0];
      if (forbidden !== undefined || first === undefined) {
        callback(forbiddenError(url, forbidden?.address ?? hostname), '', 0);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
