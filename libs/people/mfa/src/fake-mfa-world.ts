import { ok, type FactorId, type PersonId, type PersonPrincipal, type Tx } from '#lib/kernel';
import { fakeSecretDigests } from '../../../foundation/kernel/src/fake-secret-digests.js';
import { FakeAuditSink } from '../../../foundation/kernel/src/fake-ports.js';
import { samplePerson, sampleTenant } from '../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { createMfa } from './create-mfa.js';
import {
  FakeLockoutRepository,
  FakePasskeyRegistrationRepository,
  FakeRecoveryCodeRepository,
} from './application/fake-code-stores.js';
import { FakeFactorRepository } from './application/fake-factor.repository.js';
import { FakeStepUpRepository } from './application/fake-step-up.repository.js';
import type { FactorHolders, NewPasskey, Passkeys, TotpAlgorithm } from './application/mfa.ports.js';
import type { Factor } from './domain/factor.js';
import type { Lockout } from './domain/lockout.js';
import { recoveryCodeSecret } from './domain/recovery-codes.js';
import type { RelyingParty } from './domain/relying-party.js';

const STEP_MS = 30_000;

/** The relying party of the installation. */
export const PARTY: RelyingParty = { id: 'countersign.example', origin: 'https://countersign.example' };

/** The code of a secret at a time: both in plain text. */
export const codeOf = (secret: string, now: number): string => `${secret}@${String(Math.floor(now / STEP_MS))}`;

const totp: TotpAlgorithm = {
  newSecret: () => 'NEWSECRET',
  uriOf: (secret, label) => `otpauth://totp/${label}?secret=${secret}`,
  stepOf: (code, { secret, now, after }) => {
    const step = Math.floor(now / STEP_MS);
    return Promise.resolve(code === codeOf(secret, now) && (after === null || step > after) ? step : null);
  },
};

/** The use cases of second factors over fakes. A code is its secret and its time step; a recovery code is its text. */
export class FakeMfaWorld {
  readonly uow = new FakeUnitOfWork();
  readonly tenant = sampleTenant();
  readonly by: PersonPrincipal = this.tenant.owner;
  readonly admin: PersonPrincipal = this.tenant.admin;
  readonly audit = new FakeAuditSink(this.uow);
  readonly factors = new FakeFactorRepository(this.uow);
  readonly lockouts = new FakeLockoutRepository(this.uow);
  readonly codes = new FakeRecoveryCodeRepository(this.uow);
  readonly registrations = new FakePasskeyRegistrationRepository(this.uow);
  readonly stepUps = new FakeStepUpRepository(this.uow);
  readonly twoPersonRule = new FakeTwoPersonRule(this.uow);
  /** The answer to each assertion of a passkey; null refuses it. */
  asserts: Awaited<ReturnType<Passkeys['verifyAssertion']>> = null;
  /** The passkey of each answer to a challenge that was given out; null refuses the answer. */
  registers: NewPasskey | null = null;
  readonly #people = new Map<PersonId, PersonPrincipal>(
    [this.by, this.admin].map((person) => [person.personId, person]),
  );
  readonly #holders: FactorHolders = {
    find: (_tx, id) => {
      const person = this.#people.get(id);
      return Promise.resolve(
        person === undefined ? null : { id, email: 'ada@example.com', displayName: person.displayName, nameNote: null },
      );
    },
  };
  readonly #secrets = {
    seal: (_tx: Tx, _id: FactorId, secret: string) =>
      Promise.resolve({ keyId: 'k1', nonce: Buffer.alloc(12), ciphertext: Buffer.from(secret) }),
    open: (_tx: Tx, _id: FactorId, { ciphertext }: { readonly ciphertext: Uint8Array }) =>
      Promise.resolve(ok(Buffer.from(ciphertext).toString())),
  };
  readonly passkeys: Passkeys & { available: boolean } = {
    available: true,
    registrationOptions: (_person, known) =>
      Promise.resolve({ challenge: 'registration', excluded: known.map(({ passkeyId }) => passkeyId) }),
    verifyRegistration: (_answer, challenges) =>
      Promise.resolve(challenges.includes('registration') ? this.registers : null),
    assertionOptions: (_passkeys, challenge) => Promise.resolve({ challenge }),
    verifyAssertion: () => Promise.resolve(this.asserts),
  };
  readonly #random = { bytes: (count: number): Uint8Array => Buffer.alloc(count, (this.#drawn += 1)) };
  #drawn = 0;
  readonly #parts = createMfa({
    ...{ uow: this.uow, audit: this.audit, twoPersonRule: this.twoPersonRule, people: this.#holders },
    rows: {
      factors: this.factors,
      lockouts: this.lockouts,
      codes: this.codes,
      stepUps: this.stepUps,
      registrations: this.registrations,
    },
    methods: {
      ...{ totp, secrets: this.#secrets, passkeys: this.passkeys },
      qr: { svg: (text) => `<svg>${text}</svg>` },
    },
    ...{ digests: fakeSecretDigests, random: this.#random },
  });
  readonly proofs = this.#parts.proofs;
  readonly stepUp = this.#parts.stepUpForOperation;
  readonly enrol = this.#parts.enrolTotp;
  readonly keep = this.#parts.keepFactors;
  readonly reset = this.#parts.resetFactors;
  readonly register = this.#parts.registerPasskey;
  readonly signIn = this.#parts.signInPasskeys;
  readonly keeper = this.#parts.passkeyKeeper;
  readonly keys = this.#parts.readApproverKeys;
  readonly evidence = this.#parts.proofEvidence;

  constructor() {
    this.uow.now = 1_800_000_000_000;
  }

  /** Another person of the tenant. */
  person(): PersonPrincipal {
    const person = samplePerson(this.tenant.tenantId);
    this.#people.set(person.personId, person);
    return person;
  }

  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  /** The person has this factor. */
  async has<Kind extends Factor>(factor: Kind): Promise<Kind> {
    await this.tx((tx) => this.factors.insert(tx, factor));
    return factor;
  }

  /** The person has these recovery codes. */
  async hasCodes({ personId }: Pick<PersonPrincipal, 'personId'>, ...codes: readonly string[]): Promise<void> {
    const kept = await Promise.all(
      codes.map((code) => fakeSecretDigests.digest('recovery_code', recoveryCodeSecret(personId, code))),
    );
    await this.tx((tx) => this.codes.replace(tx, personId, kept, this.uow.now));
  }

  lockout({ personId }: Pick<PersonPrincipal, 'personId'>): Promise<Lockout> {
    return this.tx((tx) => this.lockouts.lock(tx, personId));
  }

  listed({ personId }: Pick<PersonPrincipal, 'personId'>): Promise<readonly Factor[]> {
    return this.tx((tx) => this.factors.list(tx, personId));
  }

  left({ personId }: Pick<PersonPrincipal, 'personId'>): Promise<number> {
    return this.tx(async (tx) => (await this.codes.unused(tx, personId)).length);
  }

  /** The actions of the audit log, in order. */
  actions(): readonly string[] {
    return this.audit.of(this.tenant).map(({ action }) => action);
  }
}
