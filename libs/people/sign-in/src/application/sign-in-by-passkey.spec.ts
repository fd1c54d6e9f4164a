import type { Person } from '#lib/identity';
import { newId, ok, SCOPES, type PersonId } from '#lib/kernel';
import { BROWSER, failure, FakeAssertions, passkeyHolder } from '../fake-passkey-holder.js';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

/** A person who signs in by the passkey `passkey-1`. */
async function holder(members: Partial<Person> = {}, publicUrl = 'https://countersign.example') {
  const passkeys = new FakeAssertions();
  const world = await passkeyHolder(members, {
    publicUrl,
    signInPasskeys: { assert: (...asked) => passkeys.assert(...asked) },
  });
  const { home, accounts, person } = world;
  accounts.register('passkey-1', { tenantId: home.tenantId, personId: person.id });
  const { signInByPasskey: signIn } = world.parts;
  const answer = (challenge: string, personId: PersonId = person.id, id = 'passkey-1') => ({
    id,
    response: {
      clientDataJSON: Buffer.from(JSON.stringify({ challenge })).toString('base64url'),
      userHandle: Buffer.from(personId.replaceAll('-', ''), 'hex').toString('base64url'),
    },
  });
  return {
    ...world,
    passkeys,
    begin: () => signIn.begin(),
    /** The challenge that a browser gets. */
    challenge: async (): Promise<string> => {
      const begun = await signIn.begin();
      return begun.ok ? begun.value.challenge : 'none';
    },
    complete: (challenge: string, personId?: PersonId, id?: string) =>
      signIn.complete(answer(challenge, personId, id), BROWSER),
  };
}

const refused = (code: string) => ({ ok: false, error: { code } });

describe('beginning to sign in by a passkey', () => {
  it('asks for any passkey of this site, with its holder verified, and writes nothing', async () => {
    const { begin, audited } = await holder();
    expect(await begin()).toMatchObject(
      ok({ rpId: 'countersign.example', allowCredentials: [], userVerification: 'required', timeout: 300_000 }),
    );
    expect(audited()).toEqual([]);
  });

  it('counts as work of one tenant, however often strangers begin', async () => {
    const { uow, begin } = await holder();
    const runs = jest.spyOn(uow, 'run');
    await begin();
    await begin();
    const [first, second] = runs.mock.calls.map(([tenantId]) => tenantId);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });

  it('is refused if browsers give no passkeys to this address', async () => {
    const { begin } = await holder({}, 'http://10.0.0.1');
    expect(await begin()).toMatchObject(refused('sign_in.passkeys_unavailable'));
  });
});

