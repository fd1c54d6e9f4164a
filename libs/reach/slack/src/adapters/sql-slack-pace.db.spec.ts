import { newId, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import type { PacedCall } from '../application/slack.ports.js';
import { SqlSlackPace } from './sql-slack-pace.js';

describe('the pace of calls to Slack', () => {
  const pace = new SqlSlackPace();
  let db: TestDatabase;
  let tenantId: TenantId;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    tenantId = newId();
    await db.owner.query("insert into tenant (id, slug, name, created_at) values ($1, 't' || $2, 'T', now())", [
      tenantId,
      tenantId.slice(-12),
    ]);
  });
  afterAll(() => db.close());

  const take = (kind: PacedCall['kind'], target = 'C1'): Promise<number> =>
    db.uow.run(tenantId, (tx) => pace.take(tx, { kind, target }));
  /** As if so many milliseconds had gone by. */
  const pass = (ms: number): Promise<unknown> =>
    db.owner.query(
      `update slack_pace set free_at = free_at - $2 * interval '1 millisecond',
         queued_until = queued_until - $2 * interval '1 millisecond', new_until = new_until - $2 * interval '1 millisecond'
        where tenant_id = $1`,
      [tenantId, ms],
    );
  /** The clock went on meanwhile. */
  const expectAbout = (ms: number, waits: number): void => {
    expect(waits).toBeLessThanOrEqual(ms);
    expect(waits).toBeGreaterThan(ms - 500);
  };

  it('lets one message a second into a channel, and gives each that waits a second of its own', async () => {
    expect(await take('message')).toBe(0);
    expectAbout(1_000, await take('message'));
    expectAbout(2_000, await take('message'));
    expect(await take('message', 'C2')).toBe(0);
    await pass(1_000);
    expect(await take('message')).toBe(0);
    expectAbout(2_000, await take('message'));
  });

  it('lets a reply wait for new messages that wait, and not the other way round', async () => {
    expect(await take('reply')).toBe(0);
    expectAbout(1_000, await take('reply'));
    expectAbout(2_000, await take('reply'));
    expectAbout(1_000, await take('message'));
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
    const begun = performance.now();
    let minute = await editsNow();
    expect(minute).toBe(10);
    for (let second = 0; second < 60; second += 3) {
      await pass(3_000);
      minute += await editsNow();
    }
    expect(minute).toBeGreaterThanOrEqual(50);
    // The clock went on besides.
    expect(minute).toBeLessThanOrEqual(50 + Math.ceil((performance.now() - begun) / 1_500));
  });

  it('waits as long as Slack said', async () => {
    for (const kind of ['message', 'edit'] as const) {
      expect(await take(kind)).toBe(0);
      await db.uow.run(tenantId, (tx) => pace.hold(tx, { kind, target: 'C1' }, 30_000));
      expectAbout(30_000, await take(kind));
    }
    expect(await take('message', 'C2')).toBe(0);
  });

  it('lets a call that came a little early keep its turn', async () => {
    await take('message');
    await take('message');
    await pass(900);
    expect(await take('message')).toBeLessThanOrEqual(100);
    await pass(100);
    expect(await take('message')).toBe(0);
  });
});
