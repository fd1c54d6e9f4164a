import type { Enrolment } from '#lib/identity';
import { newId, ok, type FactorId, type PersonPrincipal, type Tx } from '#lib/kernel';
import { BROWSER, failure, passkeyHolder } from '../fake-passkey-holder.js';
import type { InvitationAnswer } from './accept-invitation.js';
import { sampleCredential } from './fake-credentials.js';
import { samplePasskey } from './fake-passkey.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';

const HOUR_MS = 3_600_000;
const REFUSED = failure('enrolment.refused');
const FACTOR = samplePasskey({ id: newId<FactorId>() });

/** A person with an invitation, `token`. The mfa library answers as the test says. */
async function invited({
  channel = 'mailed',
  factors = 0,
  person: members = {},
}: {
  readonly channel?: Enrolment['channel'];
  readonly factors?: number;
  readonly person?: Parameters<typeof passkeyHolder>[0];
} = {}) {
  const used = new Set<string>();
  const says = { proved: ok(undefined) as ReturnType<typeof failure> | ReturnType<typeof ok<undefined>>, shown: true };
  const calls: string[] = [];
  const noted = <T>(call: string, result: T): Promise<T> => {
    calls.push(call);
    return Promise.resolve(result);
  };
  /** Whether a hand could still be the person. */
  const hand = { isThere: false };
  const world = await passkeyHolder(members, {
    identity: {
      invitations: {
        locate: (token) =>
          Promise.resolve(token === 'token' ? ok({ tenantId: home.tenantId, id: enrolment.id }) : REFUSED),
        lockGood: async (tx) =>
          used.has(enrolment.id) || enrolment.expiresAt <= (await tx.now())
            ? REFUSED
            : ok({ enrolment, person: (await people.lock(tx, person.id)) ?? person }),
      },
      endFormerHand: {
        isThere: () => Promise.resolve(hand.isThere),
        execute: () => noted('end hand', { revokedTokens: 3, invitations: 0, factors: 2, delegations: 1, browsers: 0 }),
      },
      outdatePerson: { execute: () => noted('outdate', undefined) },
    },
    directory: {
      enrolments: unasked({
        markUsed: (_tx, id) => {
          used.add(id);
          return Promise.resolve();
        },
      }),
    },
    signInPasskeys: {
      activeOf: () => Promise.resolve(Array.from({ length: factors }, () => samplePasskey())),
      offer: (_tx, _id, beside) => Promise.resolve(ok({ challenge: `beside ${String(beside.length)}` })),
      proveFormer: (_tx: Tx, _by: PersonPrincipal, proof) => noted(`proof ${proof?.code ?? 'none'}`, says.proved),
      answered: () => Promise.resolve(says.shown ? ok(FACTOR) : failure('mfa.passkey_refused')),
      add: (_tx, _by, { name }) => noted(`add ${name}`, { factor: FACTOR, recoveryCodes: ['code'] }),
    },
    passkeyKeeper: { keepOnly: (_tx, _id, { kept, why }) => noted(`keep ${kept ?? 'none'}: ${why}`, 1) },
  });
  const { uow, home, people, person, credentials, atHome } = world;
  const { acceptInvitation: accept } = world.parts;
  const enrolment: Enrolment = {
    id: newId(),
    personId: person.id,
    channel,
    expiresAt: uow.now + HOUR_MS,
    usedAt: null,
    voidedAt: null,
  };
  const answer: InvitationAnswer = { name: 'Laptop', registration: {}, proof: null, browser: BROWSER };
  return {
    ...world,
    says,
    calls,
    hand,
    used: () => used.size > 0,
    look: (token = 'token') => accept.look(token),
    accept: (members: Partial<InvitationAnswer> = {}, token = 'token') =>
      accept.accept(token, { ...answer, ...members }),
    /** An earlier token of the person. */
    earlierToken: () =>
      atHome((tx) => {
        const holder = { kind: 'person_token', personId: person.id } as const;
        return credentials.insert(tx, sampleCredential(newId(), holder, uow.now, uow.now + HOUR_MS), Buffer.from('t'));
      }),
    enrolledAt: () => people.all(home).map(({ enrolledAt }) => enrolledAt)[0],
  };
}

const refused = (code: string) => ({ ok: false, error: { code } });

describe('looking at an invitation', () => {
  it('shows the tenant and the person, and uses nothing up', async () => {
    const { look, used, person, uow, audited } = await invited();
    expect(await look()).toMatchObject(
      ok({
        tenantName: 'ACME',
        person: { id: person.id, displayName: 'Ada' },
        expiresAt: uow.now + HOUR_MS,
        options: { challenge: 'beside 0' },
        proofRequired: false,
      }),
    );
    expect([used(), audited()]).toEqual([false, []]);
  });

  it('says that a person who has factors proves one, except by a link of the operator', async () => {
    const mailed = await invited({ factors: 2 });
    expect(await mailed.look()).toMatchObject(ok({ proofRequired: true, options: { challenge: 'beside 2' } }));
    const byOperator = await invited({ factors: 2, channel: 'operator' });
    expect(await byOperator.look()).toMatchObject(ok({ proofRequired: false, options: { challenge: 'beside 0' } }));
  });
});

