import { PLATFORM_ADMIN } from '#lib/formats';
import {
  cleaned,
  err,
  newId,
  ok,
  type Actor,
  type AuditSink,
  type Failure,
  type PersonId,
  type Result,
  type Tx,
} from '#lib/kernel';
import {
  endedDocument,
  requireAdminLeft,
  type EndFormerHand,
  type OutdatePerson,
  type Person,
  type PersonRepository,
} from '#lib/identity';
import type { Issuer, IssuerClaims } from '../domain/issuer.js';
import { mappedRoles, roleChanges } from '../domain/role-changes.js';
import type { ExternalIdentity, ExternalIdentityRepository } from './sign-in.ports.js';

export interface ResolvedPerson {
  readonly identity: ExternalIdentity;
  readonly person: Person;
}

/** The reads and writes of people that a sign-in makes. */
type PeopleAtSignIn = Pick<
  PersonRepository,
  'find' | 'findByEmail' | 'insert' | 'lock' | 'save' | 'lockAdmins' | 'assignRole' | 'revokeRole'
>;

/**
 * The person whom an issuer vouches for, known by (issuer, subject). The first sign-in makes or links a person. They
 * have the roles that the issuer's claims give now.
 */
export class ResolvePerson {
  readonly #people: PeopleAtSignIn;
  readonly #formerHand: Pick<EndFormerHand, 'isThere' | 'execute'>;
  readonly #identities: ExternalIdentityRepository;
  readonly #outdating: Pick<OutdatePerson, 'execute'>;
  readonly #audit: AuditSink;

  constructor(
    people: PeopleAtSignIn,
    formerHand: Pick<EndFormerHand, 'isThere' | 'execute'>,
    identities: ExternalIdentityRepository,
    outdating: Pick<OutdatePerson, 'execute'>,
    audit: AuditSink,
  ) {
    this.#people = people;
    this.#formerHand = formerHand;
    this.#identities = identities;
    this.#outdating = outdating;
    this.#audit = audit;
  }

  async execute(tx: Tx, issuer: Issuer, claims: IssuerClaims): Promise<Result<ResolvedPerson>> {
    const known = await this.#identities.lockSubject(tx, issuer.id, claims.subject);
    const identity = known === null ? await this.#firstTime(tx, issuer, claims) : ok(known);
    if (!identity.ok) return identity;
    const person = await this.#withRoles(tx, issuer, { ...identity.value, firstTime: known === null }, claims);
    return person.ok ? ok({ identity: identity.value, person: person.value }) : person;
  }

