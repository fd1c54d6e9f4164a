import { newId, type AgentId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import type { StepUpId } from '../domain/ids.js';
import { codeOf, FakeIdentityWorld, valueOf } from '../fake-identity-world.js';
import type { Standing } from '../domain/seats.js';
import { sampleCredential, sampleDigest } from './fake-credential-samples.js';

const FINGERPRINT = 'grace-passkey';
const EVIDENCE = [{ kind: 'mfa-proof', id: 'an id', digest: 'a digest' }] as never;

let world: FakeIdentityWorld;
/** Ada founded the tenant, and let Grace in by a token that she saw. */
let ada: PersonPrincipal;
let grace: PersonPrincipal;
/** Otto came in by the operator: he is of another hand. */
let otto: PersonPrincipal;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  ada = world.admin;
  [grace, otto] = [await world.person('Grace'), await world.person('Otto', ['read', 'admin'])];
  await world.comesIn(ada.personId, { channel: 'bootstrap', createdBy: null });
  await world.comesIn(otto.personId, { channel: 'operator', createdBy: null });
  await world.comesIn(grace.personId, { channel: 'shown', createdBy: ada.personId });
  world.uow.now += 1_000;
  world.passkeys.add(world.tenant, grace.personId, FINGERPRINT);
});

const proved = (by: PersonPrincipal, personId: PersonId, fingerprint = FINGERPRINT): StepUpId =>
  world.proofs.prove(world.tenant.tenantId, by.personId, { kind: 'vouch', person_id: personId, fingerprint });
const vouch = (by: PersonPrincipal, personId: PersonId, stepUpId: string | undefined = proved(by, personId)) =>
  world.vouch.execute(by, personId, { fingerprint: FINGERPRINT, stepUpId });
const standingOf = async (id: PersonId, before?: number): Promise<Standing | undefined> =>
  (await world.tx((tx) => world.seats.standingOf(tx, [id], before))).get(id);
const isGood = ({ personId, credentialId }: PersonPrincipal): Promise<boolean> =>
  world.tx((tx) => world.credentials.stillGood(tx, personId, credentialId));
const passkeyOf = (id: PersonId, fingerprint: string) => world.tx((tx) => world.passkeys.find(tx, id, fingerprint));

describe('a vouch', () => {
  it('T69: gives the person a vote of their own, on requests that open afterwards', async () => {
    expect(await standingOf(grace.personId)).toMatchObject({ known: false, sharedWith: [ada.personId] });
    expect(codeOf(await vouch(otto, grace.personId))).toBe('ok');
    expect(await standingOf(grace.personId, world.uow.now)).toMatchObject({ known: false, sharedWith: [ada.personId] });
    expect(await standingOf(grace.personId)).toMatchObject({ known: true, sharedWith: [] });
  });

  it('T69: ends every way to be the person but the passkey, and leaves other people theirs', async () => {
    world.passkeys.add(world.tenant, grace.personId, 'of-a-stranger');
    world.passkeys.add(world.tenant, otto.personId, 'of-otto');
    world.leftBehind.leave(world.tenant, grace.personId, { delegations: 3, browsers: 2 });
    const agentId = newId<AgentId>();
    const ofAgent = sampleCredential({ kind: 'agent_token', agentId }, world.uow.now, { createdBy: grace.personId });
    await world.tx((tx) => world.credentials.insert(tx, ofAgent, sampleDigest()));
    const digest = sampleDigest();
    await world.tx((tx) =>
      world.enrolments.insert(tx, {
        id: newId(),
        personId: grace.personId,
        digest,
        channel: 'shown',
        createdBy: ada.personId,
        expiresAt: world.uow.now + 3_600_000,
      }),
    );
    const ended = { revokedTokens: 2, invitations: 1, factors: 1, delegations: 3, browsers: 2 };
    expect(valueOf(await vouch(otto, grace.personId))).toEqual({ person: await world.found(grace.personId), ended });
    expect(await isGood(grace)).toBe(false);
    expect(await isGood(otto)).toBe(true);
    expect(await world.tx((tx) => world.enrolments.listOpen(tx))).toEqual([]);
    expect(await passkeyOf(grace.personId, FINGERPRINT)).not.toBeNull();
    expect(await passkeyOf(grace.personId, 'of-a-stranger')).toBeNull();
    expect(await passkeyOf(otto.personId, 'of-otto')).not.toBeNull();
  });

  it('is recorded with both seats, the passkey, the ended ways in, and the evidence of the second factor', async () => {
    world.proofs.evidence = EVIDENCE;
    const passkey = await passkeyOf(grace.personId, FINGERPRINT);
    const way = { issuer: null, hand: null, counts: true };
    const at = world.uow.now;
    await vouch(otto, grace.personId);
    expect(world.audit.of(world.tenant)).toEqual([
      {
        action: 'person.vouched_for',
        actor: expect.objectContaining({ id: otto.personId, credential_id: otto.credentialId }) as object,
        level: 'full_with_evidence',
        subject: { type: 'person', id: grace.personId },
        payload: {
          seat_before: {
            shared_with: [ada.personId],
            known_by: [
              {
                ...way,
                basis: 'token',
                by: ada.personId,
                hand: ada.personId,
                counts: false,
                at: at - 1_000,
                since: at - 1_000,
              },
            ],
          },
          seat_of_voucher: {
            shared_with: [],
            known_by: [{ ...way, basis: 'operator', by: null, at: at - 2_000, since: at - 2_000 }],
          },
          passkey: { id: passkey, fingerprint: FINGERPRINT },
          ended: { revoked_tokens: 1, invitations: 0, factors: 0, delegations: 0, browsers: 0 },
          mfa: { method: 'totp', proved_at: at },
        },
        evidence: EVIDENCE,
      },
    ]);
  });

  it('counts once if two admins vouch at the same time', async () => {
    const olga = await world.person('Olga');
    await world.comesIn(olga.personId, { channel: 'operator', createdBy: null });
    const both = await Promise.all([vouch(otto, grace.personId), vouch(olga, grace.personId)]);
    expect(both.map(codeOf)).toEqual(['ok', 'vouch.known_already']);
    expect(world.actions()).toEqual(['person.vouched_for']);
  });

  it('leaves everything as it was if it can’t be recorded', async () => {
    jest.spyOn(world.audit, 'record').mockRejectedValue(new Error('no audit entry'));
    world.passkeys.add(world.tenant, grace.personId, 'another');
    const stepUpId = proved(otto, grace.personId);
    await expect(vouch(otto, grace.personId, stepUpId)).rejects.toThrow('no audit entry');
    jest.restoreAllMocks();
    expect(await isGood(grace)).toBe(true);
    expect(await standingOf(grace.personId)).toMatchObject({ known: false });
    expect(codeOf(await vouch(otto, grace.personId, stepUpId))).toBe('ok');
  });
});

