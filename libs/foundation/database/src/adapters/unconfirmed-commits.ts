import type { ClientBase } from 'pg';

/** The function of PostgreSQL that waits for the standby; a notice names it in every language. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN';

const unconfirmed = new WeakSet<object>();

/**
 * Notes the commits of a connection that no standby confirmed. If an operator cancels the wait for a standby,
 * PostgreSQL answers that the commit is done, with a mere notice. Such a commit would be lost with the primary
 * (PostgreSQL manual, 26.2.8).
 */
export function noteUnconfirmed(client: ClientBase): void {
  client.on('notice', (notice) => {
    if (notice.routine === WAITS_FOR_STANDBY) unconfirmed.add(client);
  });
}

/** Whether a commit of a connection was answered without its standby's word, since that was last forgotten. */
export const wasUnconfirmed = (connection: object): boolean => unconfirmed.has(connection);

/** Called before a transaction: what the connection did before says nothing about its commit. */
export function forgetUnconfirmed(connection: object): void {
  unconfirmed.delete(connection);
}
