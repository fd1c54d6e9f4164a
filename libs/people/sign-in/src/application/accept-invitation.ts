import {
  actorOf,
  ok,
  type AuditSink,
  type CredentialId,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import {
  type PasskeyKeeper,
  countingRoles,
  endedDocument,
  type CredentialRepository,
  type EndFormerHand,
  type Enrolment,
  type EnrolmentRepository,
  type Invitations,
  type OutdatePerson,
  type Person,
  type PersonRepository,
} from '#lib/identity';
import type { FormerFactorProof, PasskeyOptions, SignInPasskeys } from '#lib/mfa';
import type { TenantRepository } from '#lib/tenancy';
import { decidePasskeyWay } from '../domain/passkey-way.js';
import type { ComingBrowser } from '../domain/browser-session.js';
import { personActor } from './resolve-person.js';
import type { OpenBrowserSessionByPasskey, OpenedBrowserSession } from './open-browser-session-by-passkey.js';
import type { PasskeyAccountRepository } from './passkey.ports.js';
import type { SignInSettingsRepository } from './sign-in.ports.js';

/** The page's text for an invited person, and the request to their browser. */
export interface InvitationSeen {
  readonly tenantName: string;
  readonly person: Person;
  readonly expiresAt: number;
  readonly options: PasskeyOptions;
  /** Whether they have factors already, one of which they have to prove. */
  readonly proofRequired: boolean;
}

/** How somebody answers an invitation. */
export interface InvitationAnswer {
  /** The person's name for the device that holds the passkey. */
  readonly name: string;
  readonly registration: unknown;
  readonly proof: FormerFactorProof | null;
  readonly browser: ComingBrowser;
}

/** Somebody who came in. */
export interface InvitationAccepted {
  readonly browserSession: OpenedBrowserSession;
  /** Shown this once; null if they have some already. */
  readonly recoveryCodes: readonly string[] | null;
}

/**
 * An invited person comes in with a passkey of their own. Looking at an invitation uses nothing up; registering the passkey
 * does. Their earlier credentials are revoked then, and their roles count from that moment on, as after every enrolment.
 *
 * Failures: `enrolment.refused`, `sign_in.issuer_only`, those of {@link SignInPasskeys.offer},
 * {@link SignInPasskeys.proveFormer} and {@link SignInPasskeys.answered}.
 */
export class AcceptInvitation {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: {
      readonly invitations: Pick<Invitations, 'locate' | 'lockGood'>;
      readonly enrolments: Pick<EnrolmentRepository, 'markUsed'>;
      readonly people: Pick<PersonRepository, 'save'>;
      readonly credentials: Pick<CredentialRepository, 'revokeAllOf'>;
      readonly tenants: Pick<TenantRepository, 'find'>;
      readonly settings: SignInSettingsRepository;
      readonly accounts: PasskeyAccountRepository;
      readonly passkeys: Pick<SignInPasskeys, 'activeOf' | 'offer' | 'proveFormer' | 'answered' | 'add'>;
      readonly factors: Pick<PasskeyKeeper, 'keepOnly'>;
      readonly formerHand: Pick<EndFormerHand, 'isThere' | 'execute'>;
      readonly opening: OpenBrowserSessionByPasskey;
      readonly outdating: Pick<OutdatePerson, 'execute'>;
      readonly audit: AuditSink;
    },
  ) {}

  look(token: string): Promise<Result<InvitationSeen>> {
    return this.#within(token, async (tx, { enrolment, person }) => {
      const { passkeys, tenants } = this.parts;
      // The operator lets in a person who lost them all. The device that has an old passkey may make a new one.
      const factors = letInByOperator(enrolment) ? [] : await passkeys.activeOf(tx, person.id);
      const options = await passkeys.offer(tx, person.id, factors);
      if (!options.ok) return options;
      const tenant = await tenants.find(tx);
      if (tenant === null) throw new Error(`tenant ${tx.tenantId} is not there`);
      return ok({
        tenantName: tenant.name,
        person,
        expiresAt: enrolment.expiresAt,
        options: options.value,
        proofRequired: factors.length > 0,
      });
    });
  }

  accept(token: string, answer: InvitationAnswer): Promise<Result<InvitationAccepted>> {
    return this.#within(token, async (tx, { enrolment, person }) => {
      const { people, passkeys, opening, audit } = this.parts;
      const by = invited(tx.tenantId, person, enrolment);
      const { name, registration, proof, browser } = answer;
      const byOperator = letInByOperator(enrolment);
      const proved = byOperator ? ok(undefined) : await passkeys.proveFormer(tx, by, proof);
      if (!proved.ok) return proved;
      const shown = await passkeys.answered(tx, person.id, registration);
      if (!shown.ok) return shown;
      const ended = await this.#useUp(tx, by, enrolment);
      const { factor, recoveryCodes } = await passkeys.add(tx, by, { ...shown.value, name });
      await people.save(tx, { ...person, enrolledAt: await tx.now() });
      const actor = personActor(person.id, person.displayName);
      await this.parts.outdating.execute(tx, { actor, provenance: {} }, person.id);
      const opened = { factorId: factor.id, browser, letInByOperator: byOperator };
      const browserSession = await opening.execute(tx, person, opened);
      await audit.record(tx, {
        action: 'person.enrolled',
        actor: { ...actor, credential_id: browserSession.credentialId },
        level: 'full',
        subject: { type: 'person', id: person.id },
        payload: { by: 'passkey', passkey: factor.id, channel: enrolment.channel, ...ended },
      });
      return ok({ browserSession, recoveryCodes });
    });
  }

  /** Uses the invitation up, and ends its person's earlier access. The operator's link also ends access that a hand could hold. */
  async #useUp(tx: Tx, by: PersonPrincipal, enrolment: Enrolment) {
    const { personId } = by;
    const { enrolments, credentials, factors, formerHand } = this.parts;
    const byOperator = letInByOperator(enrolment);
    const handEnds = byOperator && (await formerHand.isThere(tx, personId));
    await enrolments.markUsed(tx, enrolment.id);
    const ending = { actor: actorOf(by), endedBy: personId, kept: null, why: 'let in by the operator' };
    if (handEnds) return endedDocument(await formerHand.execute(tx, personId, ending));
    if (byOperator) await factors.keepOnly(tx, personId, ending);
    return { revoked_tokens: await credentials.revokeAllOf(tx, personId, await tx.now()) };
  }

  /** In the tenant of an invitation that is good now, with its row and its person locked. */
  async #within<T>(
    token: string,
    work: (tx: Tx, found: { readonly enrolment: Enrolment; readonly person: Person }) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const { invitations, accounts, settings } = this.parts;
    const located = await invitations.locate(token);
    if (!located.ok) return located;
    return this.uow.run(located.value.tenantId, async (tx) => {
      const found = await invitations.lockGood(tx, located.value.id);
      if (!found.ok) return found;
      const { enrolment, person } = found.value;
      if (!letInByOperator(enrolment)) {
        const account = await accounts.read(tx, person.id);
        const way = decidePasskeyWay(account, await settings.read(tx));
        if (!way.ok) return way;
      }
      return work(tx, found.value);
    });
  }
}

const letInByOperator = ({ channel }: Enrolment): boolean => channel === 'operator';

/** Somebody who has no credential yet but the invitation. */
const invited = (tenantId: TenantId, person: Person, enrolment: Enrolment): PersonPrincipal => ({
  kind: 'person',
  tenantId,
  personId: person.id,
  displayName: person.displayName,
  roles: countingRoles(person.roles, person.enrolledAt),
  // The invitation stands for the credential.
  credentialId: enrolment.id as CredentialId,
  credentialKind: 'person_token',
  scopes: [],
  signedInAt: null,
});
