import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { passedWaits } from '../../../../../test/support/passed-waits.js';
import { urlsOf } from './address-of.js';
import { assertHears } from './assert-hears.js';
import { DatabaseHosts } from './database-hosts.js';
import { openDatabase } from './open-database.js';
import { openDataSource } from './open-data-source.js';

describe('a notification at the start', () => {
  let db: TestDatabase;
  let other: TestDatabase;
  let inVain = false;
  passedWaits(() => inVain);
  beforeAll(async () => {
    [db, other] = [await testDatabase(), await testDatabase()];
  });
  afterAll(async () => {
    await db.close();
    await other.close();
  });

  const heard = async (directUrl: string): Promise<void> => {
    // No machine is too slow for a notification that comes, and none waits for one that never does.
    inVain = directUrl !== db.url;
    const dataSource = await openDataSource({ url: db.url, poolSize: 1, applicationName: 'hears-test' });
    try {
      await assertHears(dataSource, new DatabaseHosts(urlsOf(directUrl)), directUrl);
    } finally {
      await dataSource.destroy();
    }
  };

  it('reaches a listener at the same database', async () => {
    await expect(heard(db.url)).resolves.toBeUndefined();
  });

  it('does not reach one at another database, which is refused', async () => {
    await expect(heard(other.url)).rejects.toMatchObject({ failure: { code: 'database.no_notifications' } });
  });

  it('is asked for before anything is served, and names the setting that it cannot connect to', async () => {
    const directUrl = 'postgres://countersign_app:x@127.0.0.1:9/countersign';
    const opened = openDatabase(
      { kind: 'external', url: db.url, directUrl },
      { applicationName: 'hears-test', entities: [], poolSize: 1, onError: () => undefined },
    );
    await expect(opened).rejects.toMatchObject({
      failure: {
        code: 'database.unreachable',
        action: expect.stringContaining('COUNTERSIGN_DIRECT_URL') as string,
      },
    });
  });

  it('leaves no connection open, whether it is heard or not', async () => {
    await heard(db.url);
    await heard(other.url).catch(() => undefined);
    const { rows } = await db.owner.query<{ open: number }>(
      `select count(*)::integer as open from pg_stat_activity
        where application_name = 'countersign-listen' and datname = current_database()`,
    );
    expect(rows).toEqual([{ open: 0 }]);
  });
});