describe('a vouch is refused', () => {
  /** The refusal's code. Nothing is written, nothing ends, and the proof stays unused. */
  const refusal = async (by: PersonPrincipal, personId: PersonId): Promise<string> => {
    const [stepUpId, before] = [proved(by, personId), await standingOf(personId)];
    const entries = world.audit.of(world.tenant);
    const code = codeOf(await vouch(by, personId, stepUpId));
    expect(world.audit.of(world.tenant)).toEqual(entries);
    expect(await standingOf(personId)).toEqual(before);
    expect(await isGood(by)).toBe(true);
    const operation = { kind: 'vouch', person_id: personId, fingerprint: FINGERPRINT } as const;
    const proof = await world.tx((tx) => world.proofs.take(tx, { personId: by.personId, stepUpId, operation }));
    expect(codeOf(proof)).toBe('ok');
    return code;
  };
  afterEach(async () => {
    expect(await passkeyOf(grace.personId, FINGERPRINT)).not.toBeNull();
  });

  it('for a stranger to the tenant', async () => {
    expect(await refusal(otto, newId<PersonId>())).toBe('resource.not_found');
  });

  it('for a disabled person', async () => {
    await world.change.execute(ada, grace.personId, { disabled: true });
    expect(await refusal(otto, grace.personId)).toBe('identity.person_disabled');
  });

  it('for oneself', async () => {
    expect(await refusal(grace, grace.personId)).toBe('vouch.own');
  });

  it('for a person who never came in', async () => {
    expect(await refusal(otto, (await world.stranger('Alan')).id)).toBe('vouch.nobody_came_in');
  });

  it('for a person who is known already', async () => {
    expect(await refusal(otto, ada.personId)).toBe('vouch.known_already');
  });

  it('T69: to the hand that let the person in, and to everybody of that hand', async () => {
    const alan = await world.person('Alan');
    await world.comesIn(alan.personId, { channel: 'shown', createdBy: ada.personId });
    const barbara = await world.person('Barbara');
    await world.comesIn(barbara.personId, { channel: 'shown', createdBy: alan.personId });
    for (const by of [ada, alan, barbara]) expect(await refusal(by, grace.personId)).toBe('vouch.same_hand');
    expect(await isGood(grace)).toBe(true);
  });

  it('T69: while an issuer lets the person in that one admin put in force alone', async () => {
    const way = { basis: 'issuer', by: ada.personId, counts: false } as const;
    await world.tx((tx) => world.seats.signIn(tx, grace.personId, way));
    expect(await refusal(otto, grace.personId)).toBe('vouch.unconfirmed_issuer');
  });

  it('without a passkey of the person that has the fingerprint', async () => {
    const alan = await world.person('Alan');
    await world.comesIn(alan.personId, { channel: 'shown', createdBy: ada.personId });
    expect(await refusal(otto, alan.personId)).toBe('vouch.passkey_unknown');
    expect(await isGood(alan)).toBe(true);
  });

  it('without a second factor that was proved for this person, passkey and admin', async () => {
    const execute = async (stepUpId?: string): Promise<string> =>
      codeOf(await world.vouch.execute(otto, grace.personId, { fingerprint: FINGERPRINT, stepUpId }));
    expect(await execute()).toBe('mfa.not_enrolled');
    world.proofs.enrol(world.tenant.tenantId, otto.personId);
    expect(await execute()).toBe('mfa.required');
    expect(await execute(newId())).toBe('mfa.required');
    const others = [
      proved(otto, ada.personId),
      proved(otto, grace.personId, 'another passkey'),
      proved(ada, grace.personId),
    ];
    for (const stepUpId of others) expect(await execute(stepUpId)).toBe('mfa.other_operation');
    expect(world.actions()).toEqual([]);
    expect(await isGood(grace)).toBe(true);
    expect(await standingOf(grace.personId)).toMatchObject({ known: false });
  });

  it('with a proof that was used before', async () => {
    const alan = await world.person('Alan');
    await world.comesIn(alan.personId, { channel: 'shown', createdBy: ada.personId });
    const stepUpId = proved(otto, grace.personId);
    expect(codeOf(await vouch(otto, grace.personId, stepUpId))).toBe('ok');
    await world.comesIn(grace.personId, { channel: 'shown', createdBy: ada.personId });
    world.uow.now += 1_000;
    expect(codeOf(await vouch(otto, grace.personId, stepUpId))).toBe('mfa.proof_used');
  });
});
