import { newId, type TenantId } from '#lib/kernel';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { openDataSource, TypeormUnitOfWork } from '#lib/database';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import type { PacedCall } from '../application/slack.ports.js';
import { SqlSlackPace } from './sql-slack-pace.js';

describe('the pace of calls to Slack', () => {
  const pace = new SqlSlackPace();
  let db: TestDatabase;
  let admin: Client;
  let dataSource: DataSource;
  let uow: TypeormUnitOfWork;
  let tenantId: TenantId;
  beforeAll(async () => {
    db = await testDatabase();
    // The clock of these connections stands until a test moves it.
    admin = new Client({ connectionString: db.adminUrl });
    await admin.connect();
    await admin.query(`
      create schema clock;
      create table clock.moment as select pg_catalog.clock_timestamp() as at;
      create function clock.clock_timestamp() returns timestamptz language sql volatile security definer
        return (select at from clock.moment);
      grant usage on schema clock to countersign_app`);
    const url = new URL(db.url);
    url.searchParams.set('options', '-c search_path=clock,pg_catalog,public');
    dataSource = await openDataSource({ url: url.href, poolSize: 1, applicationName: 'pace-test' });
    uow = new TypeormUnitOfWork(dataSource);
  });
  beforeEach(async () => {
    tenantId = newId();
    await db.owner.query("insert into tenant (id, slug, name, created_at) values ($1, 't' || $2, 'T', now())", [
      tenantId,
      tenantId.slice(-12),
    ]);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await admin.end();
    await db.close();
  });

  const take = (kind: PacedCall['kind'], target = 'C1'): Promise<number> =>
    uow.run(tenantId, (tx) => pace.take(tx, { kind, target }));
  const pass = (ms: number): Promise<unknown> =>
    admin.query("update clock.moment set at = at + $1 * interval '1 millisecond'", [ms]);

  it('lets one message a second into a channel, and gives each that waits a second of its own', async () => {
    expect(await take('message')).toBe(0);
    expect(await take('message')).toBe(1_000);
    expect(await take('message')).toBe(2_000);
    expect(await take('message', 'C2')).toBe(0);
    await pass(1_000);
    expect(await take('message')).toBe(0);
    expect(await take('message')).toBe(2_000);
  });

  it('lets a reply wait for new messages that wait, and not the other way round', async () => {
    expect(await take('reply')).toBe(0);
    expect(await take('reply')).toBe(1_000);
    expect(await take('reply')).toBe(2_000);
    expect(await take('message')).toBe(1_000);
    await pass(1_000);
    // The second is free, and it is the message's.
    expect(await take('reply')).toBeGreaterThan(0);
    expect(await take('message')).toBe(0);
    await pass(1_000);
    expect(await take('reply')).toBe(0);
  });

  it('gives the turn of a message that never came to a reply', async () => {
    await take('message');
    await take('message');
    await pass(2_200);
    expect(await take('reply')).toBeGreaterThan(0);
    await pass(200);
    expect(await take('reply')).toBe(0);
  });

  it('gives edits a pace of their own: ten at once, and never more than fifty a minute', async () => {
    expect(await take('message')).toBe(0);
    const editsNow = async (): Promise<number> => {
      for (let edits = 0; ; edits += 1) if ((await take('edit', `C${String(edits)}`)) > 0) return edits;
    };
    let minute = await editsNow();
    expect(minute).toBe(10);
    for (let second = 0; second < 60; second += 3) {
      await pass(3_000);
      minute += await editsNow();
    }
    expect(minute).toBe(50);
  });

  it('waits as long as Slack said', async () => {
    for (const kind of ['message', 'edit'] as const) {
      expect(await take(kind)).toBe(0);
      await uow.run(tenantId, (tx) => pace.hold(tx, { kind, target: 'C1' }, 30_000));
      expect(await take(kind)).toBe(30_000);
    }
    expect(await take('message', 'C2')).toBe(0);
  });

  it('lets a call that came a little early keep its turn', async () => {
    await take('message');
    await take('message');
    await pass(900);
    expect(await take('message')).toBe(100);
    await pass(100);
    expect(await take('message')).toBe(0);
  });
});
