import type { TenantId } from '#lib/kernel';
import type { ChannelRegistry } from './channel-registry.js';

/** Sends a test message to an address at once, past the outbox: the caller learns whether the address took it. */
export class TestAddress {
  constructor(private readonly channels: ChannelRegistry) {}

  /** @returns why the message failed, for an admin; null if the address took it. */
  async test(tenantId: TenantId, address: string): Promise<string | null> {
    const named = this.channels.naming(address)?.named;
    return named === undefined ? 'This is not an address that messages go to.' : named.test(tenantId, address);
  }
}
