import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { errorCode } from '#lib/kernel';
import { isPublicAddress } from './address-policy.js';

/** A name server is asked twice at most. */
const ASKED = { timeout: 2_000, tries: 2 };

/** Names of this machine, which no name server is asked about (RFC 6761 section 6.3). */
const OWN_NAME = /(^|\.)localhost\.?$/i;

/** Errors of name servers that say: there is no such name, or no such address. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

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
 * Looks a host up for a connection, and fails unless all its addresses are public.
 *
 * The event loop asks the name servers. The look-up of the system would hold one of two threads of the process until it ends. So the
 * silent name server of one tenant would stop the look-ups of all tenants. Each look-up reads the settings of the system anew.
 */
export const publicLookup =
  (host: string, newResolver = () => new Resolver(ASKED)): LookupFunction =>
  (_hostname, options, callback) => {
    addressesOf(host, newResolver).then(
      (addresses) => {
        if (options.all === true) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
      (error: unknown) => {
        // The cast: the look-up rejects with errors alone.
        callback(error as Error, []);
      },
    );
  };

async function addressesOf(host: string, newResolver: () => Resolver): Promise<LookupAddress[]> {
  if (OWN_NAME.test(host)) throw new AddressRefusedError(host);
  const resolver = newResolver();
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer, at) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length === 0) {
    const absent = answers.every(
      (answer) => answer.status === 'rejected' && ABSENT.has(errorCode(answer.reason) ?? ''),
    );
    const why = absent ? 'has no address' : 'cannot be looked up';
    throw Object.assign(new Error(`The name ${host} ${why}.`), { code: absent ? 'ENOTFOUND' : 'EAI_AGAIN' });
  }
  // One address that is not public condemns the name: a DNS rebinding attack sends mixed answers.
  if (addresses.some(({ address }) => !isPublicAddress(address))) throw new AddressRefusedError(host);
  return addresses;
}
