import type { KnownBy } from '#lib/identity';
import { newId, type ChangeRequestId, type PersonId, type Principal } from '#lib/kernel';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { OpenChange } from '../domain/change-request.js';
import { sampleChange } from './fake-change.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';
import { FakeConfirmerDirectory, samplePossible, type KeptPerson } from './fake-confirmer-directory.js';
import { ReadChanges } from './read-changes.js';

const ROLE = 'PlatformAdmin';
const PAGE = { limit: 2, after: null };

/** Changes that the admin of a tenant asked for, and a second admin. */
function changeWorld() {
  const { uow, home } = fakeWorld();
  const [changes, directory] = [new FakeChangeRequestRepository(uow), new FakeConfirmerDirectory(uow)];
  const ways = new Map<PersonId, readonly KnownBy[]>();
  const reading = new ReadChanges(uow, changes, directory, { waysIn: () => Promise.resolve(ways) });
  const keep = (personId: PersonId, members: Partial<KeptPerson> = {}) => {
    directory.keep(home, samplePossible(personId, ROLE, 0, members));
  };
  const second = samplePerson(home.tenantId, [ROLE]);
  keep(home.admin.personId, { displayName: 'Author' });
  keep(second.personId, { displayName: 'Second' });
  const open = async (members: Partial<OpenChange> = {}): Promise<OpenChange> => {
    const change = { ...sampleChange(home, uow.now), ...members };
    await uow.run(home.tenantId, (tx) => changes.insert(tx, change));
    return change;
  };
  return {
    ...{ uow, home, second, keep, open },
    /** The person was let in by a token that this hand had seen. */
    letIn: (personId: PersonId, hand: PersonId) =>
      ways.set(personId, [{ basis: 'token', by: hand, hand, handAt: 0, issuer: null, at: 0, since: 0, counts: false }]),
    withdraw: (change: OpenChange) =>
      uow.run(home.tenantId, (tx) =>
        changes.close(tx, { ...change, state: 'withdrawn', closedAt: uow.now, closedBy: home.admin.personId }),
      ),
    one: (by: Principal, { id }: Pick<OpenChange, 'id'>) => reading.one(by, id),
    confirmable: async (by: Principal) =>
      (await reading.list(by, { confirmable: true }, PAGE)).map(({ change }) => change.id),
    list: async (by: Principal) =>
      (await reading.list(by, { confirmable: false }, PAGE)).map(({ change }) => change.id),
    /** The code of the reader's refusal, and the names of those who can confirm. */
    seen: async (by: Principal, change: OpenChange) => {
      const found = await reading.one(by, change.id);
      if (!found.ok) throw new Error(found.error.code);
      const { refusal, confirmers } = found.value;
      return [refusal?.code ?? null, confirmers.map(({ displayName }) => displayName)];
    },
  };
}

describe('a change as its reader sees it', () => {
  it('may be confirmed by the second person alone, and everybody sees that person', async () => {
    const { home, second, open, seen } = changeWorld();
    const change = await open();
    expect(await seen(second, change)).toEqual([null, ['Second']]);
    expect(await seen(home.admin, change)).toEqual(['change.own', ['Second']]);
    expect(await seen(home.owner, change)).toEqual(['change.role_required', ['Second']]);
    expect(await seen(home.agent, change)).toEqual(['credential.person_required', ['Second']]);
  });

  it('is not for its beneficiary, nor for those who share a vote with its author', async () => {
    const { home, second, keep, open, seen, letIn } = changeWorld();
    const third = samplePerson(home.tenantId, [ROLE]);
    keep(third.personId, { displayName: 'Third' });
    expect(await seen(second, await open({ beneficiaryId: second.personId }))).toEqual([
      'change.beneficiary',
      ['Third'],
    ]);
    letIn(third.personId, home.admin.personId);
    expect(await seen(third, await open())).toEqual(['change.same_hand', ['Second']]);
  });

  it.each<[string, Partial<KeptPerson>, string]>([
    [
      'got the role later',
      { assignments: [{ role: ROLE, assignedAt: Infinity, revokedAt: null }] },
      'change.role_too_new',
    ],
    ['is disabled', { disabledAt: 0 }, 'change.role_too_new'],
  ])('has no confirmer if the second person %s', async (_how, members, code) => {
    const { second, keep, open, seen, home, uow } = changeWorld();
    keep(second.personId, members);
    const reader = { ...second, roles: [{ role: ROLE, assignedAt: uow.now + 1 }] };
    expect(await seen(reader, await open())).toEqual([code, []]);
    expect(await seen(home.admin, await open())).toEqual(['change.own', []]);
  });

  it('has no possible confirmer once it is closed or expired', async () => {
    const { second, open, withdraw, seen, uow } = changeWorld();
    const [closed, expired] = [await open(), await open()];
    await withdraw(closed);
    expect(await seen(second, closed)).toEqual(['change.closed', []]);
    uow.now = expired.expiresAt;
    expect(await seen(second, expired)).toEqual(['change.expired', []]);
  });

  it('is not there for another tenant', async () => {
    const { one, open, second } = changeWorld();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    const stranger = fakeWorld().home.admin;
    expect(await one(stranger, await open())).toMatchObject(missing);
    expect(await one(second, { id: newId<ChangeRequestId>() })).toMatchObject(missing);
  });
});

describe('the list of changes that a reader may confirm', () => {
  it('is filled from later pages, the newest first', async () => {
    const { second, home, open, withdraw, confirmable, list, uow } = changeWorld();
    const later = async (members: Partial<OpenChange> = {}) => {
      uow.now += 1;
      return open({ openedAt: uow.now, ...members });
    };
    const [first, older, old] = [await later(), await later(), await later()];
    const own = [await later({ requestedBy: second.personId }), await later({ requestedBy: second.personId })];
    const closed = await later();
    await withdraw(closed);
    expect(await list(second)).toEqual([closed.id, own[1]?.id]);
    expect(await confirmable(second)).toEqual([old.id, older.id]);
    expect(await confirmable(home.admin)).toEqual(own.map(({ id }) => id).reverse());
    await withdraw(old);
    await withdraw(older);
    expect(await confirmable(second)).toEqual([first.id]);
    expect(await confirmable(home.agent)).toEqual([]);
  });
});
