import type { Failure, TenantId } from '#lib/kernel';
import { checkAddress, checkAuthority, type ReceiverFamily } from '../domain/check-address.js';
import type { ConnectionSettings } from '../domain/connection.js';
import type { MayConnect } from './connection.ports.js';

/**
 * Refuses a server at an address that the operator's rules do not allow (T31), and an authority that is none.
 *
 * Failures: `address_not_allowed` and `authority_invalid` of the family.
 */
export async function refusedServer(
  mayConnect: MayConnect,
  tenantId: TenantId,
  { url, ca }: ConnectionSettings,
  family: ReceiverFamily,
): Promise<Failure | null> {
  const address = new URL(url);
  const refused = checkAddress(address, await mayConnect(tenantId, address), family);
  return refused ?? (ca === null ? null : checkAuthority(ca, family));
}
