import {
  newId,
  ok,
  type Actor,
  type AuditEvent,
  type DecisionId,
  type TwoPersonRule,
  type PersonPrincipal,
  type TenantId,
  type AdmittedChange,
} from '#lib/kernel';
import {
  isSignedBy,
  parseCheckpoint,
  parseNoteKey,
  trustedSignature,
  verifyConsistency,
  verifyInclusion,
  entryLeafHash,
  payloadDigest,
} from '#lib/verifier';
import { canonicalJson } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import { testAuditLog, type TestAuditLog } from '../../../../../test/support/audit-log.js';
import type { TestDatabase } from '../../../../../test/support/database.js';
import type { AuditLog } from '../create-audit.js';
import { entryCsvRecord } from '../domain/entry-csv.js';
import { KEEP_FOR_EVER } from '../domain/retention-rule.js';
import { SqlAuditEntries } from './sql-audit-entries.js';

const actor: Actor = { kind: 'person', id: 'p-1', display_name: 'Ada', credential_id: 'c-1', on_behalf_of: null };
const event = (n: number, more: Partial<AuditEvent> = {}): AuditEvent => ({
  action: 'thing.done',
  actor,
  level: 'basic',
  subject: { type: 'thing', id: `thing-${String(n)}` },
  payload: { n },
  ...more,
});

const admitted: AdmittedChange = { authorId: 'p-1' as never, actor, provenance: {}, alone: false };
const admitting: TwoPersonRule = {
  outdate: () => Promise.resolve(),
  admit: () => Promise.resolve(ok({ outcome: 'admitted', admitted })),
  waiting: () => Promise.resolve([]),
  demandReason: () => Promise.resolve(),
};

