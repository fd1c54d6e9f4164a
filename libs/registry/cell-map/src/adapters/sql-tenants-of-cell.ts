import { connecting, DatabaseHosts, dropConnection, leaveConnection, readDatabaseAddress } from '#lib/database';
import { fail, type Failure } from '#lib/kernel';
import type { PlacedTeam, PlacedTenant } from '../application/cell-map.ports.js';

/** A cell that does not answer a statement within this time is not there. */
const ANSWER_MS = 30_000;

/** When a reading ends early. */
interface ReadingEnds {
  /** It is not wanted any more: its connection ends at once. */
  readonly signal?: AbortSignal;
  /** The time limit of each statement, in milliseconds. */
  readonly answerMs?: number;
}

/** Rows of a tenant lie in two cells during a move, and stay in the former one. */
const servedHere = (id: string): string =>
  `${id} not in (select moved.tenant_id from tenant_move moved join tenant_move_state using (state) where allows = 'nothing')`;

/**
 * The tenants of a cell, and the workspaces of their Slack apps, as the owner of its schema sees them.
 *
 * @param url of the cell's database, with one host or several.
 * @throws {FailureError} `router.wrong_source`, `database.unreachable`, `database.login_refused`, `database.missing`; an error of the driver if a
 * statement is not answered in time, or if the signal ends it.
 */
export async function readTenants(
  url: string,
  { signal, answerMs = ANSWER_MS }: ReadingEnds = {},
): Promise<{ readonly tenants: readonly PlacedTenant[]; readonly teams: readonly PlacedTeam[] }> {
  const address = readDatabaseAddress(url);
  if (typeof address === 'string') fail(noAddress(address));
  const hosts = new DatabaseHosts(address.urls);
  const client = hosts.client({ connectionTimeoutMillis: 10_000, query_timeout: answerMs, keepAlive: true });
  // A statement on a lost connection fails. Without a listener its error would end the process.
  client.on('error', () => undefined);
  const abandon = (): void => {
    dropConnection(client);
  };
  signal?.addEventListener('abort', abandon);
  try {
    await connecting(url, '--from', () => client.connect());
    await hosts.verify(client);
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local role countersign_owner');
    const { rows: tenants } = await client.query<PlacedTenant>(
      `select id, slug from tenant where ${servedHere('id')} order by slug`,
    );
    const { rows: teams } = await client.query<PlacedTeam>(
      `select app_id as "appId", team_id as "teamId", tenant_id as "tenantId" from slack_installation where ${servedHere('tenant_id')}`,
    );
    return { tenants, teams };
  } finally {
    signal?.removeEventListener('abort', abandon);
    await leaveConnection(client);
  }
}

/** @param reason without the address, which may hold a password. */
const noAddress = (reason: string): Failure => ({
  kind: 'invalid',
  code: 'router.wrong_source',
  message: `--from ${reason}.`,
  action: 'Name the database of the cell, with the login of its migrations; PGPASSWORD may hold its password.',
});
