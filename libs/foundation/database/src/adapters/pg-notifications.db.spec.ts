import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { until } from '../embedded/until.js';
import { openDatabase, type Database } from './open-database.js';

describe('the notifications of a database', () => {
  let db: TestDatabase;
  let database: Database;
  const told: unknown[] = [];

  beforeAll(async () => {
    db = await testDatabase();
    database = await openDatabase(
      { kind: 'external', url: db.url },
      { applicationName: 'notifications-test', entities: [], poolSize: 2, onError: (error) => told.push(error) },
    );
  });
  afterAll(async () => {
    await database.close();
    await db.close();
  });

  /** @returns the payloads that a channel brought since. */
  const heardOn = (channel: string) => {
    const heard: (string | null)[] = [];
    const stop = database.notifications.subscribe(channel, (payload) => heard.push(payload));
    return { heard, stop };
  };
  const heardAll = (heard: readonly unknown[], count: number): Promise<true> =>
    until('the notifications', 15_000, () => Promise.resolve(heard.length >= count ? true : undefined));
  const notify = (channel: string, payload: string) => db.app.query('select pg_notify($1, $2)', [channel, payload]);

  it('tell a listener of a further channel once it is listened to, since some may have come before', async () => {
    const first = heardOn('first');
    await heardAll(first.heard, 1);
    const second = heardOn('second');
    await heardAll(second.heard, 1);
    await notify('second', 'one');
    await heardAll(second.heard, 2);
    expect([first.heard, second.heard]).toEqual([[null], [null, 'one']]);
  });

  it('come on a connection that does not keep its process alive', async () => {
    const socketsThatKeep = () => process.getActiveResourcesInfo().filter((kind) => kind === 'PipeWrap').length;
    const before = socketsThatKeep();
    const other = await openDatabase(
      { kind: 'external', url: db.url },
      { applicationName: 'notifications-test', entities: [], poolSize: 1, onError: (error) => told.push(error) },
    );
    const heard: unknown[] = [];
    other.notifications.subscribe('sixth', (payload) => heard.push(payload));
    await heardAll(heard, 1);
    // A pool of the test may close an idle one meanwhile.
    expect(socketsThatKeep()).toBeLessThanOrEqual(before);
    await other.close();
  });

  it('tell a further listener of a channel nothing, since all of them reach it', async () => {
    const before = heardOn('third');
    await heardAll(before.heard, 1);
    before.stop();
    const after = heardOn('third');
    await notify('third', 'one');
    await heardAll(after.heard, 1);
    expect([before.heard, after.heard]).toEqual([[null], ['one']]);
  });

  it('come again after a listening that failed, since another connection listens to all channels', async () => {
    const before = heardOn('fourth');
    await heardAll(before.heard, 1);
    const query: jest.SpyInstance = jest.spyOn(Client.prototype, 'query');
    // The next connection fails, too: that is no further loss.
    query.mockRejectedValueOnce(new Error('no')).mockRejectedValueOnce(new Error('again'));
    const after = heardOn('fifth');
    expect(query).toHaveBeenCalledWith('listen fifth');
    await heardAll(after.heard, 1);
    query.mockRestore();
    expect(told).toEqual([
      expect.objectContaining({
        failure: expect.objectContaining({
          code: 'database.listening_lost',
          message: expect.stringContaining('(no)') as string,
        }) as unknown,
      }),
    ]);
    await notify('fifth', 'one');
    await heardAll(after.heard, 2);
    expect([before.heard, after.heard]).toEqual([
      [null, null],
      [null, 'one'],
    ]);
  });
});
