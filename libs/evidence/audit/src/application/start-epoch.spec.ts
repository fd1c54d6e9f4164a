import type { ConfirmedChange, PersonPrincipal } from '#lib/kernel';
import { originOf, parseCheckpoint } from '#lib/verifier';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { fakeAuditLog } from './fake-audit-log.js';

const COMMAND = { reason: 'restored from the backup of Sunday', lastPublished: 'outside' };

/** A log with a signed entry in epoch 1. */
async function restoring() {
  const log = fakeAuditLog();
  const { uow, home, tree, twoPersonRule, author, confirmer, sequence } = log;
  const effects: number[] = [];
  const failing = { now: false };
  const { startEpoch: start } = log.guarded(twoPersonRule, [
    (_tx, epoch) => {
      effects.push(epoch);
      return failing.now ? Promise.reject(new Error('no effect')) : Promise.resolve();
    },
  ]);
  await log.record();
  await sequence.execute(home.tenantId);
  return {
    ...log,
    effects,
    failing,
    start: (by: PersonPrincipal = author) => start.execute(by, COMMAND),
    asOperator: (outside: readonly number[] = []) =>
      start.executeAsOperator(home.tenantId, COMMAND, [
        {
          held: (origin) =>
            Promise.resolve(outside.some((epoch) => originOf(home.tenantId, epoch) === origin) ? 'n' : null),
        },
      ]),
    confirm: (change = twoPersonRule.waitingIn(home)[0]) => {
      if (change === undefined) throw new Error('no change waits');
      const confirmed: ConfirmedChange = sampleConfirmation(change, author, confirmer);
      return uow.run(home.tenantId, (tx) => start.carryOut(tx, confirmed, start.payload.parse(change.payload)));
    },
    head: () => uow.run(home.tenantId, (tx) => tree.head(tx)),
    sequenceAll: () => sequence.execute(home.tenantId),
  };
}

describe('a new epoch', () => {
  it('waits for a second person, and starts nothing before', async () => {
    const log = await restoring();
    expect(await log.start()).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect([await log.head(), log.effects]).toEqual([{ epoch: 1, size: 1 }, []]);
    expect(log.twoPersonRule.waitingIn(log.home)).toMatchObject([
      {
        subject: { type: 'audit_epoch', id: '2' },
        reason: COMMAND.reason,
        payload: { reason: COMMAND.reason, last_published: 'outside' },
      },
    ]);
    expect(await log.confirm()).toMatchObject({ ok: true, value: { outcome: 'done', value: 2 } });
    expect([await log.head(), log.effects]).toEqual([{ epoch: 2, size: 0 }, [2]]);
  });

  it('gives no epoch again that stands outside: it was lost, and has checkpoints', async () => {
    const log = await restoring();
    expect(await log.asOperator([1, 2, 3])).toBe(4);
    expect([await log.head(), log.effects]).toEqual([{ epoch: 4, size: 0 }, [4]]);
  });

  it('takes the reason of the command, so that its author gives no other', async () => {
    const log = await restoring();
    expect(await log.start(log.home.admin)).toMatchObject({ ok: true, value: { outcome: 'waits' } });
  });

  it('grows a tree of its own; its first entry names the reason and the last checkpoint before', async () => {
    const log = await restoring();
    const before = await log.latest();
    await log.start();
    await log.confirm();
    await log.sequenceAll();
    const after = parseCheckpoint((await log.latest())?.note ?? '')?.checkpoint;
    expect(after).toMatchObject({ origin: originOf(log.home.tenantId, 2), treeSize: 1 });
    expect(await log.recorded('audit_epoch.started')).toMatchObject([
      {
        ...{ level: 'critical', subject: { type: 'audit_epoch', id: '2' }, actor: { id: log.confirmer.personId } },
        payload: {
          ...{ epoch: 2, reason: COMMAND.reason, restored_checkpoint: before?.note },
          ...{ last_published_checkpoint: 'outside', requested_by: log.author.personId, guarded: true },
        },
      },
    ]);
    expect(await log.latest(1)).toEqual(before);
  });

  it('is confirmed although the tree grew meanwhile, and not if another epoch began', async () => {
    const log = await restoring();
    await log.start();
    await log.record();
    await log.sequenceAll();
    expect(await log.confirm()).toMatchObject({ ok: true, value: { value: 2 } });
    const other = await restoring();
    await other.start();
    const [change] = other.twoPersonRule.waitingIn(other.home);
    await other.asOperator();
    expect(other.twoPersonRule.waitingIn(other.home)).toEqual([]);
    expect(await other.confirm(change)).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    expect(await other.head()).toMatchObject({ epoch: 2 });
  });

  it('is started by the operator without a second person', async () => {
    const log = await restoring();
    expect(await log.asOperator()).toBe(2);
    expect(await log.asOperator()).toBe(3);
    expect(log.effects).toEqual([2, 3]);
    const entries = await log.recorded('audit_epoch.started');
    expect(entries.map(({ actor, payload }) => [actor.id, payload])).toMatchObject([
      ['operator', { epoch: 2 }],
      ['operator', { epoch: 3, restored_checkpoint: null }],
    ]);
  });

  it('T28: does not start if one of its effects fails', async () => {
    const log = await restoring();
    log.failing.now = true;
    await expect(log.asOperator()).rejects.toThrow('no effect');
    expect([await log.head(), await log.recorded('audit_epoch.started')]).toEqual([{ epoch: 1, size: 1 }, []]);
  });
});
