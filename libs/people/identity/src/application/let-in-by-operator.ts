import { PLATFORM_ADMIN } from '#lib/formats';
import {
  actorOf,
  err,
  newId,
  ok,
  type AuditSink,
  type Failure,
  type Outbox,
  type PersonId,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { personDisabled } from '../domain/person.js';
import type { EnrolmentTokens, IssuedEnrolment } from './enrolment.js';
import type { PersonRepository } from './identity.ports.js';

/** An admin without another way in, or a person whose link no admin is to see. */
export interface PersonToLetIn {
  readonly email: string;
  /** Only somebody who holds PlatformAdmin. */
  readonly admin: boolean;
  /** The name of a new person; null adds none. */
  readonly displayName: string | null;
}

/**
 * Makes the operator's link that lets a person in, even if the tenant demands an issuer; no admin sees it. It is called
 * on the machine, not over HTTP. The operator could write the database as well; this leaves a record, and every
 * PlatformAdmin is told.
 *
 * Failures: `operator.nobody`, `operator.not_an_admin`, `identity.person_disabled`.
 */
export class LetInByOperator {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly tokens: EnrolmentTokens,
    private readonly outbox: Outbox,
    private readonly audit: AuditSink,
  ) {}

  async execute(tenantId: TenantId, wanted: PersonToLetIn): Promise<Result<IssuedEnrolment>> {
    const { token, digest } = await this.tokens.spell(tenantId);
    return this.uow.run(tenantId, async (tx) => {
      const by = actorOf({ kind: 'system', tenantId, name: 'operator' });
      const known = await this.people.findByEmail(tx, wanted.email);
      if (known === null && (wanted.admin || wanted.displayName === null)) return err(nobody(wanted.email));
      const personId = known ?? newId<PersonId>();
      if (known === null && wanted.displayName !== null) {
        const { email, displayName } = { email: wanted.email, displayName: wanted.displayName };
        await this.people.insert(tx, { id: personId, email, displayName });
        await this.audit.record(tx, {
          action: 'person.added',
          actor: by,
          level: 'full',
          subject: { type: 'person', id: personId },
          payload: { email, display_name: displayName },
        });
      }
      const person = await this.people.lock(tx, personId);
      if (person === null) throw new Error(`person ${personId} was found and is not there`);
      if (person.disabledAt !== null) return err(personDisabled);
      if (wanted.admin && !person.roles.some(({ role }) => role === PLATFORM_ADMIN)) return err(notAdmin(wanted.email));
      const expiresAt = await this.tokens.write(tx, digest, personId, { channel: 'operator', createdBy: null });
      await this.audit.record(tx, {
        action: 'enrolment.issued',
        actor: by,
        level: 'full_with_evidence',
        subject: { type: 'person', id: personId },
        payload: {
          channel: 'operator',
          as_admin: wanted.admin,
          expires_at: expiresAt,
          enrolled_before: person.enrolledAt !== null,
        },
      });
      const until = new Date(expiresAt).toISOString();
      const payload = { person_id: personId, as_admin: wanted.admin ? 'yes' : 'no', until };
      await this.outbox.write(tx, { topic: 'operator.let_in', payload });
      return ok({ token, expiresAt });
    });
  }
}

const nobody = (email: string): Failure => ({
  kind: 'not_found',
  code: 'operator.nobody',
  message: `Nobody of this organisation has the e-mail address ${email}.`,
  action: 'Check the address. For somebody new: countersign bootstrap --person EMAIL --name NAME',
});

const notAdmin = (email: string): Failure => ({
  kind: 'conflict',
  code: 'operator.not_an_admin',
  message: `${email} does not hold ${PLATFORM_ADMIN}.`,
  action: 'Name somebody who does, or let them in as they are: countersign bootstrap --person EMAIL',
});
