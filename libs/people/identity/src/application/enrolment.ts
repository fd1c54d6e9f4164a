import {
  done,
  err,
  newId,
  notFound,
  ok,
  type Actor,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Scope,
  type SecretDigests,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { ENROLMENT_LIFETIME_MS, expiryAfter } from '../domain/lifetime.js';
import { addressed, decideAssignment, personDisabled, shownName, type Person } from '../domain/person.js';
import { DEFAULT_SCOPES, requireWithin, scopesOpenTo } from '../domain/scopes.js';
import { spellToken, TOKEN_BYTES, tokenKindOf } from '../domain/token.js';
import { endedDocument, type EndFormerHand } from './end-former-hand.js';
import type {
  CredentialRepository,
  EnrolmentMaker,
  EnrolmentRepository,
  PersonRepository,
  RandomBytes,
} from './identity.ports.js';
import type { EnrolmentChannel } from '../domain/seats.js';
import type { MintCredential, MintedCredential } from './mint-credential.js';
import { enrolmentBase, waitingRoles, type OutdatePerson } from './outdate-person.js';
import { wantedEnrolment, type WantedEnrolment } from './wanted-enrolment.js';

/** A one-time token, shown once, and until when it can be exchanged (epoch milliseconds). */
export interface IssuedEnrolment {
  readonly token: string;
  readonly expiresAt: number;
}

/** Writes one-time tokens, for use cases that record who had them written. */
export class EnrolmentTokens {
  constructor(
    private readonly enrolments: EnrolmentRepository,
    private readonly digests: SecretDigests,
    private readonly random: RandomBytes,
  ) {}

  /** A token that opens nothing until its digest is written. */
  async spell(tenantId: TenantId): Promise<{ readonly token: string; readonly digest: Uint8Array }> {
    const token = spellToken('enrolment', this.random.bytes(TOKEN_BYTES), tenantId);
    return { token, digest: await this.digests.digest('enrolment', token) };
  }

  /** @returns until when it is good, epoch milliseconds. */
  async write(tx: Tx, digest: Uint8Array, personId: PersonId, maker: EnrolmentMaker): Promise<number> {
    const expiresAt = (await tx.now()) + ENROLMENT_LIFETIME_MS;
    await this.enrolments.insert(tx, { id: newId(), personId, digest, ...maker, expiresAt });
    return expiresAt;
  }
}

/** A token that was asked for, and its validity: at once until a moment (epoch milliseconds), or once confirmed. */
export interface AskedEnrolment {
  readonly token: string;
  readonly guarded: Guarded<{ readonly expiresAt: number }>;
}

/**
 * Makes the one-time token by which a person gets their first credential, or a new one after losing theirs. People who
 * sign in at an issuer make their own tokens instead. So no other person can hand out a way to be them.
 *
 * The token's holder can become the person. If the person has enrolled before, holds a role, or one waits for them, that
 * loosens: it waits for a second person, and the token, which its author sees, opens nothing until then. Only its digest waits.
 * The role is decided on first, since the confirmation is about a way to be its holder.
 *
 * Failures: `resource.not_found`, `identity.person_disabled`, `enrolment.signs_in_at_issuer`, `sign_in.issuer_only`,
 * `enrolment.role_waits`.
 */
export class IssueEnrolment implements CarriesOutChange<WantedEnrolment> {
  readonly payload = wantedEnrolment;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly tokens: EnrolmentTokens,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly outdating: OutdatePerson,
    private readonly audit: AuditSink,
  ) {}

  /** @param channel `mailed`: the author never sees the token, and the caller mails it. */
  async execute(
    by: PersonPrincipal,
    personId: PersonId,
    channel: HandedOut = 'shown',
  ): Promise<Result<AskedEnrolment>> {
    const { token, digest } = await this.tokens.spell(by.tenantId);
    const wanted = { person_id: personId, token_digest: Buffer.from(digest).toString('hex'), ...mailedOnly(channel) };
    const issued = await this.uow.run(by.tenantId, (tx) => this.issue(tx, by, wanted));
    return issued.ok ? ok({ token, guarded: issued.value }) : issued;
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedEnrolment): Promise<Result<Guarded<unknown>>> {
    return this.issue(tx, change, wanted);
  }

  /** Works in the caller's transaction. */
  async issue(
    tx: Tx,
    authority: ChangeAuthority,
    wanted: WantedEnrolment,
  ): Promise<Result<Guarded<{ readonly expiresAt: number }>>> {
    const { person_id: personId, token_digest: digest, roles: added = [], channel = 'shown' } = wanted;
    const person = await this.people.lock(tx, personId);
    if (person === null) return err(notFound('person'));
    if (person.disabledAt !== null) return err(personDisabled);
    if (await this.people.signsInAtIssuer(tx, personId)) return err(signsInAtIssuer);
    if (await this.people.issuersOnly(tx)) return err(issuerOnly);
    // It makes them known, so nothing of theirs that a hand may have made before may be there.
    if (channel === 'mailed' && person.enrolledAt !== null) return err(mailsFirstOnly);
    const author = authority.kind === 'person' ? authority.personId : authority.authorId;
    for (const role of added) {
      const allowed = decideAssignment(author, person, role);
      if (!allowed.ok) return allowed;
    }
    const waiting = await waitingRoles(this.twoPersonRule, tx, personId);
    if (authority.kind === 'confirmed_change' && waiting.length > 0) return err(roleWaits);
    // Together, so that it is the same change once the role is assigned.
    const base = enrolmentBase(person, [...waiting, ...added]);
    const { roles } = base;
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'enrolment',
      subject: { type: 'person', id: personId },
      what: `An invitation for ${addressed(person)}${added.length === 0 ? '' : ` as ${added.join(', ')}`}${waiting.length === 0 ? '' : `, once ${waiting.join(', ')} is decided on`}${channel === 'mailed' ? ', mailed to them' : ''}`,
      payload: { ...wanted },
      base,
      loosens: openedBy(person, roles),
      detail: {
        person: shownName(person, true),
        e_mail: person.email,
        roles,
        enrolled_before: person.enrolledAt !== null,
      },
      ...(added.length === 0 ? {} : { beneficiary: personId }),
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const at = await tx.now();
    for (const role of added) {
      await this.people.assignRole(tx, { id: newId(), personId, role, assignedBy: admitted.authorId, at });
      await this.audit.record(tx, {
        action: 'role.assigned',
        actor: admitted.actor,
        level: 'full',
        subject: { type: 'person', id: personId },
        payload: { role, voided_enrolments: 0, ...admitted.provenance },
      });
    }
    if (added.length > 0) await this.outdating.execute(tx, admitted, personId);
    const maker = { channel, createdBy: admitted.authorId } as const;
    const expiresAt = await this.tokens.write(tx, Buffer.from(digest, 'hex'), personId, maker);
    await this.audit.record(tx, {
      action: 'enrolment.issued',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'person', id: personId },
      payload: { channel, expires_at: expiresAt, enrolled_before: person.enrolledAt !== null, ...admitted.provenance },
    });
    return ok(done({ expiresAt }, admitted));
  }
}

