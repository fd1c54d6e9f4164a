import type { PoolClient } from 'pg';
import { newId, type TenantId } from '#lib/kernel';
import { testAuditLog, type TestAuditLog } from '../../../../../test/support/audit-log.js';
import { endOf, firstId, startOf } from '../domain/months-between.js';
import { decisionMonthsAway } from './sql-decision-months.js';

const OLD = '2024-03';
const TABLE = 'decision_2024_03';
const [FROM, UNTIL] = [Date.parse('2024-02-10T00:00:00Z'), Date.parse('2024-04-10T00:00:00Z')];
const BOUNDS = `for values from ('${firstId(startOf(OLD))}') to ('${firstId(endOf(OLD))}')`;
const AT = Date.parse('2024-03-15T12:00:00Z');
/** An id of a moment in the old month. */
const oldId = (at = AT): string => firstId(at).slice(0, 13) + newId().slice(13);

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
const decide = (tenant: TenantId, at = AT): Promise<unknown> =>
  owner.query(
    `insert into decision (tenant_id, id, subject_type, subject_id, within, entrypoint, bundle_revision, input,
                           input_digest, result, outcome, decided_at)
     values ($1, $2, 'plan', 'x', '[]', 'plan', 'sha256:' || repeat('0', 64), '{}', 'sha256:' || repeat('0', 64),
             '{"outcome": "deny"}', 'deny', clock_timestamp())`,
    [tenant, oldId(at)],
  );
const awayOf = (tenant: TenantId, from = FROM, until = UNTIL): Promise<readonly string[]> =>
  own.db.uow.run(tenant, (tx) => decisionMonthsAway(tx, from, until));

describe('months of decisions that are not in the database', () => {
  it('have a table that was taken out, and belong to a tenant that was at work then', async () => {
    const [decided, quiet, young] = [await tenantOfOld('decided'), await tenantOfOld('quiet'), newId<TenantId>()];
    await decide(decided);
    const all = () => Promise.all([decided, quiet, young].map((tenant) => awayOf(tenant)));
    expect(await all()).toEqual([[], [], []]);
    await owner.query(`alter table decision detach partition ${TABLE}`);
    try {
      expect(await all()).toEqual([[OLD], [OLD], []]);
      expect(await awayOf(decided, endOf(OLD))).toEqual([]);
      expect(await awayOf(decided, AT, AT + 1)).toEqual([OLD]);
      expect(await awayOf(decided, AT + 1)).toEqual([]);
      expect(await awayOf(decided, FROM, AT)).toEqual([]);
    } finally {
      await owner.query(`alter table decision attach partition ${TABLE} ${BOUNDS}`);
    }
    expect(await all()).toEqual([[], [], []]);
  });

  it('have no decisions in the default partition, either', async () => {
    const [tenant, earlier] = [await tenantOfOld('default'), await tenantOfOld('earlier')];
    await owner.query(`alter table decision detach partition ${TABLE}`);
    await decide(tenant);
    // A decision before the stretch shows as well where those of its month are.
    await decide(earlier, AT - 1);
    expect(await awayOf(tenant)).toEqual([]);
    expect(await awayOf(earlier, AT)).toEqual([]);
  });

  it('never had a table, perhaps, if the tenant had no decision then', async () => {
    await owner.query(`drop table ${TABLE}`);
    const [idle, decided] = [await tenantOfOld('idle'), await tenantOfOld('moved')];
    await decide(decided);
    expect(await Promise.all([idle, decided].map((tenant) => awayOf(tenant)))).toEqual([[OLD], []]);
    expect(await awayOf(idle, AT + 1)).toEqual([]);
  });
});
