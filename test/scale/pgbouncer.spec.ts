import { stopPgBouncer } from '../support/behind-pgbouncer.js';
import '../e2e/stages.spec.js';
import '../e2e/run.spec.js';
import '../threats/t19-other-tenants.spec.js';
import { Client } from 'pg';
import { migrateConfigured, openDatabase, sqlOf } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { FailureError, newId, type TenantId } from '#lib/kernel';
import { openSourceCell } from '#lib/tenant-move';
import { reachedDatabase, openConfigured } from '../../apps/cli/src/receive-tenant.js';
import { makeTenant } from '../database/arrange.js';
import { testDatabase } from '../support/database.js';

afterAll(stopPgBouncer);

/** Connections of a client to the pooler: five times as many as the pooler has to the server. */
const CLIENTS = 20;

describe('a pooler in transaction mode', () => {
  it('never lends a tenant to the transaction of another, nor to none', async () => {
    const db = await testDatabase();
    const { url, directUrl = '' } = db;
    expect(url).not.toBe(directUrl);
    const database = await openDatabase(
      { kind: 'external', url, directUrl },
      { applicationName: 'countersign-test', entities: ENTITIES, poolSize: CLIENTS, onError: () => undefined },
    );
    const outside = new Client({ connectionString: url });
    await outside.connect();
    const tenants = await Promise.all(['one', 'two', 'three'].map((slug) => makeTenant(db.uow, slug)));
    const seen = new Map<TenantId, Set<string>>();
    const backends = new Set<number>();
    const nobody = new Set<string | null>();
    await Promise.all(
      Array.from({ length: 600 }, async (_each, nth) => {
        const tenant = tenants[nth % tenants.length] as TenantId;
        const rows = await database.uow.run(tenant, (tx) =>
          sqlOf(tx).query<{ id: string; backend: number }>(
            'select id, pg_backend_pid() as backend from tenant where $1',
            [true],
          ),
        );
        for (const { id, backend } of rows) {
          seen.set(tenant, (seen.get(tenant) ?? new Set()).add(id));
          backends.add(backend);
        }
        const { rows: between } = await outside.query<{ tenant: string | null }>(
          `select nullif(current_setting('app.tenant_id', true), '') as tenant`,
        );
        nobody.add(between[0]?.tenant ?? null);
      }),
    );
    for (const tenant of tenants) expect([...(seen.get(tenant) ?? [])]).toEqual([tenant]);
    expect([...nobody]).toEqual([null]);
    expect(backends.size).toBeLessThan(CLIENTS);
    const prepared = await outside.query('select from pg_prepared_statements');
    expect(prepared.rowCount).toBe(0);
    await outside.end();
    await database.close();
    await db.close();
  }, 60_000);

  it('is refused as the address past itself, and as one of which nobody said that it is a pooler', async () => {
    const db = await testDatabase();
    const { url, directUrl = '' } = db;
    const options = { applicationName: 'countersign-test', entities: ENTITIES, poolSize: 2, onError: () => undefined };
    const opened = (config: { url: string; directUrl?: string }): Promise<string> =>
      openDatabase({ kind: 'external', ...config }, options).then(
        async (database) => {
          await database.close();
          return 'opened';
        },
        (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
      );
    try {
      expect(await opened({ url, directUrl })).toBe('opened');
      expect(await opened({ url: directUrl })).toBe('opened');
      expect(await opened({ url, directUrl: url })).toBe('database.no_notifications');
      expect(await opened({ url })).toBe('database.no_notifications');
    } finally {
      await db.close();
    }
  }, 60_000);

  it('is named to an operator who migrates through it, whether or not it knows the login', async () => {
    const db = await testDatabase();
    const { username, password } = new URL(db.adminUrl);
    const migrated = async (login: { readonly username: string; readonly password: string }): Promise<unknown> => {
      const migrateUrl = Object.assign(new URL(db.url), login).href;
      return migrateConfigured({ kind: 'external', url: db.url, migrateUrl }).catch((error: unknown) =>
        error instanceof FailureError ? error.failure : error,
      );
    };
    try {
      expect(await migrated({ username, password })).toMatchObject({
        code: 'database.login_refused',
        message: expect.stringContaining('as a pooler does') as string,
        action: expect.stringContaining('Name the PostgreSQL server itself in COUNTERSIGN_MIGRATE_URL') as string,
      });
      expect(await migrated(new URL(db.url))).toMatchObject({ code: 'database.pooled' });
    } finally {
      await db.close();
    }
  }, 60_000);

  it('passes no database session of a move on, which therefore goes past it', async () => {
    const db = await testDatabase();
    const set = (pooled: boolean): void => {
      process.env.DATABASE_URL = db.url;
      process.env.COUNTERSIGN_POOLED = pooled ? '1' : '';
      process.env.COUNTERSIGN_DIRECT_URL = pooled ? (db.directUrl ?? '') : '';
    };
    try {
      await expect(openSourceCell(db.url)).rejects.toMatchObject({ failure: { code: 'tenant_move.pooled' } });
      set(false);
      expect(await reachedDatabase(openConfigured, newId())).toBeNull();
      set(true);
      expect(await reachedDatabase(openConfigured, newId())).toMatch(/^\d+\/t_/);
    } finally {
      for (const name of ['DATABASE_URL', 'COUNTERSIGN_POOLED', 'COUNTERSIGN_DIRECT_URL'])
        Reflect.deleteProperty(process.env, name);
      await db.close();
    }
  }, 60_000);
});
