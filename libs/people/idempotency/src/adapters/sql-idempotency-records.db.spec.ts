import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { sampleClaim } from '../application/fake-idempotency-records.js';
import { describeIdempotencyRecords } from '../application/idempotency-records.contract.js';
import { SqlIdempotencyRecords } from './sql-idempotency-records.js';

async function store() {
  const world = await postgresWorld();
  const passes = async (ms: number): Promise<void> => {
    await world.db.owner.query(
      `update idempotency_record
          set created_at = created_at - $2 * interval '1 ms', expires_at = expires_at - $2 * interval '1 ms'
        where tenant_id = $1`,
      [world.home.tenantId, ms],
    );
  };
  return { world, records: new SqlIdempotencyRecords(), passes };
}

describeIdempotencyRecords('SqlIdempotencyRecords', store);

it('a repetition waits for nothing while the first request keeps its key in the transaction of its work', async () => {
  const { world, records } = await store();
  const claim = sampleClaim(world.home, 'first');
  const claimedBy = () => world.uow.run(world.home.tenantId, (tx) => records.claim(tx, claim));
  await world.uow.run(world.home.tenantId, async (tx) => {
    expect(await records.claim(tx, claim)).toEqual({ kind: 'claimed' });
    expect(await claimedBy()).toEqual({ kind: 'unfinished', old: false });
    await records.release(tx, claim);
  });
  expect(await claimedBy()).toEqual({ kind: 'claimed' });
});

it('each new key takes expired ones along', async () => {
  const { world, records, passes } = await store();
  const claimed = (key: string) =>
    world.uow.run(world.home.tenantId, (tx) => records.claim(tx, sampleClaim(world.home, key)));
  for (const key of ['old', 'older']) await claimed(key);
  await passes(24 * 60 * 60_000);
  await claimed('new');
  const { rows } = await world.db.owner.query(
    'select idempotency_key as key from idempotency_record where tenant_id = $1',
    [world.home.tenantId],
  );
  expect(rows).toEqual([{ key: 'new' }]);
});
