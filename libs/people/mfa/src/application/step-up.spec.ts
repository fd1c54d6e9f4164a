import { digestOf, newId, type PersonPrincipal } from '#lib/kernel';
import type { StepUpId } from '#lib/identity';
import { codeOf, FakeMfaWorld } from '../fake-mfa-world.js';
import type { TotpFactor } from '../domain/factor.js';
import { challengeOf, operationDigest, STEP_UP_MS, type OpenStepUp } from '../domain/step-up.js';
import { samplePasskey, sampleTotp } from './fake-mfa-samples.js';
import type { OfferedProof } from './step-up.js';

const OPERATION = {
  kind: 'review',
  request_id: newId(),
  verdict: 'approve',
  subject_digest: digestOf('plan', 'a plan'),
  comment: 'token ghp_0123456789abcdefghijklmnopqrstuvwxyz is in the log',
} as const;
const ASSERTION = { id: 'passkey' };

describe('a step-up', () => {
  let world: FakeMfaWorld;
  let by: PersonPrincipal;
  beforeEach(() => {
    world = new FakeMfaWorld();
    ({ by } = world);
  });
  const app = (members: Partial<TotpFactor> = {}): Promise<TotpFactor> =>
    world.has(
      sampleTotp(by, { secret: { keyId: 'k1', nonce: Buffer.alloc(12), ciphertext: Buffer.from('S') }, ...members }),
    );
  const started = async (): Promise<OpenStepUp> => {
    const result = await world.stepUp.start(by, OPERATION);
    if (!result.ok) throw new Error(result.error.code);
    return result.value.stepUp;
  };
  const prove = async (stepUp: OpenStepUp, offered: OfferedProof, as = by): Promise<string> => {
    const result = await world.stepUp.prove(as, stepUp.id, offered);
    return result.ok ? 'ok' : result.error.code;
  };
  const now = (): OfferedProof => ({ method: 'totp', code: codeOf('S', world.uow.now) });
  const wrong: OfferedProof = { method: 'totp', code: 'wrong' };

  describe('that is started', () => {
    it('is refused without a factor that counts', async () => {
      await app({ state: 'pending', confirmedAt: null });
      expect(await world.stepUp.start(by, OPERATION)).toMatchObject({ ok: false, error: { code: 'mfa.not_enrolled' } });
    });

    it('binds this operation by this person, without the secrets in their words, for five minutes', async () => {
      await app();
      const { operation, operationDigest: digest, expiresAt, createdAt } = await started();
      expect(operation).toMatchObject({ kind: 'review', request_id: OPERATION.request_id });
      expect(JSON.stringify(operation)).not.toContain('ghp_');
      expect(digest).toBe(operationDigest(by.personId, operation));
      expect(expiresAt - createdAt).toBe(STEP_UP_MS);
    });

    it('offers the methods that the person has, the preferred first, and a challenge only to a passkey', async () => {
      await app();
      const alone = await world.stepUp.start(by, OPERATION);
      expect(alone).toMatchObject({ value: { methods: ['totp'], passkeyOptions: null, stepUp: { challenge: null } } });
      await world.has(samplePasskey(by));
      await world.hasCodes(by, 'AAAAA');
      const all = await world.stepUp.start(by, OPERATION);
      if (!all.ok) throw new Error(all.error.code);
      const { methods, passkeyOptions, stepUp } = all.value;
      expect(methods).toEqual(['passkey', 'totp', 'recovery_code']);
      expect(passkeyOptions?.challenge).toBe(challengeOf(stepUp.operationDigest, stepUp.nonce));
    });
  });

  it('is proved once, by its person, and says so in the log without a code', async () => {
    const { id } = await app();
    const stepUp = await started();
    expect(await prove(stepUp, now(), world.admin)).toBe('resource.not_found');
    expect(await prove({ ...stepUp, id: newId<StepUpId>() }, now())).toBe('resource.not_found');
    expect(await prove(stepUp, now())).toBe('ok');
    expect(await prove(stepUp, now())).toBe('mfa.already_proved');
    const [entry] = world.audit.of(world.tenant);
    expect(entry).toMatchObject({
      action: 'step_up.proved',
      subject: { type: 'step_up', id: stepUp.id },
      payload: { method: 'totp', factor_id: id, operation_digest: stepUp.operationDigest },
    });
    expect(JSON.stringify(entry)).not.toContain(codeOf('S', world.uow.now));
  });

  it('cannot be proved after its time', async () => {
    await app();
    const stepUp = await started();
    world.uow.now += STEP_UP_MS;
    expect(await prove(stepUp, now())).toBe('mfa.step_up_expired');
  });

  it('T14: takes no code twice, of two at once either', async () => {
    await app();
    const [one, two] = [await started(), await started()];
    expect((await Promise.all([prove(one, now()), prove(two, now())])).sort()).toEqual(['mfa.code_wrong', 'ok']);
  });

  it('T14: counts wrong codes of one person, and looks at none for a while from the fifth on', async () => {
    await app();
    const stepUp = await started();
    for (let guess = 1; guess <= 4; guess += 1) expect(await prove(stepUp, wrong)).toBe('mfa.code_wrong');
    expect(await world.stepUp.prove(by, stepUp.id, wrong)).toMatchObject({
      error: { code: 'mfa.code_wrong', details: { locked_seconds: 30 } },
    });
    expect(await prove(stepUp, now())).toBe('mfa.locked');
    expect(world.actions()).toEqual([...Array<string>(4).fill('factor.code_refused'), 'factor.locked']);
    world.uow.now += 30_000;
    expect(await prove(stepUp, now())).toBe('ok');
    expect(await world.lockout(by)).toEqual({ failures: 0, lockedUntil: null });
  });

  it('takes each recovery code once, of its person alone', async () => {
    await app();
    await world.hasCodes(by, 'AAAAA-11111');
    await world.hasCodes(world.admin, 'BBBBB-22222');
    const code = (typed: string): OfferedProof => ({ method: 'recovery_code', code: typed });
    const [one, two] = [await started(), await started()];
    expect(await prove(one, code('BBBBB-22222'))).toBe('mfa.code_wrong');
    expect(await prove(one, code('aaaaa iiiii'))).toBe('ok');
    expect(await world.left(by)).toBe(0);
    expect(await prove(two, code('AAAAA-11111'))).toBe('mfa.code_wrong');
  });

  describe('by a passkey', () => {
    const answers = (counter: number): void => {
      world.asserts = { counter, backedUp: true, assertion: { credential_id: 'passkey' } as never };
    };
    const offered: OfferedProof = { method: 'passkey', assertion: ASSERTION };

    it('T15: keeps the answer, and the counter', async () => {
      const passkey = await world.has(samplePasskey(by, { passkeyId: ASSERTION.id }));
      answers(passkey.counter + 1);
      const result = await world.stepUp.prove(by, (await started()).id, offered);
      expect(result).toMatchObject({ value: { factorId: passkey.id, assertion: { credential_id: 'passkey' } } });
      expect(await world.listed(by)).toMatchObject([{ counter: passkey.counter + 1, backedUp: true }]);
    });

    it('T15: takes one answer, also a wrong one', async () => {
      await world.has(samplePasskey(by, { passkeyId: ASSERTION.id }));
      const stepUp = await started();
      expect(await prove(stepUp, offered)).toBe('mfa.passkey_refused');
      answers(8);
      expect(await prove(stepUp, offered)).toBe('mfa.challenge_spent');
    });

    it('T15: refuses a counter that went back, and records it', async () => {
      const passkey = await world.has(samplePasskey(by, { passkeyId: ASSERTION.id }));
      answers(passkey.counter);
      expect(await prove(await started(), offered)).toBe('mfa.passkey_counter');
      expect(world.actions()).toEqual(['factor.counter_went_back']);
      expect(await world.listed(by)).toEqual([passkey]);
    });

    it('lets a passkey pass that never counts', async () => {
      await world.has(samplePasskey(by, { passkeyId: ASSERTION.id, counter: 0 }));
      answers(0);
      expect(await prove(await started(), offered)).toBe('ok');
    });

    it("refuses somebody else's", async () => {
      await app();
      await world.has(samplePasskey(by));
      await world.has(samplePasskey(world.admin, { passkeyId: ASSERTION.id }));
      answers(8);
      expect(await prove(await started(), offered)).toBe('mfa.passkey_refused');
    });
  });

  describe('whose proof is taken', () => {
    const take = async (stepUpId: string, operation: object = OPERATION, personId = by.personId): Promise<string> => {
      const taken = await world.tx((tx) =>
        world.proofs.take(tx, { personId, stepUpId, operation: operation as never }),
      );
      return taken.ok ? 'ok' : taken.error.code;
    };
    const masked = async (): Promise<OpenStepUp> => {
      await app();
      return started();
    };

    it('is good once, for exactly its operation and person', async () => {
      const stepUp = await masked();
      expect(await take(stepUp.id, stepUp.operation)).toBe('mfa.required');
      expect(await prove(stepUp, now())).toBe('ok');
      expect(await take(stepUp.id, { ...stepUp.operation, verdict: 'reject' })).toBe('mfa.other_operation');
      expect(await take(stepUp.id, stepUp.operation, world.admin.personId)).toBe('mfa.other_operation');
      expect(await take('no id', stepUp.operation)).toBe('mfa.other_operation');
      expect(await take(stepUp.id, stepUp.operation)).toBe('ok');
      expect(await take(stepUp.id, stepUp.operation)).toBe('mfa.proof_used');
    });

    it('is good for five minutes', async () => {
      const stepUp = await masked();
      expect(await prove(stepUp, now())).toBe('ok');
      world.uow.now += STEP_UP_MS;
      expect(await take(stepUp.id, stepUp.operation)).toBe('mfa.proof_expired');
    });
  });
});