/** The reader of the token: its author, or the mailbox of the person alone. */
export type HandedOut = Extract<EnrolmentChannel, 'shown' | 'mailed'>;

/** As it is stored. */
export const mailedOnly = (channel: HandedOut): { readonly channel?: 'mailed' } =>
  channel === 'mailed' ? { channel } : {};

function openedBy(person: Person, roles: readonly string[]): readonly string[] {
  const { enrolledAt } = person;
  if (enrolledAt === null && roles.length === 0) return [];
  const may = roles.length === 0 ? 'holds no role yet' : `holds ${roles.join(', ')}`;
  return [
    `anybody with the token becomes ${shownName(person)}, who ${may}`,
    ...(enrolledAt === null ? [] : [`every credential that ${shownName(person)} has ends once it is used`]),
  ];
}

interface ExchangeEnrolmentDeps {
  readonly uow: UnitOfWork;
  readonly people: PersonRepository;
  readonly credentials: CredentialRepository;
  readonly enrolments: EnrolmentRepository;
  readonly mint: MintCredential;
  readonly digests: SecretDigests;
  readonly outdating: OutdatePerson;
  readonly formerHand: EndFormerHand;
  readonly audit: AuditSink;
}

/**
 * Exchanges a one-time token for the person's own credential. Their earlier credentials are revoked, so that they notice a
 * stranger's use of the enrolment. Their roles count from now on only (see {@link countingRoles}). The operator's token makes
 * them known, so it also ends every access that a hand could hold.
 */
export class ExchangeEnrolment {
  constructor(private readonly deps: ExchangeEnrolmentDeps) {}

