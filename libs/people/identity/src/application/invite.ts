import {
  actorOf,
  err,
  FailureError,
  newId,
  notFound,
  ok,
  type AuditSink,
  type Guarded,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { mailedOnly, type EnrolmentTokens, type HandedOut, type IssueEnrolment } from './enrolment.js';
import type { WantedEnrolment } from './wanted-enrolment.js';
import type { EnrolmentRepository, OpenInvitation, PersonRepository } from './identity.ports.js';
import { emailTaken } from './people.js';

/** An invited person. The secret is told once: to the inviting admin, or to the mailbox of the person alone. */
export interface Invited {
  readonly personId: PersonId;
  readonly token: string;
  readonly guarded: Guarded<{ readonly expiresAt: number }>;
}

/**
 * Invites a person who is not there yet, with the roles that they are to hold. It adds the person, and makes the
 * one-time secret by which they come in. With roles it loosens, and waits for a second person together with them, as
 * one change.
 *
 * Failures: `identity.email_taken`, those of {@link IssueEnrolment}.
 */
export class InvitePerson {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly tokens: EnrolmentTokens,
    private readonly issuing: IssueEnrolment,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    by: PersonPrincipal,
    wanted: { readonly email: string; readonly displayName: string; readonly roles: readonly string[] },
    channel: HandedOut = 'shown',
  ): Promise<Result<Invited>> {
    const { email, displayName, roles } = wanted;
    const personId = newId<PersonId>();
    const { token, digest } = await this.tokens.spell(by.tenantId);
    const enrolment: WantedEnrolment = {
      person_id: personId,
      token_digest: Buffer.from(digest).toString('hex'),
      roles: [...new Set(roles)].sort(),
      ...mailedOnly(channel),
    };
    try {
      const guarded = await this.uow.run(by.tenantId, async (tx) => {
        if (!(await this.people.insert(tx, { id: personId, email, displayName }))) throw new FailureError(emailTaken);
        await this.audit.record(tx, {
          action: 'person.added',
          actor: actorOf(by),
          level: 'full',
          subject: { type: 'person', id: personId },
          payload: { email, display_name: displayName },
        });
        const issued = await this.issuing.issue(tx, by, enrolment);
        // Thrown, so that no person is added without a way in.
        if (!issued.ok) throw new FailureError(issued.error);
        return issued.value;
      });
      return ok({ personId, token, guarded });
    } catch (error) {
      if (error instanceof FailureError) return err(error.failure);
      throw error;
    }
  }
}

/** The unused invitations; an admin withdraws one at once. */
export class KeepInvitations {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly enrolments: EnrolmentRepository,
    private readonly audit: AuditSink,
  ) {}

  list(tenantId: TenantId): Promise<readonly OpenInvitation[]> {
    return this.uow.run(tenantId, (tx) => this.enrolments.listOpen(tx));
  }

  /** Withdrawing a missing or used invitation changes nothing. Failures: `resource.not_found` for a stranger to the tenant. */
  withdraw(by: PersonPrincipal, personId: PersonId): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      if ((await this.people.lock(tx, personId)) === null) return err(notFound('person'));
      const withdrawn = await this.enrolments.voidUnused(tx, personId);
      if (withdrawn === 0) return ok(undefined);
      await this.audit.record(tx, {
        action: 'enrolment.withdrawn',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'person', id: personId },
        payload: { withdrawn },
      });
      return ok(undefined);
    });
  }
}
