import type { ConfirmedChange, PersonPrincipal } from '#lib/kernel';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { KEEP_FOR_EVER, type RetentionRule } from '../domain/retention-rule.js';
import { fakeAuditLog } from './fake-audit-log.js';

const RULE: RetentionRule = { basic: 30, detailed: 30, full: 90, full_with_evidence: 365, critical: 730 };

function retaining() {
  const log = fakeAuditLog();
  const { uow, home, twoPersonRule, author, confirmer } = log;
  const { retention: set } = log.guarded(twoPersonRule, []);
  return {
    ...log,
    set: (rule: RetentionRule, by: PersonPrincipal = author) => set.execute(by, rule),
    rule: () => set.read(home.tenantId),
    confirm: () => {
      const [change] = twoPersonRule.waitingIn(home);
      if (change === undefined) throw new Error('no change waits');
      const confirmed: ConfirmedChange = sampleConfirmation(change, author, confirmer);
      const payload = set.payload.safeParse(change.payload);
      if (!payload.success) throw new Error('the stored rule does not fit');
      return uow.run(home.tenantId, (tx) => set.carryOut(tx, confirmed, payload.data));
    },
  };
}

describe('the time for which payloads are kept', () => {
  it('is shortened with a second person, and stays as it is before', async () => {
    const log = retaining();
    expect(await log.set(RULE)).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect([await log.rule(), await log.recorded('audit_retention.set')]).toEqual([KEEP_FOR_EVER, []]);
    const [change] = log.twoPersonRule.waitingIn(log.home);
    expect(change?.loosens).toContain('payloads of the level full are erased after 90 days, and were kept for ever');
    expect(await log.confirm()).toMatchObject({ ok: true, value: { outcome: 'done', value: RULE } });
    expect(await log.rule()).toEqual(RULE);
    expect(await log.recorded('audit_retention.set')).toMatchObject([
      {
        level: 'full_with_evidence',
        actor: { id: log.confirmer.personId },
        subject: { type: 'audit_retention', id: log.home.tenantId },
        payload: { keep_days: RULE, before: KEEP_FOR_EVER, requested_by: log.author.personId, guarded: true },
      },
    ]);
  });

  it('is lengthened at once', async () => {
    const log = retaining();
    await log.set(RULE);
    await log.confirm();
    const longer = { ...RULE, critical: null, full: 100 };
    expect(await log.set(longer, log.home.admin)).toMatchObject({ ok: true, value: { outcome: 'done' } });
    expect(await log.rule()).toEqual(longer);
  });

  it('is not shortened if it changed while the change waited', async () => {
    const log = retaining();
    await log.set({ ...KEEP_FOR_EVER, basic: 30 });
    const moved = { ...KEEP_FOR_EVER, detailed: 90 };
    await log.uow.run(log.home.tenantId, (tx) => log.retention.setRule(tx, moved));
    expect(await log.confirm()).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    expect(await log.rule()).toEqual(moved);
  });

  it('voids a change request on the rule before', async () => {
    const log = retaining();
    await log.set(RULE);
    log.twoPersonRule.secondAdmin = false;
    await log.set({ ...RULE, critical: null });
    expect(log.twoPersonRule.waitingIn(log.home)).toEqual([]);
  });

  it.each<[Partial<RetentionRule>, string, string]>([
    [{ basic: 5 }, 'audit.retention_out_of_range', '/keep_days/basic'],
    [{ critical: 36_501 }, 'audit.retention_out_of_range', '/keep_days/critical'],
    [{ full: 90.5 }, 'audit.retention_out_of_range', '/keep_days/full'],
    [{ full_with_evidence: 731 }, 'audit.retention_not_monotonic', '/keep_days/critical'],
    [{ basic: null }, 'audit.retention_not_monotonic', '/keep_days/detailed'],
  ])('is never %j (%s)', async (wrong, code, pointer) => {
    const log = retaining();
    log.twoPersonRule.secondAdmin = false;
    expect(await log.set({ ...RULE, ...wrong })).toMatchObject({ ok: false, error: { code, errors: [{ pointer }] } });
    expect([await log.rule(), log.twoPersonRule.waitingIn(log.home)]).toEqual([KEEP_FOR_EVER, []]);
    expect(await log.recorded('audit_retention.set')).toEqual([]);
  });
});

describe('the erasure of payloads', () => {
  it('is recorded, with the entries that lost their payload', async () => {
    const log = retaining();
    const [old, older, young] = [await log.record(), await log.record(), await log.record()];
    expect(await log.erasePayloads.execute(log.home.tenantId)).toBe(0);
    log.twoPersonRule.secondAdmin = false;
    await log.set(RULE);
    log.entries.age(log.home, old, 31);
    log.entries.age(log.home, older, 40);
    expect(await log.erasePayloads.execute(log.home.tenantId)).toBe(2);
    expect(await log.erasePayloads.execute(log.home.tenantId)).toBe(0);
    expect(await log.recorded('audit_payload.erased')).toMatchObject([
      {
        ...{ level: 'full_with_evidence', actor: { kind: 'system', id: 'audit-retention' } },
        payload: { count: 2, entries: [older, old] },
      },
    ]);
    const kept = await log.uow.run(log.home.tenantId, (tx) => log.entries.payloads(tx, [old, older, young]));
    expect([...kept.keys()]).toEqual([young]);
  });
});
