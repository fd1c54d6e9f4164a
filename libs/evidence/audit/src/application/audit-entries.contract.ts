import {
  digestOf,
  newId,
  type AuditEntryId,
  type AutomationRunId,
  type ChangeRequestId,
  type DecisionId,
  type PlanId,
  type SessionId,
  type TenantId,
} from '#lib/kernel';
import type { EntryCursor } from './audit.ports.js';
import { tenantOf, type AuditStore } from './audit-store.contract.js';
import { sampleEntry } from './fake-audit-entry.js';

/** The contract of {@link AuditEntryWriter}, and of reading one entry. */
export function describeAuditEntries(name: string, store: () => AuditStore): void {
  describe(`${name}: audit entries`, () => {
    it('are found whole, with the time of the database', async () => {
      const { inTx, tenantId } = tenantOf(store());
      const evidence = [{ kind: 'plan', id: newId(), digest: digestOf('plan', {}) }] as const;
      const within = [{ type: 'task', id: newId() }];
      const entry = sampleEntry({ evidence, event: { within, decisionId: newId<DecisionId>(), level: 'critical' } });
      const before = await inTx((tx) => tx.now());
      await inTx((tx) => store().entries.insert(tx, entry));
      const after = await inTx((tx) => tx.now());
      const found = await inTx((tx) => store().entries.find(tx, entry.id));
      const { action, actor, level, subject, decisionId } = entry.event;
      expect(found).toEqual({
        ...{ tenantId, id: entry.id, action, actor, level, subject, within, decisionId, evidence },
        occurredAt: expect.any(Number) as number,
        payloadDigest: Buffer.from(entry.payloadDigest),
      });
      expect(found?.occurredAt).toBeGreaterThanOrEqual(Math.floor(before));
      expect(found?.occurredAt).toBeLessThanOrEqual(after);
    });

    it('happened in nothing, and name no decision, unless it is said', async () => {
      const tenant = tenantOf(store());
      const id = await tenant.recordedOne();
      expect(await tenant.inTx((tx) => store().entries.find(tx, id))).toMatchObject({
        ...{ within: [], decisionId: null, evidence: [] },
      });
    });

    it('have a payload with its salt', async () => {
      const tenant = tenantOf(store());
      const [one, other] = [sampleEntry({ payloadText: '{"a":[1,null]}' }), sampleEntry({ salt: Buffer.alloc(32, 9) })];
      await tenant.inTx(async (tx) => {
        await store().entries.insert(tx, one);
        await store().entries.insert(tx, other);
      });
      const asked = [one.id, other.id, newId<AuditEntryId>()];
      const found = await tenant.inTx((tx) => store().entries.payloads(tx, asked));
      expect([...found].map(([id, { payload, salt }]) => [id, payload, Buffer.from(salt)]).sort()).toEqual(
        [
          [one.id, { a: [1, null] }, Buffer.alloc(32, 2)],
          [other.id, { n: 1 }, Buffer.alloc(32, 9)],
        ].sort(),
      );
      expect(await tenant.inTx((tx) => store().entries.payloads(tx, []))).toEqual(new Map());
      expect(await tenant.inTx((tx) => store().entries.payloadBytes(tx, asked))).toBe(
        Buffer.byteLength(`${one.payloadText}${other.payloadText}`),
      );
      expect(await tenant.inTx((tx) => store().entries.payloadBytes(tx, []))).toBe(0);
    });

    it('of a pack are those of the plan, those of its task without one, and those that fix a document', async () => {
      const tenant = tenantOf(store());
      const [planId, otherPlan] = [newId<PlanId>(), newId<PlanId>()];
      const [task, plan, other] = [
        { type: 'task', id: newId() },
        { type: 'plan', id: planId },
        { type: 'plan', id: otherPlan },
      ];
      const digest = digestOf('tool', { name: 'x' });
      const ofTask = await tenant.recordedOne({ event: { within: [task], subject: task } });
      const ofPlan = await tenant.recordedOne({ event: { within: [task, plan], subject: plan } });
      await tenant.recordedOne({ event: { within: [task, other], subject: other } });
      await tenant.recordedOne({ event: { within: [{ type: 'task', id: newId() }] } });
      const ofRun = await tenant.recordedOne({ event: { within: [plan], subject: { type: 'run', id: newId() } } });
      const fixing = await tenant.recordedOne({ evidence: [{ kind: 'tool', id: 'x', digest }] });
      await tenant.recorded(1);
      const found = async (id: PlanId, ...digests: string[]) =>
        (await tenant.inTx((tx) => store().entries.forPack(tx, { type: 'plan', id }, digests))).map((each) => each.id);
      expect(await found(planId)).toEqual([ofTask, ofPlan, ofRun]);
      expect(await found(planId, digest)).toEqual([ofTask, ofPlan, ofRun, fixing]);
      expect(await found(newId<PlanId>())).toEqual([]);
      expect(await found(newId<PlanId>(), digest)).toEqual([fixing]);
    });

    it('within a thing follow each other, oldest first, from a time on or after an entry', async () => {
      const tenant = tenantOf(store());
      const session = { type: 'session', id: newId() };
      const [one, two, three] = [
        await tenant.recordedOne({ event: { within: [session] } }),
        await tenant.recordedOne({ event: { within: [session, { type: 'x', id: newId() }] } }),
        await tenant.recordedOne({ event: { within: [session] } }),
      ];
      await tenant.recordedOne({ event: { within: [{ type: 'session', id: newId() }] } });
      await tenant.recordedOne({ event: { within: [{ type: 'task', id: session.id }] } });
      const found = (from: EntryCursor | number, limit = 10) =>
        tenant.inTx((tx) => store().entries.following(tx, session, from, limit));
      const ids = async (from: EntryCursor | number, limit?: number) =>
        (await found(from, limit)).map(({ id }) => id).sort();
      expect(await ids(0)).toEqual([one, two, three].sort());
      const [first, second] = await found(0, 2);
      if (first === undefined || second === undefined) throw new Error('entries are missing');
      expect(first.occurredAt).toBeLessThanOrEqual(second.occurredAt);
      expect(await ids(second)).toEqual([one, two, three].filter((id) => ![first.id, second.id].includes(id)));
      expect(await ids(second.occurredAt + 60_000)).toEqual([]);
    });

    it('of a pack are those about the change', async () => {
      const tenant = tenantOf(store());
      const id = newId<ChangeRequestId>();
      const about = await tenant.recordedOne({ event: { subject: { type: 'change_request', id } } });
      await tenant.recordedOne({ event: { subject: { type: 'plan', id } } });
      await tenant.recordedOne({ event: { subject: { type: 'change_request', id: newId() } } });
      const subject = { type: 'change_request', id } as const;
      const found = await tenant.inTx((tx) => store().entries.forPack(tx, subject, []));
      expect(found.map((each) => each.id)).toEqual([about]);
      expect(await tenantOf(store()).inTx((tx) => store().entries.forPack(tx, subject, []))).toEqual([]);
    });

    it('of a pack are those within the session', async () => {
      const tenant = tenantOf(store());
      const subject = { type: 'session', id: newId<SessionId>() } as const;
      const own = await tenant.recordedOne({ event: { within: [subject], subject } });
      const call = { type: 'tool_call', id: newId() };
      const ofCall = await tenant.recordedOne({ event: { within: [subject, call], subject: call } });
      await tenant.recordedOne({ event: { within: [{ type: 'task', id: subject.id }] } });
      await tenant.recordedOne({ event: { subject } });
      const found = await tenant.inTx((tx) => store().entries.forPack(tx, subject, []));
      expect(found.map(({ id }) => id).sort()).toEqual([own, ofCall].sort());
    });

    it('of a pack are those within the run of the automation', async () => {
      const tenant = tenantOf(store());
      const subject = { type: 'automation_run', id: newId<AutomationRunId>() } as const;
      const automation = { type: 'automation', id: newId() };
      const within = [automation, subject];
      const own = await tenant.recordedOne({ event: { within, subject } });
      const ofCall = await tenant.recordedOne({ event: { within, subject: { type: 'tool_call', id: newId() } } });
      await tenant.recordedOne({ event: { within: [automation], subject: automation } });
      await tenant.recordedOne({ event: { within: [automation, { ...subject, id: newId() }] } });
      const found = await tenant.inTx((tx) => store().entries.forPack(tx, subject, []));
      expect(found.map(({ id }) => id).sort()).toEqual([own, ofCall].sort());
    });

    it('are written once under their id (23505)', async () => {
      const { inTx } = tenantOf(store());
      const entry = sampleEntry();
      await inTx((tx) => store().entries.insert(tx, entry));
      await expect(inTx((tx) => store().entries.insert(tx, entry))).rejects.toMatchObject({ code: '23505' });
    });

    it('T28: are gone with the transaction of their action', async () => {
      const { inTx } = tenantOf(store());
      const entry = sampleEntry();
      const failing = inTx(async (tx) => {
        await store().entries.insert(tx, entry);
        throw new Error('the action failed');
      });
      await expect(failing).rejects.toThrow('the action failed');
      expect(await inTx((tx) => store().entries.find(tx, entry.id))).toBeNull();
    });

    it('T19: are shown to their own tenant alone', async () => {
      const id = await tenantOf(store()).recordedOne();
      const other = newId<TenantId>();
      const ids = [id];
      expect(await store().uow.run(other, (tx) => store().entries.find(tx, id))).toBeNull();
      expect(await store().uow.run(other, (tx) => store().entries.payloads(tx, ids))).toEqual(new Map());
    });
  });
}
