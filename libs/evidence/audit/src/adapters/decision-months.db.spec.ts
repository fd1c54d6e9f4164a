import type { PoolClient } from 'pg';
import { newId, type TenantId } from '#lib/kernel';
import { testAuditLog, type TestAuditLog } from '../../../../../test/support/audit-log.js';
import { endOf, firstId, startOf } from '../domain/months-between.js';
import { decisionMonthsAway } from './decision-months.js';

const OLD = '2024-03';
const TABLE = 'decision_2024_03';
const [FROM, UNTIL] = [Date.parse('2024-02-10T00:00:00Z'), Date.parse('2024-04-10T00:00:00Z')];
const BOUNDS = `for values from ('${firstId(startOf(OLD))}') to ('${firstId(endOf(OLD))}')`;
/** An id of the old month. */
const oldId = (): string => firstId(Date.parse('2024-03-15T12:00:00Z')).slice(0, 13) + newId().slice(13);

let own: TestAuditLog;
let owner: PoolClient;

beforeAll(async () => {
  own = await testAuditLog();
  owner = await own.db.owner.connect();
  await owner.query('select countersign_add_partition($1, $2, $3)', ['decision', OLD.replace('-', '_'), BOUNDS]);
  await owner.query(
    `insert into policy_bundle (revision, wasm_digest, entrypoints, sources, wasm)
     values ('sha256:' || repeat('0', 64), 'sha256:' || repeat('0', 64), '{}', '{}', '') on conflict do nothing`,
  );
});
afterAll(async () => {
  owner.release();
  await own.close();
});

/** A tenant that was at work in the old month, as its log says. */
async function tenantOfOld(slug: string): Promise<TenantId> {
  const tenant = newId<TenantId>();
  await owner.query(`insert into tenant (id, slug, name, created_at) values ($1, $2, $2, now())`, [tenant, slug]);
  await owner.query(
    `insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence,
                              payload_digest, salt, payload)
     values ($1, $2, 'basic', 'thing.done', '{"kind": "system", "id": "x", "display_name": "x", "credential_id": null, "on_behalf_of": null}', 'thing', 'x', '[]', '[]',
             decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), '{}')`,
    [tenant, oldId()],
  );
  while ((await own.log.sequence.execute(tenant)).more);
  return tenant;
}
const decide = (tenant: TenantId): Promise<unknown> =>
  owner.query(
    `insert into decision (tenant_id, id, subject_type, subject_id, within, entrypoint, bundle_revision, input,
                           input_digest, result, outcome, decided_at)
     values ($1, $2, 'plan', 'x', '[]', 'plan', 'sha256:' || repeat('0', 64), '{}', 'sha256:' || repeat('0', 64),
             '{"outcome": "deny"}', 'deny', clock_timestamp())`,
    [tenant, oldId()],
  );
const awayOf = (tenant: TenantId): Promise<readonly string[]> =>
  own.db.uow.run(tenant, (tx) => decisionMonthsAway(tx, FROM, UNTIL));

describe('months of decisions that are not in the database', () => {
  it('have a table that was taken out, and belong to a tenant that was at work then', async () => {
    const [decided, quiet, young] = [await tenantOfOld('decided'), await tenantOfOld('quiet'), newId<TenantId>()];
    await decide(decided);
    const all = () => Promise.all([decided, quiet, young].map(awayOf));
    expect(await all()).toEqual([[], [], []]);
    await owner.query(`alter table decision detach partition ${TABLE}`);
    try {
      expect(await all()).toEqual([[OLD], [OLD], []]);
      expect(await own.db.uow.run(decided, (tx) => decisionMonthsAway(tx, endOf(OLD), UNTIL))).toEqual([]);
    } finally {
      await owner.query(`alter table decision attach partition ${TABLE} ${BOUNDS}`);
    }
    expect(await all()).toEqual([[], [], []]);
  });

  it('have no decisions in the default partition, either', async () => {
    const tenant = await tenantOfOld('default');
    await owner.query(`alter table decision detach partition ${TABLE}`);
    await decide(tenant);
    expect(await awayOf(tenant)).toEqual([]);
  });
});
