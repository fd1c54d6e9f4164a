import type { TenantId } from '#lib/kernel';
import { fetchThrough, guardedAgent, privateHostsOf, type AllowedPrivateHosts } from '#lib/outbound';
import type { Receiver, ReceiverAnswer, ReceiverRequest } from '../application/connection.ports.js';

/** The time limit of a receiver's answer. */
const DEADLINE_MS = 5_000;

/** Sends through the guarded way out: the address of the connection is checked, and no redirect is followed (T31). */
export class HttpsReceiver implements Receiver {
  constructor(
    private readonly allowed: AllowedPrivateHosts,
    private readonly slugOf: (tenantId: TenantId) => Promise<string>,
  ) {}

  async send(tenantId: TenantId, { url, ca, headers, body }: ReceiverRequest): Promise<ReceiverAnswer> {
    if (new URL(url).protocol !== 'https:') throw new Error('Events are sent over https alone.');
    const hosts = privateHostsOf(this.allowed, await this.slugOf(tenantId));
    const agent = guardedAgent(hosts, 'own', DEADLINE_MS, ca);
    try {
      const answer = await fetchThrough(agent, url, { method: 'POST', headers, body, deadlineMs: DEADLINE_MS });
      return { status: answer.status, body: await answer.text() };
    } finally {
      void agent.destroy();
    }
  }
}
