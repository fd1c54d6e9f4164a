import { isIP } from 'node:net';
import { isAllowedPrivateHost, isPublicAddress, privateHostsOf, type AllowedPrivateHosts } from '#lib/outbound';
import type { AddressVerdict } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';
import type { OutboundAddresses } from '#lib/tool';

/** Names that never leave the machine or the network they are asked in. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|home\.arpa)\.?$/i;

/**
 * The operator's rules for addresses, applied when an executor is registered. They look at the spelling only: every
 * connection checks the address that the name resolves to.
 */
export class AddressRules implements OutboundAddresses {
  constructor(
    private readonly allowed: AllowedPrivateHosts,
    private readonly slugOf: (tenantId: TenantId) => Promise<string>,
  ) {}

  async rulesOf(tenantId: TenantId): Promise<(hostname: string, port: number) => AddressVerdict> {
    const privateHosts = privateHostsOf(this.allowed, await this.slugOf(tenantId));
    return (hostname, port) => {
      if (isAllowedPrivateHost(privateHosts, hostname, port)) return 'allowed';
      const local = isIP(hostname) === 0 ? LOCAL_NAME.test(hostname) : !isPublicAddress(hostname);
      return local ? 'refused' : 'public';
    };
  }
}
