import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Scope,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { ENROLMENT_LIFETIME_MS, expiryAfter } from '../domain/lifetime.js';
import { personDisabled } from '../domain/person.js';
import { DEFAULT_SCOPES, requireWithin, scopesOpenTo } from '../domain/scopes.js';
import { digestOfToken, spellToken, TOKEN_BYTES, tokenKindOf } from '../domain/token.js';
import type { CredentialRepository, EnrolmentRepository, PersonRepository, RandomBytes } from './identity.ports.js';
import type { MintCredential, MintedCredential } from './mint-credential.js';

/** A one-time token, shown once, and until when it can be exchanged (epoch milliseconds). */
export interface IssuedEnrolment {
  readonly token: string;
  readonly expiresAt: number;
}

/**
 * Makes the one-time token by which a person gets their first credential, or a new one after losing theirs. Not for whoever
 * signs in at an issuer: they make their own tokens, and nobody hands out a way to be them.
 *
 * Failures: `resource.not_found`, `identity.person_disabled`, `enrolment.signs_in_at_issuer`.
 */
export class IssueEnrolment {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly enrolments: EnrolmentRepository,
    private readonly random: RandomBytes,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: PersonPrincipal, personId: PersonId): Promise<Result<IssuedEnrolment>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const person = await this.people.lock(tx, personId);
      if (person === null) return err(notFound('person'));
      if (person.disabledAt !== null) return err(personDisabled);
      if (await this.people.signsInAtIssuer(tx, personId)) return err(signsInAtIssuer);
      const issued = await this.issue(tx, personId, by.personId);
      await this.audit.record(tx, {
        action: 'enrolment.issued',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'person', id: personId },
        payload: { expires_at: issued.expiresAt, enrolled_before: person.enrolledAt !== null },
      });
      return ok(issued);
    });
  }

  /** The token alone, for a use case that records more: the bootstrap. */
  async issue(tx: Tx, personId: PersonId, createdBy: PersonId | null): Promise<IssuedEnrolment> {
    const token = spellToken('enrolment', this.random.bytes(TOKEN_BYTES));
    const expiresAt = (await tx.now()) + ENROLMENT_LIFETIME_MS;
    await this.enrolments.insert(tx, { id: newId(), personId, digest: digestOfToken(token), createdBy, expiresAt });
    return { token, expiresAt };
  }
}

/**
 * Exchanges a one-time token for the person's own credential. Whatever credentials they had are revoked, so that an
 * enrolment somebody else used is noticed, and their roles count from now on only (see {@link countingRoles}).
 */
export class ExchangeEnrolment {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly credentials: CredentialRepository,
    private readonly enrolments: EnrolmentRepository,
    private readonly mint: MintCredential,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    token: string,
    wanted: {
      readonly name: string;
      readonly scopes?: readonly Scope[] | undefined;
      readonly expiresInDays?: number | undefined;
    },
  ): Promise<Result<MintedCredential>> {
    if (tokenKindOf(token) !== 'enrolment') return err(enrolmentRefused);
    const located = await this.enrolments.locate(digestOfToken(token));
    if (located === null) return err(enrolmentRefused);
    return this.uow.run(located.tenantId, async (tx) => {
      const enrolment = await this.enrolments.lock(tx, located.id);
      const person = enrolment === null ? null : await this.people.lock(tx, enrolment.personId);
      const now = await tx.now();
      if (enrolment?.usedAt !== null || enrolment.expiresAt <= now) return err(enrolmentRefused);
      if (person?.disabledAt !== null) return err(enrolmentRefused);
      const scopes = requireWithin(
        wanted.scopes ?? DEFAULT_SCOPES,
        scopesOpenTo(person.roles.map(({ role }) => role)),
        'your roles do not open it',
      );
      if (!scopes.ok) return scopes;
      const expiry = expiryAfter(now, 'token', wanted.expiresInDays);
      if (!expiry.ok) return expiry;
      await this.enrolments.markUsed(tx, enrolment.id);
      const revoked = await this.credentials.revokeAllOf(tx, person.id, now);
      await this.people.save(tx, { ...person, enrolledAt: now });
      const minted = await this.mint.execute(tx, {
        holder: { kind: 'person_token', personId: person.id },
        name: wanted.name,
        scopes: scopes.value,
        createdBy: null,
        now,
        expiresAt: expiry.value,
      });
      await this.audit.record(tx, {
        action: 'person.enrolled',
        actor: {
          kind: 'person',
          id: person.id,
          display_name: person.displayName,
          credential_id: null,
          on_behalf_of: null,
        },
        level: 'full',
        subject: { type: 'person', id: person.id },
        payload: { credential_id: minted.credential.id, scopes: scopes.value, revoked_tokens: revoked },
      });
      return ok(minted);
    });
  }
}

/** One wording for whatever is wrong with it, so that it tells nothing. */
const enrolmentRefused: Failure = {
  kind: 'unauthenticated',
  code: 'enrolment.refused',
  message: 'This enrolment token opens nothing: it is unknown, used, or too old.',
  action: 'Ask a PlatformAdmin for a new one.',
};

const signsInAtIssuer: Failure = {
  kind: 'forbidden',
  code: 'enrolment.signs_in_at_issuer',
  message: 'This person signs in at your organisation’s issuer: nobody else makes them a way in.',
  action: 'Have them sign in in the browser; for programs they make a token in their settings.',
};
