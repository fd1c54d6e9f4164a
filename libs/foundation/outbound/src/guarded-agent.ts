import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isAllowedPrivateHost, isPublicAddress } from './address-policy.js';

/**
 * How requests share connections. `own`: each has one of its own, so that a broken connection says something about this request.
 * `kept`: one may take the connection of an earlier one, which the server may have closed meanwhile.
 */
export type Connections = 'own' | 'kept';

/** Servers close idle connections after two seconds or more. */
const KEPT_MS = 1_000;

/** The address behind a URL is one that Countersign does not connect to. Nothing was sent. */
export class AddressRefusedError extends Error {
  readonly code = 'dispatch.address_refused';

  constructor(readonly host: string) {
    super(
      `${host} is, or resolves to, an address that is not public, and the operator has not allowed it in COUNTERSIGN_ALLOWED_PRIVATE_HOSTS`,
    );
    this.name = 'AddressRefusedError';
  }
}

/**
 * An HTTP agent that connects to public addresses only, `privateHosts` excepted (T31). The check is
 * made on the address of the connection itself, so that a name that resolves twice to different addresses gains nothing.
 * Undici follows no redirect by itself.
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

  return new Agent({
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
      buildConnector({ ...trust, lookup: publicOnly(hostname) })(options, callback);
    },
  });
}

function publicOnly(host: string): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      // One address that is not public condemns the name: a DNS rebinding attack sends mixed answers.
      if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) {
        callback(new AddressRefusedError(host), []);
        return;
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
}
