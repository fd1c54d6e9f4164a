import {
  connecting,
  DatabaseHosts,
  dropConnection,
  leaveConnection,
  PgNotifications,
  readDatabaseAddress,
  serverAddresses,
} from '#lib/database';
import { fail, type Failure } from '#lib/kernel';
import { tenantEntity } from '#lib/tenancy';
import type { PlacedTeam, PlacedTenant, Served, ServedTenants } from '../application/cell-map.ports.js';

const TENANT = tenantEntity.as('tenant');
const PLACED = tenantEntity.pick('id', 'slug');

/** A cell that does not answer a statement within this time is not there. */
const ANSWER_MS = 30_000;

/** A cell's database tells here that it serves other tenants, slugs or Slack workspaces (migrations/0250_tenant_move.sql). */
const CHANNEL = 'countersign_tenant_route';

/** Rows of a tenant lie in two cells during a move, and stay in the former one. */
const servedHere = (id: string): string =>
  `${id} not in (select moved.tenant_id from tenant_move moved join tenant_move_state using (state) where allows = 'nothing')`;

/** The tenants of cells, as the owners of their schemas see them. */
export class SqlServedTenants implements ServedTenants {
  /** @param answerMs the time limit of each statement. */
  constructor(private readonly answerMs = ANSWER_MS) {}

  async read(from: string, signal?: AbortSignal): Promise<Served> {
    const address = readDatabaseAddress(from);
    if (typeof address === 'string') fail(noAddress(address));
    const hosts = new DatabaseHosts(address.urls);
    const client = hosts.client({ connectionTimeoutMillis: 10_000, query_timeout: this.answerMs, keepAlive: true });
    // A statement on a lost connection fails. Without a listener its error would end the process.
    client.on('error', () => undefined);
    const abandon = (): void => {
      dropConnection(client);
    };
    signal?.addEventListener('abort', abandon);
    try {
      await connecting(from, '--from', () => client.connect());
      await hosts.verify(client);
      await client.query('begin isolation level repeatable read read only');
      await client.query('set local role countersign_owner');
      const { rows: tenants } = await client.query<PlacedTenant>(
        `select ${PLACED.columns('tenant')} from tenant where ${servedHere(TENANT.id)} order by ${TENANT.slug}`,
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

  watch(from: string, changed: () => void, onError: (error: Error) => void): () => Promise<void> {
    const hosts = new DatabaseHosts(serverAddresses(from));
    hosts.watch();
    const notifications = new PgNotifications(hosts, onError);
    notifications.subscribe(CHANNEL, changed);
    return async () => {
      await notifications.close();
      hosts.close();
    };
  }
}

/** @param reason without the address, which may hold a password. */
const noAddress = (reason: string): Failure => ({
  kind: 'invalid',
  code: 'router.wrong_source',
  message: `--from ${reason}.`,
  action: 'Name the database of the cell, with the login of its migrations; PGPASSWORD may hold its password.',
});