  async execute(
    token: string,
    wanted: {
      readonly name: string;
      readonly scopes?: readonly Scope[] | undefined;
      readonly expiresInDays?: number | undefined;
    },
  ): Promise<Result<MintedCredential>> {
    if (tokenKindOf(token) !== 'enrolment') return err(enrolmentRefused);
    const located = await this.deps.enrolments.locate(await this.deps.digests.candidates('enrolment', token));
    if (located === null) return err(enrolmentRefused);
    return this.deps.uow.run(located.tenantId, async (tx) => {
      const enrolment = await this.deps.enrolments.lock(tx, located.id);
      const person = enrolment === null ? null : await this.deps.people.lock(tx, enrolment.personId);
      const now = await tx.now();
      if (enrolment?.usedAt !== null || enrolment.voidedAt !== null) return err(enrolmentRefused);
      if (enrolment.expiresAt <= now) return err(enrolmentRefused);
      if (person?.disabledAt !== null) return err(enrolmentRefused);
      // They came in by themselves meanwhile: with roles, perhaps, which the maker of the token must not get.
      if (await this.deps.people.signsInAtIssuer(tx, person.id)) return err(enrolmentRefused);
      // The operator's link counts also then, in the browser: a token is for people known to an issuer.
      if (await this.deps.people.issuersOnly(tx)) return err(enrolment.channel === 'operator' ? noTokens : issuerOnly);
      // It makes them known, so nothing that a hand registered before may stay: only the page replaces factors.
      if (enrolment.channel === 'operator' && (await this.deps.enrolments.hasFactors(tx, person.id)))
        return err(takenInBrowser);
      const scopes = requireWithin(
        wanted.scopes ?? DEFAULT_SCOPES,
        scopesOpenTo(person.roles.map(({ role }) => role)),
        'your roles do not open that',
      );
      if (!scopes.ok) return scopes;
      const expiry = expiryAfter(now, 'token', wanted.expiresInDays);
      if (!expiry.ok) return expiry;
      const handEnds = enrolment.channel === 'operator' && (await this.deps.formerHand.isThere(tx, person.id));
      await this.deps.enrolments.markUsed(tx, enrolment.id);
      const actor: Actor = {
        kind: 'person',
        id: person.id,
        display_name: person.displayName,
        credential_id: null,
        on_behalf_of: null,
      };
      const ending = { actor, endedBy: person.id, kept: null, why: 'let in by the operator' };
      const ended = handEnds
        ? endedDocument(await this.deps.formerHand.execute(tx, person.id, ending))
        : { revoked_tokens: await this.deps.credentials.revokeAllOf(tx, person.id, now) };
      await this.deps.people.save(tx, { ...person, enrolledAt: now });
      await this.deps.outdating.execute(tx, { actor, provenance: {} }, person.id);
      const minted = await this.deps.mint.execute(tx, {
        holder: { kind: 'person_token', personId: person.id },
        name: wanted.name,
        scopes: scopes.value,
        createdBy: null,
        now,
        expiresAt: expiry.value,
      });
      await this.deps.audit.record(tx, {
        action: 'person.enrolled',
        actor,
        level: 'full',
        subject: { type: 'person', id: person.id },
        payload: { credential_id: minted.credential.id, scopes: scopes.value, ...ended },
      });
      return ok(minted);
    });
  }
}

/** One wording for every cause, so that it tells nothing. */
const enrolmentRefused: Failure = {
  kind: 'unauthenticated',
  code: 'enrolment.refused',
  message: 'This enrolment token opens nothing: it is unknown, used, or too old.',
  action: 'Ask a PlatformAdmin for a new one.',
};

const takenInBrowser: Failure = {
  kind: 'conflict',
  code: 'enrolment.taken_in_browser',
  message: 'You have a second factor from before, and the operator’s link replaces it.',
  action: 'Open the link in a browser and register a passkey; then mint tokens in your settings.',
};

const noTokens: Failure = {
  kind: 'conflict',
  code: 'enrolment.taken_in_browser',
  message: 'Your organisation lets people in through its identity provider alone, so a token would open nothing.',
  action: 'Open the link in a browser and register a passkey. That lets you in for as long as one sign-in counts.',
};

const mailsFirstOnly: Failure = {
  kind: 'conflict',
  code: 'enrolment.came_in_before',
  message: 'This person came in before. Only a first invitation is mailed.',
  action: 'Make a new link and hand it to them, or ask the operator to run `countersign bootstrap --person`.',
};

const roleWaits: Failure = {
  kind: 'conflict',
  code: 'enrolment.role_waits',
  message: 'A role waits for this person, and their enrolment token was asked for together with it.',
  action: 'Decide on the role first, then on the token.',
};

const signsInAtIssuer: Failure = {
  kind: 'forbidden',
  code: 'enrolment.signs_in_at_issuer',
  message: 'This person signs in at your organisation’s issuer: nobody else makes them a way in.',
  action: 'Have them sign in in the browser; for programs they make a token in their settings.',
};

const issuerOnly: Failure = {
  kind: 'forbidden',
  code: 'sign_in.issuer_only',
  message: 'Your organisation lets people in through its identity provider alone, so no invitation opens anything.',
  action:
    'Add the person by e-mail address, without an invitation: their first sign-in at the identity provider lets them in.',
};