  async #firstTime(tx: Tx, issuer: Issuer, claims: IssuerClaims): Promise<Result<ExternalIdentity>> {
    if (claims.email === null) return err(noEmail);
    const there = await this.#people.findByEmail(tx, claims.email);
    const personId =
      there === null
        ? await this.#provision(tx, issuer, claims, claims.email)
        : await this.#link(tx, issuer, claims, there);
    if (!personId.ok) return personId;
    const identity = { id: newId(), personId: personId.value, bearerCredentialId: null };
    await this.#identities.insert(tx, { ...identity, issuerId: issuer.id, subject: claims.subject });
    return ok(identity);
  }

  async #provision(tx: Tx, issuer: Issuer, claims: IssuerClaims, email: string): Promise<Result<PersonId>> {
    const roles = mappedRoles(issuer, claims.groups);
    if (issuer.provision === 'nobody' || (issuer.provision === 'mapped' && roles.length === 0))
      return err(notProvisioned);
    if (claims.emailVerified === false) return err(emailUnverified);
    const id = newId<PersonId>();
    const displayName = cleaned((claims.displayName ?? email).slice(0, 200));
    if (!(await this.#people.insert(tx, { id, email, displayName }))) return err(emailTaken);
    await this.#enrolNow(tx, id);
    await this.#audit.record(tx, {
      action: 'person.provisioned',
      actor: personActor(id, displayName),
      level: 'full',
      subject: { type: 'person', id },
      payload: { issuer: issuer.url, subject: claims.subject, email, display_name: displayName },
    });
    return ok(id);
  }

  /** An address alone never makes somebody another: the issuer must have verified it, and the tenant must trust that. */
  async #link(tx: Tx, issuer: Issuer, claims: IssuerClaims, personId: PersonId): Promise<Result<PersonId>> {
    if (!issuer.linkByVerifiedEmail || (await this.#identities.hasIdentityAt(tx, personId, issuer.id)))
      return err(emailTaken);
    if (claims.emailVerified !== true) return err(emailUnverified);
    const person = await this.#enrolNow(tx, personId);
    const actor = personActor(personId, person.displayName);
    // If a hand let them in before, it could still be them: that ends before the issuer makes them known.
    const ending = { actor, endedBy: personId, kept: null, why: 'first sign-in at an issuer' };
    const ended = (await this.#formerHand.isThere(tx, personId))
      ? endedDocument(await this.#formerHand.execute(tx, personId, ending))
      : { revoked_tokens: 0 };
    await this.#audit.record(tx, {
      action: 'person.linked',
      actor,
      level: 'full',
      subject: { type: 'person', id: personId },
      payload: { issuer: issuer.url, subject: claims.subject, email: claims.email, ...ended },
    });
    return ok(personId);
  }

  /** A new way to act as a person makes their roles count from that moment on only (T03). */
  async #enrolNow(tx: Tx, id: PersonId): Promise<Person> {
    const person = await this.#people.lock(tx, id);
    if (person === null) throw new Error(`person ${id} was found and is not there`);
    const enrolled = { ...person, enrolledAt: await tx.now() };
    await this.#people.save(tx, enrolled);
    return enrolled;
  }

  async #withRoles(
    tx: Tx,
    issuer: Issuer,
    { personId, firstTime }: { readonly personId: PersonId; readonly firstTime: boolean },
    claims: IssuerClaims,
  ): Promise<Result<Person>> {
    const wanted = mappedRoles(issuer, claims.groups);
    const before = await this.#people.find(tx, personId);
    const losesAdmin = before !== null && roleChanges(before.roles, wanted, issuer.id).revoke.includes(PLATFORM_ADMIN);
    // Admins are locked before any person, as everywhere.
    const admins = losesAdmin ? await this.#people.lockAdmins(tx) : [];
    const person = await this.#people.lock(tx, personId);
    if (person === null) throw new Error(`person ${personId} has an identity and is not there`);
    if (person.disabledAt !== null) return err(personDisabled);
    const { assign, revoke } = roleChanges(person.roles, wanted, issuer.id);
    const at = await tx.now();
    for (const role of assign) {
      await this.#people.assignRole(tx, {
        id: newId(),
        personId,
        role,
        assignedBy: null,
        assignedByIssuer: issuer.id,
        at,
      });
      await this.#recordRole(tx, 'role.assigned', issuer, person, role);
    }
    for (const role of revoke) {
      if (role === PLATFORM_ADMIN && !requireAdminLeft(admins, personId).ok) {
        await this.#recordRole(tx, 'role.kept', issuer, person, role);
        continue;
      }
      await this.#people.revokeRole(tx, { personId, role, revokedBy: { issuerId: issuer.id }, at });
      await this.#recordRole(tx, 'role.revoked', issuer, person, role);
    }
    const moved = firstTime || assign.length + revoke.length > 0;
    if (moved) {
      const actor = personActor(person.id, person.displayName);
      await this.#outdating.execute(tx, { actor, provenance: {} }, personId);
    }
    const after = moved ? await this.#people.find(tx, personId) : person;
    if (after === null) throw new Error(`person ${personId} was locked and is not there`);
    return ok(after);
  }

  #recordRole(
    tx: Tx,
    action: 'role.assigned' | 'role.revoked' | 'role.kept',
    issuer: Issuer,
    person: Person,
    role: string,
  ): Promise<void> {
    return this.#audit.record(tx, {
      action,
      actor: personActor(person.id, person.displayName),
      level: 'full',
      subject: { type: 'person', id: person.id },
      payload: {
        role,
        issuer: issuer.url,
        ...(action === 'role.kept' ? { reason: 'the last person who administers the tenant' } : {}),
      },
    });
  }
}

/** Somebody who is signing in, and has no credential yet. */
export const personActor = (id: PersonId, displayName: string): Actor => ({
  kind: 'person',
  id,
  display_name: displayName,
  credential_id: null,
  on_behalf_of: null,
});

const ASK_ADMIN = 'Ask who administers your organisation here.';

const noEmail: Failure = {
  kind: 'forbidden',
  code: 'sign_in.no_email',
  message: 'The issuer does not say your e-mail address, and you are not known here yet.',
  action: 'Ask that the issuer gives Countersign the scope "email".',
};

const emailUnverified: Failure = {
  kind: 'forbidden',
  code: 'sign_in.email_unverified',
  message: 'The issuer has not verified your e-mail address.',
  action: 'Verify it there, then sign in again.',
};

const emailTaken: Failure = {
  kind: 'forbidden',
  code: 'sign_in.email_taken',
  message:
    'A person here has your e-mail address already, and the address alone does not prove that you are this person.',
  action: `${ASK_ADMIN} They can let this issuer’s verified addresses be linked.`,
};

const notProvisioned: Failure = {
  kind: 'forbidden',
  code: 'sign_in.not_provisioned',
  message: 'The issuer knows you, and you have no access here.',
  action: ASK_ADMIN,
};

const personDisabled: Failure = {
  kind: 'forbidden',
  code: 'sign_in.person_disabled',
  message: 'Your access was taken away.',
  action: ASK_ADMIN,
};
