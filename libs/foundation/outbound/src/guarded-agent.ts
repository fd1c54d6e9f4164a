import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isAllowedPrivateHost, isPublicAddress } from './address-policy.js';
import { boundedInformation } from './bounded-information.js';
import { AddressRefusedError, publicLookup } from './public-lookup.js';

/**
 * How requests share connections. `own`: each has one of its own, so that a broken connection says something about this request.
 * `kept`: one may take the connection of an earlier one, which the server may have closed meanwhile.
 */
export type Connections = 'own' | 'kept';

/** Servers close idle connections after two seconds or more. */
const KEPT_MS = 1_000;

/**
 * An HTTP agent that connects to public addresses only, `privateHosts` excepted (T31). It checks the address of the
 * connection itself, so a name that resolves twice to different addresses gains nothing. Undici follows no redirect by
 * itself.
 *
 * @param ca certificates in PEM that alone vouch for servers; null for the public authorities.
 */
export function guardedAgent(
  privateHosts: readonly string[],
  connections: Connections,
  connectTimeoutMs = 5_000,
  ca: string | null = null,
): Agent {
  const trust = { timeout: connectTimeoutMs, ...(ca === null ? {} : { ca }) };
  const connectPlain = buildConnector(trust);

  return new GuardedAgent({
    ...(connections === 'own' ? { pipelining: 0 } : { keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS }),
    connect: (options, callback) => {
      const hostname = options.hostname.replace(/^\[|\]$/g, '');
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      if (isAllowedPrivateHost(privateHosts, hostname, port)) {
        connectPlain(options, callback);
        return;
      }
      // net.connect does not look up an address.
      if (isIP(hostname) !== 0) {
        if (!isPublicAddress(hostname)) {
          callback(new AddressRefusedError(hostname), null);
          return;
        }
        connectPlain(options, callback);
        return;
      }
      buildConnector({ ...trust, lookup: publicLookup(hostname) })(options, callback);
    },
  });
}

class GuardedAgent extends Agent {
  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, boundedInformation(handler));
  }
}