describe('the answer of a passkey', () => {
  it('opens a browser session of its person', async () => {
    const { challenge, complete, person, passkeys, credentials, home, browserSessionsOf, uow, audited } =
      await holder();
    const shown = await challenge();
    const signedIn = await complete(shown);
    expect(signedIn).toMatchObject(ok({ token: expect.stringMatching(/^cs_s_/) as string }));
    expect(passkeys.asked).toEqual([[person.id, shown]]);
    const [credential] = credentials.all(home);
    expect(credential).toMatchObject({
      holder: { kind: 'browser_session', personId: person.id },
      scopes: SCOPES,
      expiresAt: uow.now + 720 * MINUTE_MS,
    });
    expect(await browserSessionsOf(person.id)).toMatchObject([
      { id: credential?.id, ...BROWSER, issuerName: null, authenticatedAt: uow.now },
    ]);
    expect(audited()).toMatchObject([
      {
        action: 'browser_session.opened',
        actor: { id: person.id, credential_id: credential?.id },
        subject: { type: 'browser_session', id: credential?.id },
        payload: { authenticated_at: uow.now, expires_at: credential?.expiresAt },
      },
    ]);
    expect(JSON.stringify([audited(), credential])).not.toContain(signedIn.ok ? signedIn.value.token : 'token');
  });

  it('lasts as long as the tenant says', async () => {
    const { challenge, complete, putInForce, credentials, home, uow } = await holder();
    await putInForce({ issuers: [], browserSessionMinutes: 15 });
    await complete(await challenge());
    expect(credentials.all(home)).toMatchObject([{ expiresAt: uow.now + 15 * MINUTE_MS }]);
  });

  it('is taken once, also at the same moment', async () => {
    const { challenge, complete, credentials, home } = await holder();
    const shown = await challenge();
    const both = await Promise.all([complete(shown), complete(shown)]);
    expect(both.map((result) => (result.ok ? 'in' : result.error.code))).toEqual(['in', 'sign_in.challenge_over']);
    expect(credentials.all(home)).toHaveLength(1);
  });

  it('is over after five minutes', async () => {
    const { challenge, complete, uow } = await holder();
    const [early, late] = [await challenge(), await challenge()];
    uow.now += 5 * MINUTE_MS - 1;
    expect(await complete(early)).toMatchObject({ ok: true });
    uow.now += 1;
    expect(await complete(late)).toMatchObject(refused('sign_in.challenge_over'));
  });

  it('has one refusal for an unknown passkey, an unknown person and a challenge of elsewhere', async () => {
    const { challenge, complete, passkeys, audited } = await holder();
    const unknown = refused('sign_in.passkey_refused');
    expect(await complete(await challenge(), undefined, 'passkey-2')).toMatchObject(unknown);
    expect(await complete(await challenge(), newId<PersonId>())).toMatchObject(unknown);
    expect(await complete('a challenge of elsewhere')).toMatchObject(unknown);
    expect([passkeys.asked, audited()]).toEqual([[], []]);
  });

  it.each([
    ['mfa.passkey_refused', 'sign_in.passkey_refused'],
    ['mfa.passkey_counter', 'mfa.passkey_counter'],
  ])('is refused after the check %s with %s, on record, and spends its challenge', async (outcome, code) => {
    const { challenge, complete, passkeys, person, credentials, home, audited } = await holder();
    passkeys.outcome = failure(outcome);
    const shown = await challenge();
    expect(await complete(shown)).toMatchObject(refused(code));
    expect(audited()).toMatchObject([
      {
        action: 'sign_in.refused',
        actor: { id: person.id, credential_id: null },
        subject: { type: 'person', id: person.id },
        payload: { by: 'passkey', code },
      },
    ]);
    expect(await complete(shown)).toMatchObject(refused('sign_in.challenge_over'));
    expect(credentials.all(home)).toEqual([]);
  });
});

describe('a passkey opens nothing for a person', () => {
  it('who was disabled, and tells only the holder of the passkey so', async () => {
    const { challenge, complete, passkeys, audited } = await holder({ disabledAt: 1 });
    expect(await complete(await challenge())).toMatchObject(refused('sign_in.person_disabled'));
    passkeys.outcome = failure('mfa.passkey_refused');
    expect(await complete(await challenge())).toMatchObject(refused('sign_in.passkey_refused'));
    expect(audited()).toHaveLength(2);
  });

  it('who is known to an issuer in service', async () => {
    const { challenge, complete, knownAtIssuer, putInForce } = await holder();
    await knownAtIssuer();
    expect(await complete(await challenge())).toMatchObject(refused('sign_in.at_your_issuer'));
    await putInForce({ issuers: [] });
    expect(await complete(await challenge())).toMatchObject({ ok: true });
  });

  it('of a tenant that lets people in by issuers alone', async () => {
    const { challenge, complete, putInForce } = await holder();
    await putInForce({ signInRequired: true });
    expect(await complete(await challenge())).toMatchObject(refused('sign_in.issuer_only'));
  });

  it('who did not come in for longer than the tenant allows', async () => {
    const { challenge, complete, putInForce, browserSessionsOf, person, uow } = await holder();
    await putInForce({ issuers: [], dormantAfterDays: 30 });
    // Each sign-in begins the time anew.
    for (let month = 1; month <= 2; month += 1) {
      uow.now += 30 * DAY_MS;
      expect(await complete(await challenge())).toMatchObject({ ok: true });
    }
    uow.now += 30 * DAY_MS + 1;
    expect(await complete(await challenge())).toMatchObject(refused('sign_in.dormant'));
    expect(await browserSessionsOf(person.id)).toEqual([]);
  });
});
