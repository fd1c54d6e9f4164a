import type { PasskeyKeeper } from '#lib/identity';
import type { Actor, FactorId, PersonId, Tx } from '#lib/kernel';
import { NO_FAILURES } from '../domain/lockout.js';
import { keptPasskey } from '../domain/passkey-enrolment.js';
import type { FactorJournal } from './factor-journal.js';
import type {
  FactorRepository,
  LockoutRepository,
  PasskeyRegistrationRepository,
  RecoveryCodeRepository,
  StepUpRepository,
} from './mfa.ports.js';

/** Once a person is known otherwise, every factor but one that was compared could be that of the former hand. */
export class KeepOnePasskey implements PasskeyKeeper {
  constructor(
    private readonly stored: {
      readonly factors: FactorRepository;
      readonly lockouts: LockoutRepository;
      readonly codes: RecoveryCodeRepository;
      readonly stepUps: StepUpRepository;
      readonly registrations: PasskeyRegistrationRepository;
    },
    private readonly journal: FactorJournal,
  ) {}

  async find(tx: Tx, personId: PersonId, fingerprint: string): Promise<FactorId | null> {
    const { lockouts, factors } = this.stored;
    await lockouts.lock(tx, personId);
    const passkeys = await factors.passkeys(tx, personId);
    return passkeys.find((passkey) => keptPasskey(passkey)?.fingerprint === fingerprint)?.id ?? null;
  }

  async keepOnly(
    tx: Tx,
    personId: PersonId,
    { actor, kept, why }: { readonly actor: Actor; readonly kept: FactorId | null; readonly why: string },
  ): Promise<number> {
    const { factors, lockouts, codes, stepUps, registrations } = this.stored;
    await lockouts.lock(tx, personId);
    const now = await tx.now();
    const others = (await factors.list(tx, personId)).filter(({ id }) => id !== kept);
    for (const factor of others) {
      await factors.remove(tx, factor.id, now);
      await this.journal.factor(tx, 'factor.removed', actor, factor, { why });
    }
    await codes.replace(tx, personId, [], now);
    await stepUps.expireProofs(tx, personId, now);
    await registrations.spend(tx, personId, now);
    await lockouts.save(tx, personId, NO_FAILURES);
    return others.length;
  }
}
