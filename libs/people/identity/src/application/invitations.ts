import { err, ok, type Failure, type Result, type SecretDigests, type TenantId, type Tx } from '#lib/kernel';
import type { Person } from '../domain/person.js';
import { tokenKindOf } from '../domain/token.js';
import type { Enrolment, EnrolmentRepository, PersonRepository } from './identity.ports.js';

/** Finds the enrolment of a one-time token, for the use case that lets its person in. */
export class Invitations {
  constructor(
    private readonly enrolments: EnrolmentRepository,
    private readonly people: PersonRepository,
    private readonly digests: SecretDigests,
  ) {}

  /** Before a tenant is known. `enrolment.refused` for a token that was never given out. */
  async locate(token: string): Promise<Result<{ readonly tenantId: TenantId; readonly id: string }>> {
    if (tokenKindOf(token) !== 'enrolment') return err(invitationRefused);
    const located = await this.enrolments.locate(await this.digests.candidates('enrolment', token));
    return located === null ? err(invitationRefused) : ok(located);
  }

  /** One that is good now, with its row and its person locked. `enrolment.refused` for any other. */
  async lockGood(tx: Tx, id: string): Promise<Result<{ readonly enrolment: Enrolment; readonly person: Person }>> {
    const enrolment = await this.enrolments.lock(tx, id);
    const person = enrolment === null ? null : await this.people.lock(tx, enrolment.personId);
    if (enrolment === null || person === null) return err(invitationRefused);
    if (enrolment.usedAt !== null || enrolment.voidedAt !== null) return err(invitationRefused);
    if (enrolment.expiresAt <= (await tx.now()) || person.disabledAt !== null) return err(invitationRefused);
    return ok({ enrolment, person });
  }
}

/** One wording for every cause, so that it tells nothing. */
const invitationRefused: Failure = {
  kind: 'unauthenticated',
  code: 'enrolment.refused',
  message: 'This invitation opens nothing: it is unknown, used, withdrawn, or too old.',
  action: 'Ask an administrator for a new one.',
};
