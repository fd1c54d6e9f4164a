import { actorOf, newId, type AgentId, type FactorId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { FakeIdentityWorld } from '../fake-identity-world.js';
import { endedDocument, type EndedOfHand } from './end-former-hand.js';
import { sampleCredential, sampleDigest } from './fake-credential-samples.js';

let world: FakeIdentityWorld;
let grace: PersonPrincipal;
let alan: PersonPrincipal;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  [grace, alan] = [await world.person('Grace'), await world.person('Alan')];
});
const isThere = (id: PersonId): Promise<boolean> => world.tx((tx) => world.formerHand.isThere(tx, id));
const end = (kept: FactorId | null = null): Promise<EndedOfHand> =>
  world.tx((tx) =>
    world.formerHand.execute(tx, grace.personId, {
      actor: actorOf(world.admin),
      endedBy: world.admin.personId,
      kept,
      why: 'a test',
    }),
  );
const passkeys = (id: PersonId, fingerprints: readonly string[]) =>
  world.tx((tx) => Promise.all(fingerprints.map((fingerprint) => world.passkeys.find(tx, id, fingerprint))));
const isGood = ({ personId, credentialId }: PersonPrincipal): Promise<boolean> =>
  world.tx((tx) => world.credentials.stillGood(tx, personId, credentialId));

describe('a former hand', () => {
  it('exists for a person who never enrolled, or who enrolled by a token shown to an admin', async () => {
    expect(await isThere(grace.personId)).toBe(true);
    await world.comesIn(grace.personId, { channel: 'shown', createdBy: world.admin.personId });
    expect(await isThere(grace.personId)).toBe(true);
  });

  it('is absent once the operator lets the person in, until another admin lets them in', async () => {
    await world.comesIn(grace.personId, { channel: 'operator', createdBy: null });
    expect(await isThere(grace.personId)).toBe(false);
    await world.comesIn(grace.personId, { channel: 'shown', createdBy: alan.personId });
    expect(await isThere(grace.personId)).toBe(true);
  });
});

describe('the end of a former hand', () => {
  it('counts zero if there is nothing to end', async () => {
    await world.revoke.execute(grace, grace.credentialId);
    const nothing = { revokedTokens: 0, invitations: 0, factors: 0, delegations: 0, browsers: 0 };
    expect(await end()).toEqual(nothing);
  });

  it('takes every passkey away if none is to stay', async () => {
    for (const fingerprint of ['one', 'two']) world.passkeys.add(world.tenant, grace.personId, fingerprint);
    expect(await end()).toMatchObject({ factors: 2 });
    expect(await passkeys(grace.personId, ['one', 'two'])).toEqual([null, null]);
  });

  it('leaves the one passkey that is to stay', async () => {
    const [kept] = ['one', 'two'].map((one) => world.passkeys.add(world.tenant, grace.personId, one));
    expect(await end(kept)).toMatchObject({ factors: 1 });
    expect(await passkeys(grace.personId, ['one', 'two'])).toEqual([kept, null]);
  });

  it('ends browser sessions, links with Slack, delegations to agents, and tokens of agents made in the person’s name', async () => {
    const { personId } = grace;
    const agentId = newId<AgentId>();
    const theirs = [
      sampleCredential({ kind: 'browser_session', personId }, world.uow.now),
      sampleCredential({ kind: 'slack_link', personId }, world.uow.now),
      sampleCredential({ kind: 'delegation', agentId, delegatedBy: personId }, world.uow.now, { createdBy: personId }),
      sampleCredential({ kind: 'agent_token', agentId }, world.uow.now, { createdBy: personId }),
    ];
    const byAlan = sampleCredential({ kind: 'agent_token', agentId }, world.uow.now, { createdBy: alan.personId });
    await world.tx(async (tx) => {
      for (const one of [...theirs, byAlan]) await world.credentials.insert(tx, one, sampleDigest());
    });
    expect(await end()).toMatchObject({ revokedTokens: theirs.length + 1 });
    const good = await world.tx((tx) =>
      Promise.all([...theirs, byAlan].map(({ id }) => world.credentials.stillGood(tx, personId, id))),
    );
    expect(good).toEqual([...theirs.map(() => false), true]);
    expect([await isGood(grace), await isGood(alan)]).toEqual([false, true]);
  });

  it('ends delegations in the name of the one who ends them, at that moment', async () => {
    world.leftBehind.leave(world.tenant, grace.personId, { delegations: 2, browsers: 1 });
    world.leftBehind.leave(world.tenant, alan.personId, { delegations: 5, browsers: 5 });
    const ended = await end();
    expect(ended).toMatchObject({ delegations: 2, browsers: 1 });
    const by = world.admin.personId;
    expect([...world.leftBehind.ends]).toEqual([[grace.personId, { at: world.uow.now, by }]]);
    expect(endedDocument(ended)).toEqual({
      revoked_tokens: 1,
      invitations: 0,
      factors: 0,
      delegations: 2,
      browsers: 1,
    });
  });
});
