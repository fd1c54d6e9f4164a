import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { migrateConfigured, openDatabase } from './open-database.js';
import { packageRoot } from './package-root.js';
import { sqlOf } from './sql.js';

describe('opening the database', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-open-'));
    chmodSync(directory, 0o755);
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const ignore = (): undefined => undefined;
  const options = { applicationName: 'open-test', entities: [], poolSize: 2, onError: ignore };

  it('starts and migrates the embedded one, serves from it as countersign_app, and keeps its rows', async () => {
    const config = { kind: 'embedded', directory: join(directory, 'postgres'), port: 54_000 } as const;
    const tenantId = newId<TenantId>();
    const first = await openDatabase(config, options);
    try {
      const [row] = await first.uow.run(tenantId, async (tx) => {
        await sqlOf(tx).execute(
          "insert into tenant (id, slug, name, created_at) values ($1, 'a', 'A', clock_timestamp())",
          [tenantId],
        );
        await first.jobQueue.enqueue(tx, 'run.advance', newId());
        return sqlOf(tx).query<{ role: string }>('select current_user as role');
      });
      expect(row).toEqual({ role: 'countersign_app' });
      expect(first.where.embedded).toBe(true);
      expect(new URL(first.where.address).password).toBe('');
    } finally {
      await first.close();
    }
    await expect(first.ping()).rejects.toThrow();

    expect(await migrateConfigured(config)).toEqual([]);
    const second = await openDatabase(config, options);
    try {
      expect(await second.uow.run(tenantId, (tx) => sqlOf(tx).query('select slug from tenant'))).toEqual([
        { slug: 'a' },
      ]);
    } finally {
      await second.close();
    }
  });

  it('leaves nothing running when it fails half way', async () => {
    const url = 'postgres://countersign_app:x@127.0.0.1:9/countersign';
    await expect(openDatabase({ kind: 'external', url }, options)).rejects.toMatchObject({
      failure: { code: 'database.unreachable', message: expect.stringContaining('127.0.0.1:9') as string },
    });
  });

  describe('a database of one’s own that does not let us in', () => {
    let db: TestDatabase;
    beforeAll(async () => {
      db = await testDatabase();
    });
    afterAll(() => db.close());

    it.each<[string, string, (url: URL) => void]>([
      ['database.login_refused', 'Correct the user or the password in', (url) => (url.password = 'wrong')],
      ['database.missing', 'Create it, empty', (url) => (url.pathname = '/nowhere')],
    ])('is named as %s, with what to do and without the password', async (code, action, change) => {
      const url = new URL(db.url);
      change(url);
      const named = { code, action: expect.stringContaining(action) as string };
      const opened = openDatabase({ kind: 'external', url: url.href }, options);
      await expect(opened).rejects.toMatchObject({ failure: named });
      const migrated = migrateConfigured({ kind: 'external', url: url.href, migrateUrl: url.href });
      await expect(migrated).rejects.toMatchObject({
        failure: { ...named, action: expect.stringContaining('COUNTERSIGN_MIGRATE_URL') as string },
      });
      await expect(opened).rejects.not.toThrow(url.password);
    });
  });

  it('names the missing setting if only the serving login is given for migrating', async () => {
    const url = 'postgres://countersign_app:x@127.0.0.1:9/countersign';
    await expect(migrateConfigured({ kind: 'external', url })).rejects.toMatchObject({
      failure: { code: 'database.migrate_url_missing' },
    });
  });

  it('finds its own files from wherever it is started', () => {
    expect(packageRoot()).toBe(process.cwd());
  });
});
