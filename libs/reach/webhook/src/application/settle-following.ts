import type { LogFollowing, Tx } from '#lib/kernel';
import type { EndpointStore } from './webhook.ports.js';

/** The name under which webhooks follow the log. */
export const WEBHOOK_FOLLOWER = 'webhook';

/** A tenant's log is followed while one of its endpoints is on. */
export async function settleFollowing(
  tx: Tx,
  endpoints: Pick<EndpointStore, 'all'>,
  following: LogFollowing,
): Promise<void> {
  const on = (await endpoints.all(tx)).some(({ enabled }) => enabled);
  await (on ? following.begin(tx, WEBHOOK_FOLLOWER) : following.end(tx, WEBHOOK_FOLLOWER));
}
