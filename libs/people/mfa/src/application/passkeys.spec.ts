import {
  actorOf,
  digestOf,
  newId,
  type EvidenceRef,
  type FactorId,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
} from '#lib/kernel';
import { passkeyPublicKeyOf } from '../domain/cose-key.js';
import { MAX_FACTORS } from '../domain/factor.js';
import { RECOVERY_CODES } from '../domain/recovery-codes.js';
import { proved, STEP_UP_MS, type PasskeyAssertion } from '../domain/step-up.js';
import { codeOf, FakeMfaWorld, PARTY } from '../fake-mfa-world.js';
import { COSE_KEY, sampleAssertion, samplePasskey, sampleStepUp, sampleTotp } from './fake-mfa-samples.js';
import type { NewPasskey } from './mfa.ports.js';

const NEW: NewPasskey = {
  passkeyId: 'passkey-new',
  publicKey: COSE_KEY,
  counter: 0,
  transports: ['internal'],
  backedUp: true,
  site: PARTY,
};
const named = (id: string, kind: EvidenceRef['kind'] = 'passkey-assertion'): EvidenceRef => ({
  kind,
  id,
  digest: digestOf('plan', id),
});
const codeIn = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

describe('passkeys', () => {
  let world: FakeMfaWorld;
  let by: PersonPrincipal;
  beforeEach(() => {
    world = new FakeMfaWorld();
    ({ by } = world);
    world.registers = NEW;
  });
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.tx(work);

  describe('that a person registers beside other factors', () => {
    const offer = async (stepUpId?: string): Promise<string> => codeIn(await world.register.offer(by, stepUpId));
    const register = async (as = by): Promise<string> => codeIn(await world.register.register(as, 'Key', {}));

    it('count at once; the first comes with recovery codes, and its enrolment is evidence', async () => {
      expect(await offer()).toBe('ok');
      const enrolled = await world.register.register(by, 'Key', {});
      if (!enrolled.ok) throw new Error(enrolled.error.code);
      const { factor, recoveryCodes } = enrolled.value;
      expect(factor).toMatchObject({ ...NEW, name: 'Key', personId: by.personId, confirmedAt: world.uow.now });
      expect(await world.listed(by)).toEqual([factor]);
      expect(recoveryCodes).toHaveLength(RECOVERY_CODES);
      expect(world.audit.of(world.tenant)).toMatchObject([
        {
          action: 'factor.enrolled',
          subject: { type: 'factor', id: factor.id },
          evidence: [{ kind: 'passkey', id: factor.id }],
        },
      ]);
    });

    it('answer their own challenge, once, within five minutes', async () => {
      await offer();
      expect(await register(world.admin)).toBe('mfa.challenge_spent');
      world.registers = null;
      expect(await register()).toBe('mfa.passkey_refused');
      world.registers = NEW;
      expect(await register()).toBe('mfa.challenge_spent');
      await offer();
      world.uow.now += STEP_UP_MS;
      expect(await register()).toBe('mfa.challenge_spent');
      expect([await world.listed(by), world.actions()]).toEqual([[], []]);
    });

    it('belong to one person of the tenant, also after their removal', async () => {
      const theirs = await world.has(samplePasskey(world.admin, { passkeyId: NEW.passkeyId }));
      await inTx((tx) => world.factors.remove(tx, theirs.id));
      await offer();
      expect(await register()).toBe('mfa.passkey_known');
      expect(await world.listed(by)).toEqual([]);
    });

    it('are refused without a recent sign-in, or without a proof of a factor that counts', async () => {
      const rested = { ...by, signedInAt: world.uow.now - 900_001 };
      expect(codeIn(await world.register.offer(rested, undefined))).toBe('sign_in.not_fresh');
      await world.has(samplePasskey(by));
      expect(await offer()).toBe('mfa.required');
      expect(await register()).toBe('mfa.challenge_spent');
    });

    it('are refused to unknown people, to people with ten factors, and at an address without passkeys', async () => {
      const stranger = { ...by, personId: newId<PersonId>() };
      expect(codeIn(await world.register.offer(stranger, undefined))).toBe('resource.not_found');
      for (let count = 0; count < MAX_FACTORS; count += 1) await world.has(samplePasskey(by));
      expect(await offer()).toBe('mfa.too_many_factors');
      world.passkeys.available = false;
      expect(await offer()).toBe('mfa.passkeys_unavailable');
    });
  });

  describe('that people sign in with', () => {
    const offer = async (): Promise<string> => codeIn(await inTx((tx) => world.signIn.offer(tx, by.personId, [])));
    const answered = async (): Promise<string> =>
      codeIn(await inTx((tx) => world.signIn.answered(tx, by.personId, {})));

    it('name their owner, and exclude the devices of the factors that stay', async () => {
      const stays = samplePasskey(by);
      const offered = await inTx((tx) => world.signIn.offer(tx, by.personId, [stays, sampleTotp(by)]));
      expect(offered).toMatchObject({
        value: {
          excluded: [stays.passkeyId],
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        },
      });
    });

    it('have one challenge after repeated offers, too, and one answer uses it up', async () => {
      await offer();
      await offer();
      expect(await inTx((tx) => world.registrations.spend(tx, by.personId, world.uow.now))).toHaveLength(1);
      expect(await answered()).toBe('mfa.challenge_spent');
      await offer();
      world.registers = null;
      expect(await answered()).toBe('mfa.passkey_refused');
      expect(await answered()).toBe('mfa.challenge_spent');
    });

    it('are refused if another person has them, at the limit, and at an address without passkeys', async () => {
      await world.has(samplePasskey(world.admin, { passkeyId: NEW.passkeyId }));
      await offer();
      expect(await answered()).toBe('mfa.passkey_known');
      const many = Array.from({ length: MAX_FACTORS }, () => samplePasskey(by));
      expect(codeIn(await inTx((tx) => world.signIn.offer(tx, by.personId, many)))).toBe('mfa.too_many_factors');
      world.passkeys.available = false;
      expect(world.signIn.available).toBe(false);
      expect(await offer()).toBe('mfa.passkeys_unavailable');
    });

    it('are added with recovery codes and an entry of the audit log', async () => {
      const { factor, recoveryCodes } = await inTx((tx) => world.signIn.add(tx, by, { ...NEW, name: 'Key' }));
      expect(await inTx((tx) => world.signIn.activeOf(tx, by.personId))).toEqual([factor]);
      expect(recoveryCodes).toHaveLength(RECOVERY_CODES);
      expect(world.actions()).toEqual(['factor.enrolled']);
    });

    it('follow a proof of a former factor, if there is one', async () => {
      const prove = async (...[proof]: [Parameters<typeof world.signIn.proveFormer>[2]]): Promise<string> =>
        codeIn(await inTx((tx) => world.signIn.proveFormer(tx, by, proof)));
      expect(await prove(null)).toBe('ok');
      const secret = { keyId: 'k1', nonce: Buffer.alloc(12), ciphertext: Buffer.from('S') };
      await world.has(sampleTotp(by, { secret }));
      await world.hasCodes(by, 'AAAAA');
      expect(await prove(null)).toBe('mfa.proof_of_former');
      expect(await prove({ method: 'totp', code: 'wrong' })).toBe('mfa.code_wrong');
      expect(await world.lockout(by)).toMatchObject({ failures: 1 });
      expect(await prove({ method: 'totp', code: codeOf('S', world.uow.now) })).toBe('ok');
      expect(await prove({ method: 'recovery_code', code: 'AAAAA' })).toBe('ok');
      expect(await prove({ method: 'recovery_code', code: 'AAAAA' })).toBe('mfa.code_wrong');
    });

    it('sign a challenge with a counter that goes up, if they count', async () => {
      const passkey = await world.has(samplePasskey(by, { counter: 7 }));
      const signs = async (counter: number, id = passkey.passkeyId): Promise<string> => {
        world.asserts = { counter, backedUp: true, assertion: sampleAssertion(passkey) };
        return codeIn(await inTx((tx) => world.signIn.assert(tx, by.personId, { id }, 'challenge')));
      };
      const elsewhere = await world.has(samplePasskey(world.admin));
      expect(await signs(8, elsewhere.passkeyId)).toBe('mfa.passkey_refused');
      expect(await signs(7)).toBe('mfa.passkey_counter');
      expect(await signs(0)).toBe('mfa.passkey_counter');
      expect(await world.listed(by)).toEqual([passkey]);
      expect(await signs(8)).toBe('ok');
      expect(await world.listed(by)).toMatchObject([{ counter: 8, backedUp: true, lastUsedAt: world.uow.now }]);
      world.asserts = null;
      const refused = inTx((tx) => world.signIn.assert(tx, by.personId, { id: passkey.passkeyId }, 'challenge'));
      expect(codeIn(await refused)).toBe('mfa.passkey_refused');
    });
  });

  describe('of which one is kept', () => {
    const keep = (kept: FactorId | null): Promise<number> =>
      inTx((tx) =>
        world.keeper.keepOnly(tx, by.personId, {
          actor: actorOf(world.admin),
          kept,
          why: 'The hand changed.',
        }),
      );

    it('are found by the fingerprint of their own line', async () => {
      const passkey = await world.has(samplePasskey(by, { publicKey: COSE_KEY }));
      const [key] = await world.keys.execute(by.tenantId, by.personId);
      const find = (personId: PersonId, fingerprint = key?.fingerprint ?? ''): Promise<FactorId | null> =>
        inTx((tx) => world.keeper.find(tx, personId, fingerprint));
      expect(await find(by.personId)).toBe(passkey.id);
      expect(await find(world.admin.personId)).toBeNull();
      expect(await find(by.personId, 'another')).toBeNull();
    });

    it('lose every other factor, code, challenge and unused proof, and the lock', async () => {
      const kept = await world.has(samplePasskey(by));
      const gone = [await world.has(sampleTotp(by)), await world.has(samplePasskey(by))];
      const theirs = await world.has(samplePasskey(world.admin));
      await world.hasCodes(by, 'AAAAA');
      await inTx((tx) => world.signIn.offer(tx, by.personId, []));
      const stepUp = sampleStepUp(by, { createdAt: world.uow.now, expiresAt: world.uow.now + STEP_UP_MS });
      await inTx(async (tx) => {
        await world.stepUps.insert(tx, stepUp);
        const proof = { method: 'totp', factorId: kept.id, assertion: null } as const;
        await world.stepUps.save(tx, proved(stepUp, proof, world.uow.now));
        await world.lockouts.lock(tx, by.personId);
        await world.lockouts.save(tx, by.personId, { failures: 7, lockedUntil: world.uow.now + 1 });
      });
      expect(await keep(kept.id)).toBe(2);
      expect(await world.listed(by)).toEqual([kept]);
      expect(await world.listed(world.admin)).toEqual([theirs]);
      expect([await world.left(by), await world.lockout(by)]).toEqual([0, { failures: 0, lockedUntil: null }]);
      expect(await inTx((tx) => world.registrations.spend(tx, by.personId, world.uow.now))).toEqual([]);
      expect(await inTx((tx) => world.stepUps.find(tx, stepUp.id))).toMatchObject({ proofExpiresAt: world.uow.now });
      const removed = gone.map(({ id }) => ({
        action: 'factor.removed',
        subject: { type: 'factor', id },
        payload: { why: 'The hand changed.' },
      }));
      expect(world.audit.of(world.tenant)).toMatchObject(removed);
    });
  });

  describe('for those who check approvals', () => {
    it('are lines with names, and unreadable keys are left out', async () => {
      const own = await world.has(samplePasskey(by, { publicKey: COSE_KEY }));
      const other = await world.has(samplePasskey(world.admin, { publicKey: COSE_KEY, createdAt: 3_000 }));
      await world.has(samplePasskey(by));
      const keys = await world.keys.execute(by.tenantId, null);
      expect(keys).toMatchObject([
        { factorId: own.id, personName: by.displayName },
        { factorId: other.id, personName: world.admin.displayName },
      ]);
      expect(keys.every(({ line }) => line.includes(PARTY.id))).toBe(true);
      expect(await world.keys.execute(by.tenantId, world.admin.personId)).toHaveLength(1);
    });

    it('are evidence with each signature, also after their removal', async () => {
      const passkey = await world.has(samplePasskey(by, { publicKey: COSE_KEY }));
      const signed = async (factorId: FactorId | null, assertion: PasskeyAssertion | null): Promise<EvidenceRef> => {
        const stepUp = sampleStepUp(by);
        const proof = { method: 'passkey', factorId, assertion } as const;
        await inTx(async (tx) => {
          await world.stepUps.insert(tx, stepUp);
          await world.stepUps.save(tx, proved(stepUp, proof, world.uow.now));
        });
        return named(stepUp.id);
      };
      const ref = await signed(passkey.id, sampleAssertion(passkey));
      const byCode = await signed(null, null);
      await inTx((tx) => world.factors.remove(tx, passkey.id));
      const open = sampleStepUp(by);
      await inTx((tx) => world.stepUps.insert(tx, open));
      const none = ['no-id', newId(), open.id].map((id) => named(id));
      const other = named(ref.id, 'plan');
      const found = await inTx((tx) => world.evidence.resolve(tx, [other, ...none, byCode, ref]));
      expect(found).toMatchObject([
        { kind: 'passkey-assertion', document: { person_id: by.personId, signature: 'cw' } },
        { kind: 'passkey', id: passkey.id, document: { public_key: passkeyPublicKeyOf(COSE_KEY) } },
      ]);
    });
  });
});
