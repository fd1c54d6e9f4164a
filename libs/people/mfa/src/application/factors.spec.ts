import { newId, type FactorId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { codeOf, FakeMfaWorld } from '../fake-mfa-world.js';
import { MAX_FACTORS, type TotpFactor } from '../domain/factor.js';
import { RECOVERY_CODES } from '../domain/recovery-codes.js';
import { samplePasskey, sampleTotp } from './fake-mfa-samples.js';

const WANTED = { name: 'Phone', stepUpId: undefined };

describe('the factors of a person', () => {
  let world: FakeMfaWorld;
  let by: PersonPrincipal;
  beforeEach(() => {
    world = new FakeMfaWorld();
    ({ by } = world);
  });
  const codeNow = (secret = 'NEWSECRET'): string => codeOf(secret, world.uow.now);
  const offered = async (stepUpId?: string): Promise<FactorId> => {
    const offer = await world.enrol.offer(by, { ...WANTED, stepUpId });
    if (!offer.ok) throw new Error(offer.error.code);
    return offer.value.id;
  };
  const confirm = (id: FactorId, code = codeNow()) => world.enrol.confirm(by, id, code);
  /** A proof of the person's authenticator app for a change of their factors. */
  async function proved(operation: Parameters<FakeMfaWorld['stepUp']['start']>[1], secret = 'OLD'): Promise<string> {
    const started = await world.stepUp.start(by, operation);
    if (!started.ok) throw new Error(started.error.code);
    const { id } = started.value.stepUp;
    const proof = await world.stepUp.prove(by, id, { method: 'totp', code: codeNow(secret) });
    if (!proof.ok) throw new Error(proof.error.code);
    return id;
  }
  const old = (members: Partial<TotpFactor> = {}): Promise<TotpFactor> => {
    const secret = { keyId: 'k1', nonce: Buffer.alloc(12), ciphertext: Buffer.from('OLD') };
    return world.has(sampleTotp(by, { secret, ...members }));
  };

  describe('an authenticator app', () => {
    it('counts once a code of it was sent back, and comes with recovery codes the first time', async () => {
      const id = await offered();
      expect(await world.listed(by)).toMatchObject([{ id, state: 'pending', confirmedAt: null }]);
      expect(await confirm(id, 'wrong')).toMatchObject({ error: { code: 'mfa.code_wrong' } });
      const confirmed = await confirm(id);
      expect(confirmed).toMatchObject({ value: { factor: { id, state: 'active', confirmedAt: world.uow.now } } });
      expect(confirmed.ok && confirmed.value.recoveryCodes).toHaveLength(RECOVERY_CODES);
      expect(await world.left(by)).toBe(RECOVERY_CODES);
      expect(world.actions()).toEqual(['factor.enrolled', 'factor.code_refused', 'factor.confirmed']);
      expect(JSON.stringify(world.audit.of(world.tenant))).not.toContain('NEWSECRET');
    });

    it('is confirmed by its person, once', async () => {
      const id = await offered();
      expect(await world.enrol.confirm(world.admin, id, codeNow())).toMatchObject({
        error: { code: 'resource.not_found' },
      });
      await confirm(id);
      expect(await confirm(id)).toMatchObject({ error: { code: 'mfa.already_confirmed' } });
    });

    it('takes the place of one that was offered before, and of the former one when it counts', async () => {
      const former = await old();
      const abandoned = await offered(await proved({ kind: 'factor_change', change: 'add_totp' }));
      world.uow.now += 30_000;
      const id = await offered(await proved({ kind: 'factor_change', change: 'add_totp' }));
      expect((await world.listed(by)).map((factor) => factor.id)).toEqual([former.id, id]);
      expect(await confirm(abandoned)).toMatchObject({ error: { code: 'resource.not_found' } });
      await confirm(id);
      expect(await world.listed(by)).toMatchObject([{ id, state: 'active' }]);
    });

    it('is refused without a proof of a factor that counts, and with a proof of something else', async () => {
      await old();
      expect(await world.enrol.offer(by, WANTED)).toMatchObject({ error: { code: 'mfa.required' } });
      const stepUpId = await proved({ kind: 'factor_change', change: 'add_passkey' });
      expect(await world.enrol.offer(by, { ...WANTED, stepUpId })).toMatchObject({
        error: { code: 'mfa.other_operation' },
      });
      expect(await world.listed(by)).toHaveLength(1);
    });

    it('is refused to a browser session that is not fresh, if it would be the first', async () => {
      for (const signedInAt of [world.uow.now - 900_001, 'never'] as const)
        expect(await world.enrol.offer({ ...by, signedInAt }, WANTED)).toMatchObject({
          error: { code: 'sign_in.not_fresh' },
        });
      expect(await world.enrol.offer({ ...by, signedInAt: world.uow.now - 900_000 }, WANTED)).toMatchObject({
        ok: true,
      });
    });

    it('is refused to a person with the most factors, and to a person outside the tenant', async () => {
      const nobody = { ...by, personId: newId<PersonId>() };
      expect(await world.enrol.offer(nobody, WANTED)).toMatchObject({ error: { code: 'resource.not_found' } });
      for (let count = 0; count < MAX_FACTORS; count += 1) await world.has(samplePasskey(by));
      expect(await world.enrol.offer(by, WANTED)).toMatchObject({ error: { code: 'mfa.too_many_factors' } });
    });
  });

  describe('that are removed', () => {
    const remove = async (id: FactorId, stepUpId?: string): Promise<string> => {
      const result = await world.keep.remove(by, id, stepUpId);
      return result.ok ? 'ok' : result.error.code;
    };

    it('take a proof for exactly that removal, if they count', async () => {
      const [app, passkey] = [await old(), await world.has(samplePasskey(by))];
      expect(await remove(passkey.id)).toBe('mfa.required');
      const other = await proved({ kind: 'factor_removal', factor_id: app.id });
      expect(await remove(passkey.id, other)).toBe('mfa.other_operation');
      world.uow.now += 30_000;
      expect(await remove(passkey.id, await proved({ kind: 'factor_removal', factor_id: passkey.id }))).toBe('ok');
      expect((await world.listed(by)).map(({ id }) => id)).toEqual([app.id]);
    });

    it('take no proof if they were never confirmed', async () => {
      expect(await remove(await offered())).toBe('ok');
      expect(await world.listed(by)).toEqual([]);
    });

    it('take the recovery codes with them, the last one, and every proof that was not used', async () => {
      const app = await old();
      await world.hasCodes(by, 'AAAAA');
      const unused = await proved({ kind: 'factor_change', change: 'add_passkey' });
      world.uow.now += 30_000;
      expect(await remove(app.id, await proved({ kind: 'factor_removal', factor_id: app.id }))).toBe('ok');
      expect(await world.left(by)).toBe(0);
      const operation = { kind: 'factor_change', change: 'add_passkey' } as const;
      expect(
        await world.tx((tx) => world.proofs.take(tx, { personId: by.personId, stepUpId: unused, operation })),
      ).toMatchObject({ error: { code: 'mfa.proof_expired' } });
    });

    it('are those of the person alone', async () => {
      const theirs = await world.has(samplePasskey(world.admin));
      expect(await remove(theirs.id)).toBe('resource.not_found');
      expect(await world.listed(world.admin)).toEqual([theirs]);
    });
  });

  describe('recovery codes that are renewed', () => {
    it('take a factor and a proof, and replace those that are left', async () => {
      expect(await world.keep.renewRecoveryCodes(by, undefined)).toMatchObject({ error: { code: 'mfa.not_enrolled' } });
      await old();
      await world.hasCodes(by, 'AAAAA');
      expect(await world.keep.renewRecoveryCodes(by, undefined)).toMatchObject({ error: { code: 'mfa.required' } });
      expect(await world.left(by)).toBe(1);
      const stepUpId = await proved({ kind: 'factor_change', change: 'renew_recovery_codes' });
      const shown = await world.keep.renewRecoveryCodes(by, stepUpId);
      expect(shown.ok && new Set(shown.value).size).toBe(RECOVERY_CODES);
      expect(await world.keep.list(by)).toMatchObject({ recoveryCodesLeft: RECOVERY_CODES });
      expect(world.actions().at(-1)).toBe('recovery_codes.issued');
    });
  });

  describe('that an admin resets', () => {
    const reset = (personId = by.personId) => world.reset.execute(world.admin, personId, 'The phone fell into a lake.');

    it('go at once without a possible confirmer, with codes, proofs and lock', async () => {
      await old();
      await world.has(samplePasskey(by));
      await world.hasCodes(by, 'AAAAA');
      await world.tx(async (tx) => {
        await world.lockouts.lock(tx, by.personId);
        await world.lockouts.save(tx, by.personId, { failures: 7, lockedUntil: world.uow.now + 1 });
      });
      expect(await reset()).toMatchObject({ ok: true, value: { outcome: 'done', value: 2 } });
      expect(await world.listed(by)).toEqual([]);
      expect(await world.left(by)).toBe(0);
      expect(await world.lockout(by)).toEqual({ failures: 0, lockedUntil: null });
      expect(world.actions()).toEqual(['factor.removed', 'factor.removed', 'factors.reset']);
    });

    it('T34: wait for a second person, and are then those that were shown', async () => {
      world.twoPersonRule.secondAdmin = true;
      await old();
      expect(await reset()).toMatchObject({ ok: true, value: { outcome: 'waits' } });
      expect(await world.listed(by)).toHaveLength(1);
      const [change] = world.twoPersonRule.waitingIn(world.tenant);
      if (change === undefined) throw new Error('no change waits');
      expect(change).toMatchObject({ kind: 'factor_reset', beneficiary: by.personId });
      const confirmed = sampleConfirmation(change, world.admin, world.person());
      const wanted = world.reset.payload.parse(change.payload);
      expect(await world.tx((tx) => world.reset.carryOut(tx, confirmed, wanted))).toMatchObject({
        value: { outcome: 'done', value: 1 },
      });
      expect(await world.listed(by)).toEqual([]);
    });

    it('T34: are no others than those that were shown', async () => {
      world.twoPersonRule.secondAdmin = true;
      await old();
      await reset();
      const [change] = world.twoPersonRule.waitingIn(world.tenant);
      if (change === undefined) throw new Error('no change waits');
      await world.has(samplePasskey(by));
      const confirmed = sampleConfirmation(change, world.admin, world.person());
      const carried = world.tx((tx) => world.reset.carryOut(tx, confirmed, world.reset.payload.parse(change.payload)));
      expect(await carried).toMatchObject({ error: { code: 'change.base_changed' } });
      expect(await world.listed(by)).toHaveLength(2);
    });

    it('are never their own, and those of somebody', async () => {
      expect(await reset(world.admin.personId)).toMatchObject({ error: { code: 'mfa.reset_own' } });
      expect(await reset(newId<PersonId>())).toMatchObject({ error: { code: 'resource.not_found' } });
    });
  });
});
