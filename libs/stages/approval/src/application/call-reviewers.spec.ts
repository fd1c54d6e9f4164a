import { newId, type PersonId, type SessionId, type Tx } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { CallReviewers } from './call-reviewers.js';
import { sampleCall } from './fake-call.js';

const tenant = sampleTenant();
const { personId: owner } = tenant.owner;
const [ada, ben, dov] = [newId<PersonId>(), newId<PersonId>(), newId<PersonId>()];
const tx = { tenantId: tenant.tenantId } as Tx;

/** Whether somebody is excluded from a call of an agent that acts for `ada`, if these people came in by the hand of others. */
function excludes(personId: PersonId, hands: ReadonlyMap<PersonId, PersonId> = new Map()): Promise<boolean> {
  const came = { basis: 'token', issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const;
  const waysIn = new Map([...hands].map(([id, hand]) => [id, [{ ...came, by: hand, hand }]]));
  const subject = sampleCall(tenant, { revisionId: null, facts: null }, 0, { sessionId: newId<SessionId>() });
  const submitter = { ...subject.call.submitter, onBehalfOf: ada } as typeof subject.call.submitter;
  const reviewers = new CallReviewers({ waysIn: () => Promise.resolve(waysIn) });
  return reviewers.excludes(tx, { ...subject, call: { ...subject.call, submitter } }, personId, 2);
}

describe('the people who can never answer a call', () => {
  it('T03: are those behind it, and not the owner of its agent in a session outside production', async () => {
    expect([await excludes(ada), await excludes(owner), await excludes(ben)]).toEqual([true, false, false]);
  });

  it('T39: are those with one vote with them, in both directions', async () => {
    expect(await excludes(ben, new Map([[ben, ada]]))).toBe(true);
    expect(await excludes(ben, new Map([[ada, ben]]))).toBe(true);
    expect(
      await excludes(
        ben,
        new Map([
          [ada, dov],
          [ben, dov],
        ]),
      ),
    ).toBe(true);
    expect(await excludes(ben, new Map([[ben, dov]]))).toBe(false);
  });
});
