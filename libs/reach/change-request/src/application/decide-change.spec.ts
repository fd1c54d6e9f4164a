import { z } from 'zod';
import type { Json } from '#lib/canonical';
import type { MfaProofs } from '#lib/identity';
import { newId, ok, type CarriesOutChange, type ChangeKind, type Principal } from '#lib/kernel';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { samplePerson, fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleChange } from './fake-change.js';
import { fakeChanges } from './fake-changes.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';
import { FakeConfirmerDirectory, samplePossible, type KeptPerson } from './fake-confirmer-directory.js';

const flag = z.strictObject({ environment_id: z.string(), production: z.boolean() });

/** A change with this payload that waits for the second admin. @param standing how that admin stands in the directory. */
async function openRequest(payload: Json, standing: Partial<KeptPerson> = {}) {
  const { uow, home } = fakeWorld();
  const changes = new FakeChangeRequestRepository(uow);
  const [audit, outbox] = [new FakeAuditSink(uow), new FakeOutbox(uow)];
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  const carried: unknown[] = [];
  let proofs = 0;
  const directory = new FakeConfirmerDirectory(uow);
  directory.keep(home, samplePossible(confirmer.personId, 'PlatformAdmin', 0, standing));
  const mfa: MfaProofs = {
    take: () => {
      proofs += 1;
      return Promise.resolve(ok({ method: 'totp', provedAt: uow.now, evidence: [] }));
    },
    mfaState: () => Promise.resolve({ enrolled: true }),
  };
  const carrier: CarriesOutChange<z.infer<typeof flag>> = {
    payload: flag,
    carryOut: (_tx, _change, wanted) => {
      carried.push(wanted);
      return Promise.resolve(ok({ outcome: 'done', value: null, alone: false }));
    },
  };
  // These changes are of one kind; the carriers of all others are never asked.
  const carriers = { environment: carrier } as unknown as Readonly<Record<ChangeKind, CarriesOutChange>>;
  let revoked = false;
  const credentials = { stillGood: () => Promise.resolve(!revoked) };
  const parts = fakeChanges(uow, { rows: { changes, confirmers: directory }, audit, outbox, credentials });
  const confirm = parts.confirming(mfa, carriers);
  const change = sampleChange(home, uow.now, payload);
  await uow.run(home.tenantId, (tx) => changes.insert(tx, change));
  return {
    confirm: () => confirm.execute(confirmer, change.id, { changeDigest: change.changeDigest, stepUpId: newId() }),
    reject: () => parts.rejectChange.execute(confirmer, change.id, 'It is in use.'),
    withdraw: () => parts.withdrawChange.execute(home.admin, change.id),
    closed: () => uow.run(home.tenantId, async (tx) => (await changes.lock(tx, change.id))?.change),
    known: () => uow.run(home.tenantId, (tx) => parts.twoPersonRule.waiting(tx, 'environment', 'production', flag)),
    read: (by: Principal) => parts.readChanges.one(by, change.id),
    ...{ confirmer, author: home.admin },
    carried,
    proofsTaken: () => proofs,
    revokeOnceLocked: () => {
      const lock = changes.lock.bind(changes);
      changes.lock = (...locked) => {
        revoked = true;
        return lock(...locked);
      };
    },
  };
}

const FITS = { environment_id: 'e1', production: false };
const ADMIN = { role: 'PlatformAdmin', assignedAt: 0, revokedAt: null };

describe('a confirmed change', () => {
  it('is carried out with its payload', async () => {
    const change = await openRequest(FITS);
    expect(await change.known()).toEqual([FITS]);
    const answer = await change.confirm();
    expect(answer).toMatchObject(ok({ change: { state: 'applied', closedBy: change.confirmer.personId } }));
    expect(answer).toEqual(await change.read(change.confirmer));
    expect(change.carried).toEqual([FITS]);
    expect(await change.closed()).toMatchObject({ state: 'applied' });
  });

  it.each<[string, Json]>([
    ['lacks a member', { environment_id: 'e1' }],
    ['has a member more', { ...FITS, since: 1 }],
    ['has a member of another type', { environment_id: 'e1', production: 'no' }],
    ['is no object', null],
  ])('is void if its stored payload %s, and uses no proof', async (_how, payload) => {
    const change = await openRequest(payload);
    expect(await change.known()).toEqual([]);
    expect(await change.confirm()).toMatchObject({ ok: false, error: { code: 'change.payload_outdated' } });
    expect(await change.closed()).toMatchObject({ state: 'voided' });
    expect(change.carried).toEqual([]);
    expect(change.proofsTaken()).toBe(0);
  });
});

describe('a change', () => {
  it.each([
    ['reject', 'rejected', 'confirmer'],
    ['withdraw', 'withdrawn', 'author'],
  ] as const)('is closed by %s', async (act, state, by) => {
    const change = await openRequest(FITS);
    const answer = await change[act]();
    expect(answer).toMatchObject(ok({ change: { state, closedBy: change[by].personId } }));
    expect(answer).toEqual(await change.read(change[by]));
  });

  it.each<[string, string, Partial<KeptPerson>]>([
    ['is disabled', 'resource.not_found', { disabledAt: 0 }],
    ['lost the role', 'change.role_required', { assignments: [{ ...ADMIN, revokedAt: 1 }] }],
    ['got the role later', 'change.role_too_new', { assignments: [{ ...ADMIN, assignedAt: Infinity }] }],
  ])('stays open if its second person %s', async (_how, code, standing) => {
    const change = await openRequest(FITS, standing);
    expect(await change.confirm()).toMatchObject({ ok: false, error: { code } });
    expect(await change.reject()).toMatchObject({ ok: false, error: { code } });
    expect(await change.closed()).toMatchObject({ state: 'open' });
    expect([change.carried, change.proofsTaken()]).toEqual([[], 0]);
  });

  it.each(['confirm', 'reject', 'withdraw'] as const)(
    'T17: stays open if the credential of %s was revoked while it waited',
    async (act) => {
      const change = await openRequest(FITS);
      change.revokeOnceLocked();
      expect(await change[act]()).toMatchObject({ ok: false, error: { code: 'credential.ended' } });
      expect(await change.closed()).toMatchObject({ state: 'open' });
      expect(change.carried).toEqual([]);
    },
  );
});
