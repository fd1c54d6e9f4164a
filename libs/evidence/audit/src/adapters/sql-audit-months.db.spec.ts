import { Client, type PoolClient } from 'pg';
import { newId, type Actor, type AuditEntryId, type AuditEvent, type TenantId } from '#lib/kernel';
import { entryLeafHash, verifyConsistency, verifyInclusion } from '#lib/verifier';
import { testAuditLog, type TestAuditLog } from '../../../../../test/support/audit-log.js';
import { testServer } from '../../../../../test/support/database.js';
import { endOf, firstId, monthOf, startOf } from '../domain/months-between.js';
import { SqlAuditMonths } from './sql-audit-months.js';
import { SqlAuditEntries } from './sql-audit-entries.js';

const OLD = '2024-03';
const OLD_TABLE = 'audit_entry_2024_03';
const NOON = Date.parse('2024-03-15T12:00:00Z');
const actor: Actor = { kind: 'person', id: 'p-1', display_name: 'Ada', credential_id: 'c-1', on_behalf_of: null };
const event = (n: number): AuditEvent => ({
  ...{ action: 'thing.done', actor, level: 'basic', payload: { n } },
  subject: { type: 'thing', id: `thing-${String(n)}` },
});
/** An id of the old month. */
const oldId = (): AuditEntryId => (firstId(NOON).slice(0, 13) + newId().slice(13)) as AuditEntryId;
const away = { failure: { code: 'audit.month_away', details: { month: OLD } } };

let own: TestAuditLog;
let owner: PoolClient;
let months: SqlAuditMonths;
let tenant: TenantId;
let old: readonly [AuditEntryId, AuditEntryId];

const recordOld = (id: AuditEntryId): Promise<unknown> =>
  owner.query(
    `insert into audit_entry (tenant_id, id, occurred_at, level, action, actor, subject_type, subject_id, within, evidence,
                              payload_digest, salt, payload)
     values ($1, $2, $3, 'basic', 'thing.done', $4, 'thing', 'x', '[]', '[]', decode(repeat('00', 32), 'hex'),
             decode(repeat('00', 32), 'hex'), '{}')`,
    [tenant, id, new Date(NOON), JSON.stringify(actor)],
  );
const record = (n: number): Promise<void> => own.db.uow.run(tenant, (tx) => own.log.sink.record(tx, event(n)));
const sequence = async (): Promise<void> => {
  while ((await own.log.sequence.execute(tenant)).more);
};
const checkpoint = async () => {
  const latest = await own.log.latestCheckpoint.execute(tenant);
  if (!latest.ok) throw new Error(latest.error.code);
  return latest.value;
};
const listed = async (filter: { from?: number } = {}, limit = 50): Promise<readonly string[]> =>
  (await own.log.listEntries.execute(tenant, filter, { limit })).entries.map(({ header }) => header.id);

beforeAll(async () => {
  own = await testAuditLog();
  owner = await own.db.owner.connect();
  const bounds = `for values from ('${firstId(startOf(OLD))}') to ('${firstId(endOf(OLD))}')`;
  await owner.query('select countersign_add_partition($1, $2, $3)', ['audit_entry', OLD.replace('-', '_'), bounds]);
  months = new SqlAuditMonths(owner);
});
afterAll(async () => {
  owner.release();
  await own.close();
});
beforeEach(async () => {
  tenant = newId<TenantId>();
  old = [oldId(), oldId()];
  for (const id of old) await recordOld(id);
  await record(1);
  await sequence();
});
afterEach(async () => {
  if ((await months.list()).some(({ month, attached }) => month === OLD && !attached)) await months.attach(OLD);
});

