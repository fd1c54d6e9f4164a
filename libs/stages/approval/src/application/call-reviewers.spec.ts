import { newId, type PersonPrincipal, type SessionId } from '#lib/kernel';
import type { Credential } from '#lib/identity';
import { sampleCredential } from '../../../../people/identity/src/application/fake-credential-samples.js';
import { FakeApprovalWorld } from './fake-approval-world.js';
import { callRules, sampleCall } from './fake-call.js';

/**
 * People who could approve a call in a session of an agent that acts for `ada`. Also tells whether an earlier answer
 * may stand for it.
 */
function callOfAda() {
  const world = new FakeApprovalWorld();
  const rules = callRules({ allowed_approvers: ['SRE'] });
  world.autonomy(rules);
  const { tenant, uow } = world;
  world.assignRole(tenant.owner, 'SRE');
  uow.now += 1;
  const [ada, ben, dov] = [world.person('SRE'), world.person('SRE'), world.person('SRE')];
  const subject = sampleCall(tenant, { revisionId: null, facts: rules }, uow.now, { sessionId: newId<SessionId>() });
  const submitter = { ...subject.call.submitter, onBehalfOf: ada.personId } as typeof subject.call.submitter;
  const decision = world.policy.evaluate('tool_call', subject.question);
  const would = (
    { personId: madeBy, credentialId }: PersonPrincipal,
    members: Partial<Credential> = {},
    wants: { readonly mfa?: boolean; readonly factorProved?: boolean } = {},
  ): Promise<boolean> => {
    const holder = { kind: 'browser_session', personId: madeBy } as const;
    world.credential = sampleCredential(holder, 0, { scopes: ['review'], ...members });
    const { mfa = false, factorProved = false } = wants;
    const call = {
      ...{ ...subject, call: { ...subject.call, submitter } },
      decision: { ...decision, obligations: { ...decision.obligations, mfa } },
      now: uow.now,
    };
    return world.inTx((tx) => world.reviewers.wouldApprove(tx, call, { madeBy, credentialId, factorProved }));
  };
  const cameBy = (person: PersonPrincipal, hand: PersonPrincipal) => {
    const came = { basis: 'token', issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const;
    const { personId: by } = hand;
    world.changePerson(person, () => ({ waysIn: [{ ...came, by, hand: by }] }));
  };
  return { world, ada, ben, dov, owner: tenant.owner, would, cameBy };
}

describe('an earlier answer', () => {
  it('T03: covers no call with a part of its giver, but for the owner of the agent outside production', async () => {
    const { ada, ben, owner, would } = callOfAda();
    expect([await would(ada), await would(owner), await would(ben)]).toEqual([false, true, true]);
  });

  it.each([
    ['came in by the hand of', true, false, false],
    ['brought in', false, true, false],
    ['came in by the same hand as', true, true, false],
    ['came in by another hand than', true, false, true],
  ])('T39: of a person who %s somebody behind the call', async (_how, benCame, adaCame, expected) => {
    const { ada, ben, dov, would, cameBy } = callOfAda();
    if (benCame) cameBy(ben, adaCame || expected ? dov : ada);
    if (adaCame) cameBy(ada, benCame ? dov : ben);
    expect(await would(ben)).toBe(expected);
  });

  it('T06: covers no call once its giver is disabled or lost the role, or the credential was revoked', async () => {
    const { world, ben, dov, would } = callOfAda();
    expect(await would(ben, { revokedAt: 1 })).toBe(false);
    expect(await would(ben, { expiresAt: 1 })).toBe(true);
    world.changePerson(ben, () => ({ disabled: true }));
    expect(await would(ben)).toBe(false);
    expect(await would(dov)).toBe(true);
    world.revokeRole(dov, 'SRE');
    expect(await would(dov)).toBe(false);
  });

  it('T06: covers no call that wants a second factor, unless one was proved for it', async () => {
    const { ben, would } = callOfAda();
    expect(await would(ben, {}, { mfa: true })).toBe(false);
    expect(await would(ben, {}, { mfa: true, factorProved: true })).toBe(true);
  });

  it('T55: covers nothing if it came by a token, or by the credential of another person', async () => {
    const { ben, dov, would } = callOfAda();
    expect(await would(ben, { holder: { kind: 'person_token', personId: ben.personId } })).toBe(false);
    expect(await would(ben, { holder: { kind: 'browser_session', personId: dov.personId } })).toBe(false);
  });
});