describe('accepting an invitation', () => {
  it('lets the person in with the passkey, from now on: their earlier tokens end, and changes about them', async () => {
    const {
      accept,
      earlierToken,
      used,
      calls,
      person,
      home,
      credentials,
      browserSessionsOf,
      enrolledAt,
      uow,
      audited,
    } = await invited();
    await earlierToken();
    uow.now += 1;
    const accepted = await accept();
    expect(accepted).toMatchObject(
      ok({ recoveryCodes: ['code'], browserSession: { token: expect.any(String) as string } }),
    );
    expect(used()).toBe(true);
    expect(enrolledAt()).toBe(uow.now);
    expect(calls).toEqual(['proof none', 'add Laptop', 'outdate']);
    const [earlier, browserSession] = credentials.all(home);
    expect([earlier?.revokedAt, browserSession?.revokedAt]).toEqual([uow.now, null]);
    expect(await browserSessionsOf(person.id)).toMatchObject([{ id: browserSession?.id, ...BROWSER }]);
    expect(audited()).toMatchObject([
      { action: 'browser_session.opened', payload: { passkey: FACTOR.id } },
      {
        action: 'person.enrolled',
        actor: { id: person.id, credential_id: browserSession?.id },
        level: 'full',
        subject: { type: 'person', id: person.id },
        payload: { by: 'passkey', passkey: FACTOR.id, channel: 'mailed', revoked_tokens: 1 },
      },
    ]);
  });

  it('works once, also at the same moment', async () => {
    const { accept, credentials, home } = await invited();
    const both = await Promise.all([accept(), accept()]);
    expect(both.map((result) => (result.ok ? 'in' : result.error.code))).toEqual(['in', 'enrolment.refused']);
    expect(credentials.all(home)).toHaveLength(1);
  });

  it.each([
    ['an unknown token', async ({ accept }: Awaited<ReturnType<typeof invited>>) => accept({}, 'another')],
    [
      'an old token',
      async ({ accept, uow }: Awaited<ReturnType<typeof invited>>) => {
        uow.now += HOUR_MS;
        return accept();
      },
    ],
  ])('is refused with %s', async (_what, attempt) => {
    const world = await invited();
    expect(await attempt(world)).toMatchObject(refused('enrolment.refused'));
    expect([world.calls, world.credentials.all(world.home)]).toEqual([[], []]);
  });

  it('is refused without the proof of a factor that the person has, and stays good', async () => {
    const { accept, says, used, calls, enrolledAt, person, credentials, home } = await invited({ factors: 1 });
    says.proved = failure('mfa.code_wrong');
    const proof = { method: 'totp', code: '123456' } as const;
    expect(await accept({ proof })).toMatchObject(refused('mfa.code_wrong'));
    expect(calls).toEqual(['proof 123456']);
    expect([used(), enrolledAt(), credentials.all(home)]).toEqual([false, person.enrolledAt, []]);
    says.proved = ok(undefined);
    expect(await accept({ proof })).toMatchObject({ ok: true });
  });

  it('is refused for a passkey that was made elsewhere, and stays good', async () => {
    const { accept, says, used, credentials, home, earlierToken } = await invited();
    await earlierToken();
    says.shown = false;
    expect(await accept()).toMatchObject(refused('mfa.passkey_refused'));
    expect([used(), credentials.all(home).map(({ revokedAt }) => revokedAt)]).toEqual([false, [null]]);
  });

  it('is refused if an issuer knows the person, or is the only way in', async () => {
    const known = await invited();
    await known.knownAtIssuer();
    expect(await known.look()).toMatchObject(refused('sign_in.at_your_issuer'));
    expect(await known.accept()).toMatchObject(refused('sign_in.at_your_issuer'));
    const required = await invited();
    await required.putInForce({ signInRequired: true });
    expect(await required.accept()).toMatchObject(refused('sign_in.issuer_only'));
    expect([known.used(), required.used()]).toEqual([false, false]);
  });
});

describe('accepting a link of the operator', () => {
  it('takes no proof of a lost factor, and ends every other factor', async () => {
    const { accept, calls, earlierToken, audited } = await invited({ channel: 'operator', factors: 2 });
    await earlierToken();
    expect(await accept()).toMatchObject({ ok: true });
    expect(calls).toEqual(['keep none: let in by the operator', 'add Laptop', 'outdate']);
    expect(audited().at(-1)).toMatchObject({ payload: { channel: 'operator', revoked_tokens: 1 } });
  });

  it('ends everything by which a hand could still be the person', async () => {
    const { accept, calls, hand, audited } = await invited({ channel: 'operator' });
    hand.isThere = true;
    expect(await accept()).toMatchObject({ ok: true });
    expect(calls).toEqual(['end hand', 'add Laptop', 'outdate']);
    expect(audited().at(-1)).toMatchObject({ payload: { revoked_tokens: 3, factors: 2, delegations: 1 } });
  });

  it('lets a person in although issuers are the only way in', async () => {
    const { accept, putInForce } = await invited({ channel: 'operator' });
    await putInForce({ signInRequired: true });
    expect(await accept()).toMatchObject({ ok: true });
  });

  it('leaves the hand of a person alone if the invitation came by mail', async () => {
    const { accept, calls, hand } = await invited();
    hand.isThere = true;
    await accept();
    expect(calls).toEqual(['proof none', 'add Laptop', 'outdate']);
  });
});