describe('a month of the log that is detached', () => {
  it('is told by every answer that would lack its entries, and comes back whole', async () => {
    const before = await listed();
    const packed = await pack(old[0]);
    await months.detach(OLD);
    expect(await months.list()).toContainEqual({ month: OLD, attached: false });
    await expect(listed()).rejects.toMatchObject(away);
    await expect(own.log.getEntry.execute(tenant, old[0])).rejects.toMatchObject(away);
    await expect(pack(old[0])).rejects.toMatchObject(away);
    await expect(counted()).rejects.toMatchObject(away);
    // An answer without the month is given.
    expect(await listed({ from: Date.now() - 3_600_000 })).toHaveLength(1);
    expect(await pack(newId())).toEqual([]);

    await months.attach(OLD);
    expect(await listed()).toEqual(before);
    expect(before).toHaveLength(3);
    expect(await pack(old[0])).toEqual(packed);
  });

  it('breaks no proof: the tree goes on, and entries before and after are still in it', async () => {
    const earlier = await checkpoint();
    await months.detach(OLD);
    await record(2);
    await sequence();
    const later = await checkpoint();
    expect(later.treeSize).toBe(earlier.treeSize + 1);
    const consistent = await own.log.consistencyProof.execute(tenant, { epoch: 1, first: earlier.treeSize });
    if (!consistent.ok) throw new Error(consistent.error.code);
    const sizes = { firstSize: earlier.treeSize, secondSize: later.treeSize };
    expect(
      verifyConsistency({
        ...sizes,
        firstRoot: earlier.rootHash,
        secondRoot: later.rootHash,
        proof: consistent.value.proof,
      }),
    ).toBe(true);
    await months.attach(OLD);
    for (const id of await listed()) expect(await isProven(id as AuditEntryId)).toBe(true);
  });

  it('has its proofs on other storage, too, and is detached and comes back from there', async () => {
    const before = await listed();
    const slow = await tablespace();
    try {
      await owner.query(`alter table ${OLD_TABLE} set tablespace ${slow.name}`);
      expect(await listed()).toEqual(before);
      await months.detach(OLD);
      await expect(listed()).rejects.toMatchObject(away);
      await months.attach(OLD);
      expect(await listed()).toEqual(before);
      for (const id of before) expect(await isProven(id as AuditEntryId)).toBe(true);
      const { rows } = await owner.query(
        'select spcname from pg_class join pg_tablespace s on s.oid = reltablespace where relname = $1',
        [OLD_TABLE],
      );
      expect(rows).toEqual([{ spcname: slow.name }]);
    } finally {
      await owner.query(`alter table ${OLD_TABLE} set tablespace pg_default`);
      await slow.drop();
    }
  });

  it('keeps its payloads until it is back, and loses them then by the rule', async () => {
    await own.db.uow.run(tenant, (tx) => setRule(tx.tenantId));
    await months.detach(OLD);
    expect(await own.log.erasePayloads.execute(tenant)).toBe(0);
    await months.attach(OLD);
    expect(await own.log.erasePayloads.execute(tenant)).toBe(2);
  });

  it('is not passed over by those who follow the log', async () => {
    await months.detach(OLD);
    const { SqlLogFollowers } = await import('./sql-log-followers.js');
    const follow = own.db.uow.run(tenant, (tx) =>
      new SqlLogFollowers().after(tx, { epoch: 1, index: 0 }, { entries: 10, bytes: 1_000_000 }),
    );
    await expect(follow).rejects.toMatchObject(away);
  });

  it.each([
    // It is not over either if this one ends meanwhile.
    ['a month that is not over', monthOf(Date.now() + 60_000), 'audit.month_open'],
    ['a month that is none', '2024-13', 'audit.wrong_month'],
    ['SQL in place of a month', "2024-03'; drop table tenant", 'audit.wrong_month'],
    ['a month without a table', '2023-01', 'audit.no_month'],
  ])('is never %s', async (_what, month, code) => {
    await expect(months.detach(month)).rejects.toMatchObject({ failure: { code } });
  });

  it('has all its entries in the tree', async () => {
    await recordOld(oldId());
    await expect(months.detach(OLD)).rejects.toMatchObject({ failure: { code: 'audit.month_unsigned' } });
    await sequence();
    await months.detach(OLD);
    await expect(months.detach(OLD)).rejects.toMatchObject({ failure: { code: 'audit.no_month' } });
  });

  it('stays where it is while another transaction uses the log, and that is told', async () => {
    const other = await own.db.owner.connect();
    // The adapter calls this form of `query` alone.
    const hasty = new SqlAuditMonths({
      query: (text: string) => owner.query(text.replace(`lock_timeout = '5s'`, `lock_timeout = '50ms'`)),
    } as Pick<Client, 'query'>);
    const busy = { failure: { code: 'audit.month_busy' } };
    const used = async (work: () => Promise<void>): Promise<void> => {
      await other.query('begin; lock table audit_entry in exclusive mode');
      await work();
      await other.query('rollback');
    };
    try {
      await used(() => expect(hasty.detach(OLD)).rejects.toMatchObject(busy));
      expect(await months.list()).toContainEqual({ month: OLD, attached: true });
      await months.detach(OLD);
      await used(() => expect(hasty.attach(OLD)).rejects.toMatchObject(busy));
      expect(await months.list()).toContainEqual({ month: OLD, attached: false });
    } finally {
      other.release(true);
    }
  });

  it('does not come back beside rows of its time that were written meanwhile', async () => {
    await months.detach(OLD);
    await recordOld(oldId());
    await expect(months.attach(OLD)).rejects.toMatchObject({ failure: { code: 'audit.month_taken' } });
    await owner.query('alter table audit_entry_default disable trigger user');
    await owner.query('delete from audit_entry_default where tenant_id = $1', [tenant]);
    await owner.query('alter table audit_entry_default enable trigger user');
  });
});

/** A tablespace within the server's own folder, since a test has no other disk. The owner of the schema may use it. */
async function tablespace(): Promise<{ readonly name: string; drop(): Promise<void> }> {
  const name = `slow_${newId().replaceAll('-', '')}`;
  const admin = new Client({ connectionString: (await testServer()).adminUrl });
  await admin.connect();
  await admin.query('set allow_in_place_tablespaces = on');
  await admin.query(`create tablespace ${name} location ''`);
  await admin.query(`grant create on tablespace ${name} to countersign_owner`);
  const drop = async (): Promise<void> => {
    await admin.query(`drop tablespace ${name}`);
    await admin.end();
  };
  return { name, drop };
}

const pack = (id: string): Promise<readonly unknown[]> =>
  own.db.uow.run(tenant, (tx) => new SqlAuditEntries().forPack(tx, { type: 'session', id: id as never }, []));

const counted = (): Promise<number> => own.db.uow.run(tenant, (tx) => new SqlAuditEntries().count(tx, {}, 100));

const setRule = (of: TenantId): Promise<unknown> =>
  owner.query(`insert into audit_retention (tenant_id, level, keep_days, set_at) values ($1, 'basic', 30, now())`, [
    of,
  ]);

async function isProven(id: AuditEntryId): Promise<boolean> {
  const entry = await own.log.getEntry.execute(tenant, id);
  if (!entry.ok || entry.value.proof === null) throw new Error('no proof');
  const { header, proof } = entry.value;
  return verifyInclusion({
    index: proof.leafIndex,
    size: proof.checkpoint.treeSize,
    leaf: entryLeafHash(header),
    proof: proof.inclusion,
    root: proof.checkpoint.rootHash,
  });
}
