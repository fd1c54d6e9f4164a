import type { ConfirmedChange, PersonPrincipal } from '#lib/kernel';
import { parseNoteKey } from '#lib/verifier';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { fakeAuditLog } from './fake-audit-log.js';

function rotating() {
  const log = fakeAuditLog();
  const { uow, home, keys, keyStore, twoPersonRule, author, confirmer, sequence } = log;
  const { rotateKey: rotate } = log.guarded(twoPersonRule, []);
  return {
    ...log,
    rotate: (by: PersonPrincipal = author) => rotate.execute(by),
    confirm: (change = twoPersonRule.waitingIn(home)[0]) => {
      if (change === undefined) throw new Error('no change waits');
      const confirmed: ConfirmedChange = sampleConfirmation(change, author, confirmer);
      return uow.run(home.tenantId, (tx) => rotate.carryOut(tx, confirmed));
    },
    list: () => log.listKeys.execute(home.tenantId),
    /** Another entry is signed. @returns the name of the key. */
    signed: async () => {
      await log.pass(1_000);
      await log.record();
      await sequence.execute(home.tenantId);
      return (await log.latest())?.keyName;
    },
    add: (name: string) =>
      uow.run(home.tenantId, async (tx) => {
        const key = await keyStore.create(home.tenantId, name);
        await keys.add(tx, key, uow.now);
        return key;
      }),
  };
}

describe('the keys of the log', () => {
  it('are one, made with the first entry that is signed', async () => {
    const log = rotating();
    expect(await log.list()).toEqual([]);
    const name = await log.signed();
    const [key, ...others] = await log.list();
    expect([key?.name, key?.validTo, others]).toEqual([name, null, []]);
    expect(parseNoteKey(key?.key ?? '')?.name).toBe(name);
    expect(await log.signed()).toBe(name);
  });

  it('rotate with a second person: the new one signs, and the old one stays in the history', async () => {
    const log = rotating();
    const former = await log.signed();
    expect(await log.rotate()).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect(await log.signed()).toBe(former);
    const rotated = await log.confirm();
    if (!rotated.ok || rotated.value.outcome !== 'done') throw new Error('the key was not rotated');
    const { value: current } = rotated.value;
    expect(await log.signed()).toBe(current.name);
    expect((await log.list()).map(({ name, validTo }) => [name, validTo])).toEqual([
      [former, current.validFrom],
      [current.name, null],
    ]);
    expect(await log.recorded('audit_key.rotated')).toMatchObject([
      {
        ...{ level: 'full_with_evidence', actor: { id: log.confirmer.personId } },
        subject: { type: 'audit_key', id: current.name },
        payload: { retired: { name: former }, current: { name: current.name, verifier: current.key }, guarded: true },
      },
    ]);
  });

  it('do not rotate before the first key', async () => {
    const log = rotating();
    expect(await log.rotate()).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'audit.no_key_yet' } });
    expect(log.twoPersonRule.waitingIn(log.home)).toEqual([]);
  });

  it('rotate once for a change that was made about the key before', async () => {
    const log = rotating();
    await log.signed();
    await log.rotate();
    await log.pass(1_000);
    log.twoPersonRule.secondAdmin = false;
    const [change] = log.twoPersonRule.waitingIn(log.home);
    await log.rotate();
    expect(log.twoPersonRule.waitingIn(log.home)).toEqual([]);
    expect(await log.confirm(change)).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    expect(await log.list()).toHaveLength(2);
  });

  it('need a reason to rotate', async () => {
    const log = rotating();
    await log.signed();
    await expect(log.rotate(log.home.admin)).rejects.toMatchObject({ failure: { code: 'change.reason_missing' } });
  });

  it.each(['', '/../x', 'x'])('T42: are not listed under a name that is none of theirs: …%s', async (end) => {
    const log = rotating();
    await log.add(`countersign/${log.home.tenantId}/audit-${end}`);
    expect(await log.list()).toEqual([]);
  });

  it('T42: are not listed without their private half', async () => {
    const log = rotating();
    await log.signed();
    log.keyStore.lose();
    expect(await log.list()).toEqual([]);
  });
});
