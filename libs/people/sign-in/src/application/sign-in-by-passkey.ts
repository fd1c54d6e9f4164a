import { createHash } from 'node:crypto';
import {
  err,
  newId,
  ok,
  type AuditSink,
  type Failure,
  type PersonId,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Person, PersonRepository } from '#lib/identity';
import type { RelyingParty, SignInPasskeys } from '#lib/mfa';
import { decideCameIn, decidePasskeyWay } from '../domain/passkey-way.js';
import type { ComingBrowser } from '../domain/browser-session.js';
import { personActor } from './resolve-person.js';
import type { OpenBrowserSessionByPasskey, OpenedBrowserSession } from './open-browser-session-by-passkey.js';
import { challengeOfAnswer, personOfAnswer, type PasskeyAnswer } from './passkey-answer.js';
import { CHALLENGE_LIFETIME_MS, type PasskeyChallenges } from './passkey-challenges.js';
import type { PasskeyAccountRepository } from './passkey.ports.js';
import type { SignInSettingsRepository } from './sign-in.ports.js';

/** The options of a browser's sign-in: PublicKeyCredentialRequestOptionsJSON. */
export type PasskeyRequest = Readonly<Record<string, unknown>> & { readonly challenge: string };

/**
 * Signs a person in by a passkey of ours. The passkey names its person, so that no account is typed, and a stranger cannot learn
 * which accounts there are. The passkey proves that its holder was verified, by finger, face or PIN.
 *
 * Failures: `sign_in.passkeys_unavailable`; on the answer `sign_in.passkey_refused`, `sign_in.challenge_over`,
 * `sign_in.person_disabled`, `sign_in.issuer_only`, `sign_in.at_your_issuer`, `sign_in.dormant`, `mfa.passkey_counter`.
 */
export class SignInByPasskey {
  /** A tenant without members, one for all strangers. A flood of theirs gives way to other tenants as a loud tenant does. */
  readonly #strangers = newId<TenantId>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: {
      readonly party: RelyingParty | null;
      readonly challenges: PasskeyChallenges;
      readonly accounts: PasskeyAccountRepository;
      readonly people: Pick<PersonRepository, 'lock'>;
      readonly settings: SignInSettingsRepository;
      readonly passkeys: Pick<SignInPasskeys, 'assert'>;
      readonly opening: OpenBrowserSessionByPasskey;
      readonly audit: AuditSink;
    },
  ) {}

  async begin(): Promise<Result<PasskeyRequest>> {
    const { party, challenges } = this.parts;
    if (party === null) return err(passkeysUnavailable);
    // The clock is the database's, and a transaction always belongs to a tenant.
    const now = await this.uow.run(this.#strangers, (tx) => tx.now());
    return ok({
      challenge: await challenges.next(now),
      rpId: party.id,
      allowCredentials: [],
      userVerification: 'required',
      timeout: CHALLENGE_LIFETIME_MS,
    });
  }

  async complete(answer: PasskeyAnswer, browser: ComingBrowser): Promise<Result<OpenedBrowserSession>> {
    const { challenges, accounts } = this.parts;
    const [personId, challenge] = [personOfAnswer(answer), challengeOfAnswer(answer)];
    const expiresAt = challenge === null ? null : await challenges.expiryOf(challenge);
    if (personId === null || challenge === null || expiresAt === null) return err(passkeyRefused);
    const tenantId = await accounts.locate(answer.id, personId);
    if (tenantId === null) return err(passkeyRefused);
    return this.uow.run(tenantId, async (tx) => {
      const person = await this.parts.people.lock(tx, personId);
      if (person === null) return err(passkeyRefused);
      const opened = await this.#open(tx, person, { answer, challenge, expiresAt, browser });
      if (!opened.ok) await this.#record(tx, person, opened.error);
      return opened;
    });
  }

  async #open(
    tx: Tx,
    person: Person,
    shown: {
      readonly answer: PasskeyAnswer;
      readonly challenge: string;
      readonly expiresAt: number;
      readonly browser: ComingBrowser;
    },
  ): Promise<Result<OpenedBrowserSession>> {
    const { accounts, settings, passkeys, opening } = this.parts;
    const { answer, challenge, expiresAt, browser } = shown;
    const now = await tx.now();
    const spent = { personId: person.id, challengeDigest: sha256(challenge), expiresAt };
    if (expiresAt <= now || !(await accounts.spend(tx, spent))) return err(challengeOver);
    // The signature first: only the holder of the passkey learns how its person stands.
    const asserted = await passkeys.assert(tx, person.id, answer, challenge);
    if (!asserted.ok) return asserted.error.code === 'mfa.passkey_counter' ? asserted : err(passkeyRefused);
    if (person.disabledAt !== null) return err(personDisabled);
    const [account, wanted] = [await accounts.read(tx, person.id), await settings.read(tx)];
    const way = decidePasskeyWay(account, wanted);
    if (!way.ok) return way;
    const cameIn = decideCameIn(account, wanted, now);
    if (!cameIn.ok) return cameIn;
    const by = { factorId: asserted.value.id, browser, letInByOperator: false };
    return ok(await opening.execute(tx, person, by));
  }

  #record(tx: Tx, person: { readonly id: PersonId; readonly displayName: string }, failure: Failure) {
    return this.parts.audit.record(tx, {
      action: 'sign_in.refused',
      actor: personActor(person.id, person.displayName),
      level: 'full',
      subject: { type: 'person', id: person.id },
      payload: { by: 'passkey', code: failure.code },
    });
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

const passkeysUnavailable: Failure = {
  kind: 'conflict',
  code: 'sign_in.passkeys_unavailable',
  message: 'Browsers give no passkeys to the address by which people reach this installation.',
  action: 'Set COUNTERSIGN_PUBLIC_URL to an https address with a host name.',
};

/** One wording for an unknown passkey and for a wrong answer. */
const passkeyRefused: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.passkey_refused',
  message: 'This passkey opens no account here.',
  action:
    'Choose the passkey that you made for this Countersign. If you lost it, ask an administrator for an invitation.',
};

const challengeOver: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.challenge_over',
  message: 'That took longer than five minutes, or was sent twice.',
  action: 'Sign in again.',
};

const personDisabled: Failure = {
  kind: 'forbidden',
  code: 'sign_in.person_disabled',
  message: 'Your access was taken away.',
  action: 'Ask who administers your organisation here.',
};
