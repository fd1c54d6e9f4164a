import { z } from 'zod';
import type { Json } from '#lib/canonical';
import type { MfaProofs } from '#lib/identity';
import { newId, ok, type CarriesOutChange, type ChangeKind } from '#lib/kernel';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { samplePerson, fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ChangeJournal } from './change-journal.js';
import { fakeChangeListener } from './fake-change-listener.js';
import type { ConfirmerDirectory } from './change-request.ports.js';
import { ConfirmChange } from './decide-change.js';
import { sampleChange } from './fake-change.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';
import { TwoSeatRule } from './two-person-rule.js';

const flag = z.strictObject({ environment_id: z.string(), production: z.boolean() });

/** A change with this payload that waits for the second admin. */
async function waitingChange(payload: Json) {
  const { uow, home } = fakeWorld();
  const changes = new FakeChangeRequestRepository(uow);
  const [audit, outbox] = [new FakeAuditSink(uow), new FakeOutbox(uow)];
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  const carried: unknown[] = [];
  let proofs = 0;
  const directory: ConfirmerDirectory = {
    lockPossible: () => Promise.resolve([]),
    lockConfirmer: (_tx, personId) => Promise.resolve({ personId, roles: confirmer.roles, reenrolled: null }),
    holders: () => Promise.resolve([]),
  };
  const seats = { standingOf: () => Promise.resolve(new Map()) };
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
  const journal = new ChangeJournal(changes, audit, outbox, fakeChangeListener);
  // These changes are of one kind; the carriers of all others are never asked.
  const carriers = { environment: carrier } as unknown as Readonly<Record<ChangeKind, CarriesOutChange>>;
  let revoked = false;
  const credentials = { stillGood: () => Promise.resolve(!revoked) };
  const confirm = new ConfirmChange(uow, changes, directory, seats, mfa, journal, carriers, credentials);
  const change = sampleChange(home, uow.now, payload);
  await uow.run(home.tenantId, (tx) => changes.insert(tx, change));
  return {
    confirm: () => confirm.execute(confirmer, change.id, { changeDigest: change.changeDigest, stepUpId: newId() }),
    closed: () => uow.run(home.tenantId, (tx) => changes.lock(tx, change.id)),
    known: () =>
      uow.run(home.tenantId, (tx) =>
        new TwoSeatRule(changes, directory, seats, journal, audit).waiting(tx, 'environment', 'production', flag),
      ),
    carried,
    proofsTaken: () => proofs,
    revokeCredential: () => {
      revoked = true;
    },
  };
}

const FITS = { environment_id: 'e1', production: false };

describe('a confirmed change', () => {
  it('is carried out with its payload', async () => {
    const change = await waitingChange(FITS);
    expect(await change.known()).toEqual([FITS]);
    expect(await change.confirm()).toEqual(ok(undefined));
    expect(change.carried).toEqual([FITS]);
    expect(await change.closed()).toMatchObject({ state: 'applied' });
  });

  it.each<[string, Json]>([
    ['lacks a member', { environment_id: 'e1' }],
    ['has a member more', { ...FITS, since: 1 }],
    ['has a member of another type', { environment_id: 'e1', production: 'no' }],
    ['is no object', null],
  ])('is void if its stored payload %s, and uses no proof', async (_how, payload) => {
    const change = await waitingChange(payload);
    expect(await change.known()).toEqual([]);
    expect(await change.confirm()).toMatchObject({ ok: false, error: { code: 'change.payload_outdated' } });
    expect(await change.closed()).toMatchObject({ state: 'voided' });
    expect(change.carried).toEqual([]);
    expect(change.proofsTaken()).toBe(0);
  });

  it('T17: stays open if the credential was revoked while the confirmation waited', async () => {
    const change = await waitingChange(FITS);
    change.revokeCredential();
    expect(await change.confirm()).toMatchObject({ ok: false, error: { code: 'credential.ended' } });
    expect(await change.closed()).toMatchObject({ state: 'open' });
    expect(change.carried).toEqual([]);
  });
});
