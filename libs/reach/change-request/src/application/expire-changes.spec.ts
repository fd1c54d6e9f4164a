import { newId, requireSeal, type ChangeRequestId } from '#lib/kernel';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { CHANGE_OPEN_MS } from '../domain/change-request.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { sampleChange } from './fake-change.js';
import { fakeChanges } from './fake-changes.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';

/** A change that has waited for as long as changes wait. */
async function waited() {
  const { uow, home } = fakeWorld();
  const changes = new FakeChangeRequestRepository(uow);
  const [audit, outbox] = [new FakeAuditSink(uow), new FakeOutbox(uow)];
  const change = sampleChange(home, uow.now);
  await uow.run(home.tenantId, (tx) => changes.insert(tx, change));
  uow.now += CHANGE_OPEN_MS;
  const { expireChanges: expiring } = fakeChanges(uow, { rows: { changes, confirmers: unasked() }, audit, outbox });
  return {
    uow,
    home,
    change,
    changes,
    expire: (id = change.id) => expiring.execute(home.tenantId, id),
    found: () => uow.run(home.tenantId, async (tx) => (await changes.lock(tx, change.id))?.change),
    written: () => [...audit.of(home), ...outbox.of(home)],
  };
}

describe('the expiry of a change', () => {
  it('is recorded at the end of its time, and people are told', async () => {
    const { uow, change, expire, found, written } = await waited();
    expect(await expire()).toBe(true);
    expect(await found()).toEqual({ ...change, state: 'expired', closedAt: uow.now });
    expect(written()).toMatchObject([
      {
        action: 'change.expired',
        actor: { kind: 'system', id: 'change-expiry' },
        level: 'full',
        subject: { type: 'change_request', id: change.id },
      },
      { topic: 'change_request.changed', payload: { change_id: change.id } },
    ]);
  });

  it('is recorded no earlier', async () => {
    const { uow, change, expire, found, written } = await waited();
    uow.now -= 1;
    expect(await expire()).toBe(false);
    expect([await found(), written()]).toEqual([change, []]);
  });

  it('is recorded once, and of no unknown change', async () => {
    const { expire, written } = await waited();
    expect(await expire(newId<ChangeRequestId>())).toBe(false);
    expect(written()).toEqual([]);
    expect([await expire(), await expire()]).toEqual([true, false]);
    expect(written()).toHaveLength(2);
  });

  it('is not recorded of a change that a person closed before', async () => {
    const { uow, home, change, changes, expire, found, written } = await waited();
    const closed = { ...change, state: 'withdrawn', closedAt: uow.now - 1, closedBy: home.admin.personId } as const;
    await uow.run(home.tenantId, (tx) => changes.close(tx, closed));
    expect(await expire()).toBe(false);
    expect([await found(), written()]).toEqual([closed, []]);
  });

  it('leaves a change that Countersign did not write, so that the others expire', async () => {
    const { change, changes, expire, written } = await waited();
    const forged = { table: 'change_request', tenantId: null, id: change.id, columns: {} } as const;
    const seals = { seal: () => Promise.resolve(''), holds: () => Promise.resolve(false) };
    changes.lock = () => requireSeal(seals, forged, 'forged').then(() => null);
    expect(await expire()).toBe(false);
    expect(written()).toEqual([]);
  });
});
