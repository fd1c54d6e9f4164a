import { askEmbedder } from '#lib/embedding';
import type { TenantId } from '#lib/kernel';
import { guardedAgent, privateHostsOf, type AllowedPrivateHosts } from '#lib/outbound';
import type { EmbedderClient, EmbedderRequest } from '../application/embedder.ports.js';

const CONNECT_MS = 5_000;

/** Asks through the guarded way out: the address of the connection is checked, and no redirect is followed (T31). */
export class HttpsEmbedder implements EmbedderClient {
  constructor(
    private readonly allowed: AllowedPrivateHosts,
    private readonly slugOf: (tenantId: TenantId) => Promise<string>,
  ) {}

  async ask(
    tenantId: TenantId,
    { ca, texts, deadlineMs, ...address }: EmbedderRequest,
  ): Promise<readonly Float32Array[]> {
    if (new URL(address.url).protocol !== 'https:') throw new Error('Texts are sent over https alone.');
    const hosts = privateHostsOf(this.allowed, await this.slugOf(tenantId));
    const agent = guardedAgent(hosts, 'own', CONNECT_MS, ca);
    try {
      return await askEmbedder(agent, address, texts, deadlineMs);
    } finally {
      void agent.destroy();
    }
  }
}