describe('audit log in PostgreSQL', () => {
  let db: TestDatabase;
  let made: TestAuditLog;
  let log: AuditLog;
  let tenant: TenantId;

  const admin = (): PersonPrincipal => ({ kind: 'person', tenantId: tenant }) as PersonPrincipal;

  beforeAll(async () => {
    made = await testAuditLog();
    ({ db, log } = made);
  });
  afterAll(() => made.close());
  beforeEach(() => {
    tenant = newId<TenantId>();
  });

  it.each<[string, string, string]>([
    ['actor', 'an unknown kind of actor', `jsonb_set(actor, '{kind}', '"robot"')`],
    ['actor', 'an actor without a kind', `actor - 'kind'`],
    ['actor', 'an actor without an id', `actor - 'id'`],
    ['actor', 'a number as a name', `jsonb_set(actor, '{display_name}', '7')`],
    ['actor', 'a credential that is no text', `jsonb_set(actor, '{credential_id}', '{}')`],
    ['actor', 'no word on whose behalf', `actor - 'on_behalf_of'`],
    ['actor', 'a list of actors', 'jsonb_build_array(actor)'],
    ['within', 'a thing without a type', `'[{"id": "x"}]'`],
    ['within', 'a thing with a number as its id', `'[{"type": "task", "id": "x"}, {"type": "plan", "id": 7}]'`],
    ['within', 'a list in the place of a thing', `'[[{"type": "task", "id": "x"}]]'`],
    ['within', 'a thing that is no list', `'{"type": "task", "id": "x"}'`],
    ['evidence', 'evidence without a digest', `'[{"kind": "plan", "id": "x"}]'`],
    ['occurred_at', 'no end of time', `'infinity'`],
  ])('takes no entry that the sequencer cannot read: %s with %s', async (column, _what, value) => {
    await db.uow.run(tenant, (tx) => log.sink.record(tx, event(1)));
    const columns = [
      'level',
      'action',
      'actor',
      'subject_type',
      'subject_id',
      'within',
      'evidence',
      'payload_digest',
      'occurred_at',
    ];
    const forged = db.uow.run(tenant, (tx) =>
      sqlOf(tx).execute(
        `insert into audit_entry (tenant_id, id, ${columns.join(', ')})
         select tenant_id, $2, ${columns.map((name) => (name === column ? value : name)).join(', ')} from audit_entry where tenant_id = $1`,
        [tenant, newId()],
      ),
    );
    await expect(forged).rejects.toMatchObject({ code: '23514', constraint: `audit_entry_${column}_check` });
  });

  it('stores the same row of an entry by the function and by the INSERT of the last entry', async () => {
    const decisionId = newId<DecisionId>();
    const within = [{ type: 'task', id: newId() }];
    await db.uow.run(tenant, async (tx) => {
      await log.sink.record(tx, event(1, { decisionId, within }));
      await log.sink.record(tx, event(1, { decisionId, within }));
    });
    const { rows } = await db.owner.query<{ row: object; digested: boolean }>(
      `select to_jsonb(entry) - '{id,entry_number,occurred_at,payload_digest,salt}'::text[] as row,
              octet_length(salt) = 32 and octet_length(payload_digest) = 32 as digested
         from audit_entry entry where tenant_id = $1 order by entry_number`,
      [tenant],
    );
    expect(rows).toHaveLength(2);
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[0]).toMatchObject({
      row: { tenant_id: tenant, decision_id: decisionId, within, payload: '{"n":1}', root_id: within[0]?.id },
      digested: true,
    });
  });

  const record = (...events: AuditEvent[]): Promise<void> =>
    db.uow.run(tenant, async (tx) => {
      for (const one of events) await log.sink.record(tx, one);
    });
  const sequenceAll = async (): Promise<number> => {
    let total = 0;
    for (;;) {
      const { sequenced, more } = await log.sequence.execute(tenant);
      total += sequenced;
      if (!more) return total;
    }
  };

  test('an entry is recorded, sequenced, signed and proven, over many batches of every size', async () => {
    let earlier: { size: number; root: Uint8Array } | undefined;
    let n = 0;
    for (const batch of [1, 2, 3, 1, 8, 5]) {
      await record(...Array.from({ length: batch }, () => event(n++)));
      expect(await sequenceAll()).toBe(batch);
      const checkpoint = await log.latestCheckpoint.execute(tenant);
      if (!checkpoint.ok) throw new Error(checkpoint.error.code);
      expect(checkpoint.value.treeSize).toBe(n);
      const parsed = parseCheckpoint(checkpoint.value.note);
      const keys = (await log.listKeys.execute(tenant)).map(({ key }) => parseNoteKey(key));
      expect(keys).toHaveLength(1);
      const signature =
        parsed &&
        trustedSignature(
          parsed.note,
          keys.flatMap((key) => key ?? []),
        );
      expect(parsed && signature && isSignedBy(parsed.note, signature.key, signature.signature)).toBe(true);
      if (earlier) {
        const proof = await log.consistencyProof.execute(tenant, { epoch: 1, first: earlier.size });
        if (!proof.ok) throw new Error(proof.error.code);
        expect(
          verifyConsistency({
            firstSize: earlier.size,
            firstRoot: earlier.root,
            secondSize: n,
            secondRoot: checkpoint.value.rootHash,
            proof: proof.value.proof,
          }),
        ).toBe(true);
      }
      earlier = { size: n, root: checkpoint.value.rootHash };
    }
    const page = await log.listEntries.execute(tenant, {}, { limit: 50 });
    expect(page.entries).toHaveLength(20);
    for (const { header, payload } of page.entries) {
      const entry = await log.getEntry.execute(tenant, header.id);
      if (!entry.ok || entry.value.proof === null || entry.value.salt === undefined) throw new Error('no proof');
      const { proof, salt } = entry.value;
      expect(entry.value.header).toEqual(header);
      expect(
        verifyInclusion({
          index: proof.leafIndex,
          size: proof.checkpoint.treeSize,
          leaf: entryLeafHash(header),
          proof: proof.inclusion,
          root: proof.checkpoint.rootHash,
        }),
      ).toBe(true);
      expect(header.payload_digest).toBe(
        `sha256:${Buffer.from(payloadDigest(salt, canonicalJson(payload ?? null))).toString('hex')}`,
      );
    }
  });

  test('T28: if the log cannot be written, the action does not happen', async () => {
    const things = async (): Promise<number> =>
      db.uow.run(
        tenant,
        async (tx) => (await sqlOf(tx).query('select 1 from audit_retention where tenant_id = $1', [tenant])).length,
      );
    const act = (one: AuditEvent): Promise<void> =>
      db.uow.run(tenant, async (tx) => {
        await sqlOf(tx).query(
          `insert into audit_retention (tenant_id, level, keep_days, set_at) values ($1, 'basic', 30, now())`,
          [tenant],
        );
        await log.sink.record(tx, one);
      });
    await expect(act(event(0, { payload: { bad: '\ud800' } }))).rejects.toThrow('lone surrogate');
    expect(await things()).toBe(0);
    await db.owner.query('revoke insert on audit_entry from countersign_app');
    try {
      await expect(act(event(0))).rejects.toMatchObject({ code: '42501' });
      expect(await things()).toBe(0);
    } finally {
      await db.owner.query('grant insert on audit_entry to countersign_app');
    }
    await act(event(0));
    expect(await things()).toBe(1);
  });

  test('T29: an entry that commits late is still sequenced', async () => {
    let released: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (released = resolve));
    let recorded: () => void = () => undefined;
    const isRecorded = new Promise<void>((resolve) => (recorded = resolve));
    const late = db.uow.run(tenant, async (tx) => {
      await log.sink.record(tx, event(1));
      recorded();
      await gate;
    });
    await isRecorded;
    await record(event(2), event(3));
    expect(await sequenceAll()).toBe(2);
    released();
    await late;
    expect((await log.backlog.unsequenced()).map(({ tenantId }) => tenantId)).toContain(tenant);
    expect(await sequenceAll()).toBe(1);
    const { rows } = await db.owner.query<{ subject_id: string }>(
      `select entry.subject_id from audit_leaf leaf join audit_entry entry on entry.tenant_id = leaf.tenant_id and entry.id = leaf.entry_id
        where leaf.tenant_id = $1 order by leaf.leaf_index`,
      [tenant],
    );
    expect(rows.map((row) => row.subject_id)).toEqual(['thing-2', 'thing-3', 'thing-1']);
    expect((await log.backlog.unsequenced()).map(({ tenantId }) => tenantId)).not.toContain(tenant);
  });

  test('many sequencers at once give every entry exactly one leaf', async () => {
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 15; n += 1) await record(event(writer * 100 + n));
    });
    const sequencers = Array.from({ length: 3 }, async () => {
      for (let n = 0; n < 10; n += 1) await log.sequence.execute(tenant);
    });
    await Promise.all([...writers, ...sequencers]);
    await sequenceAll();
    const { rows } = await db.owner.query<{ leaves: string; largest: string }>(
      'select count(distinct entry_id) as leaves, max(leaf_index) as largest from audit_leaf where tenant_id = $1',
      [tenant],
    );
    expect(rows).toEqual([{ leaves: '60', largest: '59' }]);
  });

  test.each([
    'audit_entry',
    'audit_evidence',
    'audit_leaf',
    'audit_node',
    'audit_checkpoint',
    'audit_epoch',
    'audit_publication',
  ])('%s is insert-only, for the service and for the owner', async (table) => {
    await record(event(1, { evidence: [{ kind: 'plan', id: 'x', digest: `sha256:${'0'.repeat(64)}` }] }), event(2));
    await sequenceAll();
    const head = await log.latestCheckpoint.execute(tenant);
    if (head.ok)
      await db.uow.run(tenant, (tx) =>
        sqlOf(tx).query('insert into audit_publication values ($1, 1, $2, now())', [tenant, head.value.treeSize]),
      );
    for (const change of [`update ${table} set tenant_id = tenant_id`, `delete from ${table}`]) {
      await expect(db.uow.run(tenant, (tx) => sqlOf(tx).query(change))).rejects.toMatchObject({ code: '42501' });
      await expect(db.owner.query(change)).rejects.toMatchObject({ code: 'CS001' });
    }
    await expect(db.owner.query(`truncate ${table} cascade`)).rejects.toMatchObject({ code: 'CS001' });
  });

  test('a payload goes only by the retention rule, and everything stays provable', async () => {
    await record(event(1), event(2));
    await sequenceAll();
    await expect(
      db.uow.run(tenant, (tx) => sqlOf(tx).query('update audit_entry set payload = null')),
    ).rejects.toMatchObject({
      code: '42501',
    });
    expect(await log.erasePayloads.execute(tenant)).toBe(0);
    const { retention } = log.guarded(admitting, []);
    const rule = { basic: 30, detailed: 30, full: 90, full_with_evidence: 365, critical: 730 };
    expect(await retention.read(tenant)).toEqual(KEEP_FOR_EVER);
    for (const [wanted, code] of [
      [{ ...rule, basic: 5 }, 'audit.retention_out_of_range'],
      [{ ...rule, full_with_evidence: 731 }, 'audit.retention_not_monotonic'],
    ] as const)
      expect(await retention.execute(admin(), wanted)).toMatchObject({ ok: false, error: { code } });
    expect(await retention.execute(admin(), rule)).toMatchObject({ ok: true, value: { outcome: 'done', value: rule } });
    expect(await retention.read(tenant)).toEqual(rule);
    expect(await log.erasePayloads.execute(tenant)).toBe(0);
    await db.owner.query('alter table audit_retention drop constraint audit_retention_keep_days_check');
    await db.owner.query('alter table audit_retention drop constraint audit_retention_minimum_check');
    await db.owner.query(`update audit_retention set keep_days = 0 where tenant_id = $1 and level <> 'critical'`, [
      tenant,
    ]);
    await record(event(3, { level: 'critical' }));
    expect(await log.erasePayloads.execute(tenant)).toBe(3);
    await sequenceAll();
    const page = await log.listEntries.execute(tenant, {}, { limit: 10 });
    expect(page.entries.map(({ header, payload }) => [header.action, payload === undefined])).toEqual([
      ['audit_payload.erased', false],
      ['thing.done', false],
      ['audit_retention.set', true],
      ['thing.done', true],
      ['thing.done', true],
    ]);
    for (const { header } of page.entries) {
      const entry = await log.getEntry.execute(tenant, header.id);
      if (!entry.ok || entry.value.proof === null) throw new Error('no proof');
      const { leafIndex: index, checkpoint, inclusion: proof } = entry.value.proof;
      expect(
        verifyInclusion({
          index,
          size: checkpoint.treeSize,
          leaf: entryLeafHash(header),
          proof,
          root: checkpoint.rootHash,
        }),
      ).toBe(true);
    }
  });

  test('entries are listed newest first, by every filter, in pages that neither lose nor repeat', async () => {
    const task = { type: 'task', id: newId() };
    const plan = { type: 'plan', id: 'thing-4' };
    for (let n = 0; n < 7; n += 1) {
      await record(
        event(n, {
          action: n % 2 ? 'thing.odd' : 'thing.even',
          within: [task, ...(n > 3 ? [plan] : [])],
          ...(n === 4 ? { subject: plan } : {}),
          actor: { ...actor, id: n < 2 ? 'p-2' : 'p-1' },
        }),
      );
    }
    const subjects = async (filter: Parameters<typeof log.listEntries.execute>[1]): Promise<string[]> => {
      const found: string[] = [];
      for (let after; ;) {
        const page = await log.listEntries.execute(tenant, filter, { limit: 2, ...(after ? { after } : {}) });
        found.push(...page.entries.map(({ header }) => header.subject.id.slice(6)));
        if (page.next === null) return found;
        after = page.next;
      }
    };
    expect(await subjects({})).toEqual(['6', '5', '4', '3', '2', '1', '0']);
    expect(await subjects({ actorId: 'p-2' })).toEqual(['1', '0']);
    expect(await subjects({ action: 'thing.odd' })).toEqual(['5', '3', '1']);
    expect(await subjects({ within: [plan] })).toEqual(['6', '5', '4']);
    expect(await subjects({ within: [task, plan] })).toEqual(['6', '5', '4']);
    expect(await subjects({ within: [{ type: 'task', id: plan.id }] })).toEqual([]);
    expect(await subjects({ within: [task], subjectId: 'thing-3' })).toEqual(['3']);
    expect(await subjects({ until: 0 })).toEqual([]);
  });

  test('an export holds every entry that a filter finds, and its size is counted up to a limit', async () => {
    const bold: Actor = { ...actor, display_name: '=HYPERLINK("http://x")' };
    await record(...Array.from({ length: 501 }, (_, n) => event(n, { actor: bold })));
    await record(event(501, { action: 'other.done' }));
    const exported = await log.exportEntries.execute(tenant, { action: 'thing.done' });
    if (!exported.ok) throw new Error(exported.error.code);
    const ids: string[] = [];
    for await (const entries of exported.value) {
      ids.push(...entries.map(({ header }) => header.id));
      expect(entries.map(entryCsvRecord).join('')).not.toContain(',=');
    }
    expect(new Set(ids).size).toBe(501);

    const entries = new SqlAuditEntries();
    const counted = (filter: Parameters<typeof entries.count>[1], most: number) =>
      db.uow.run(tenant, (tx) => entries.count(tx, filter, most));
    expect([await counted({ action: 'thing.done' }, 502), await counted({}, 502)]).toEqual([501, 502]);
    expect(await counted({}, 501)).toBe(501);
  });

  test('the actions that there are entries of are found one by one, of the tenant alone', async () => {
    expect(await log.listActions.execute(tenant)).toEqual([]);
    await record(event(1), event(2, { action: 'other.done' }), event(3), event(4, { action: 'a.first' }));
    expect(await log.listActions.execute(tenant)).toEqual(['a.first', 'other.done', 'thing.done']);
    expect(await log.listActions.execute(newId<TenantId>())).toEqual([]);
  });
});
