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
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { disabledSince } from '../domain/disabled-since.js';
import { requireAdminLeft, type Person } from '../domain/person.js';
import type { CredentialRepository, PersonRepository } from './identity.ports.js';

/** Adds a person to the tenant. They can do nothing until they have enrolled. */
export class AddPerson {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    by: PersonPrincipal,
    wanted: { readonly email: string; readonly displayName: string },
  ): Promise<Result<Person>> {
    const id = newId<PersonId>();
    return this.uow.run(by.tenantId, async (tx) => {
      if (!(await this.people.insert(tx, { id, ...wanted }))) return err(emailTaken);
      await this.audit.record(tx, {
        action: 'person.added',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'person', id },
        payload: { email: wanted.email, display_name: wanted.displayName },
      });
      return ok(await found(this.people, tx, id));
    });
  }
}

/** Renames, disables or enables a person. Disabling revokes every token of theirs; they need a new enrolment afterwards. */
export class ChangePerson {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly credentials: CredentialRepository,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    by: PersonPrincipal,
    id: PersonId,
    change: { readonly displayName?: string | undefined; readonly disabled?: boolean | undefined },
  ): Promise<Result<Person>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const admins = change.disabled === true ? await this.people.lockAdmins(tx) : [];
      const person = await this.people.lock(tx, id);
      if (person === null) return err(notFound('person'));
      const left = requireAdminLeft(admins, id);
      if (!left.ok) return left;
      const now = await tx.now();
      const disabledAt = disabledSince(change.disabled, person.disabledAt, now);
      await this.people.save(tx, { ...person, displayName: change.displayName ?? person.displayName, disabledAt });
      const revoked = change.disabled === true ? await this.credentials.revokeAllOf(tx, id, now) : 0;
      await this.audit.record(tx, {
        action: change.disabled === true ? 'person.disabled' : 'person.changed',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'person', id },
        payload: { display_name: change.displayName ?? null, disabled: disabledAt !== null, revoked_tokens: revoked },
      });
      return ok(await found(this.people, tx, id));
    });
  }
}

async function found(people: PersonRepository, tx: Tx, id: PersonId): Promise<Person> {
  const person = await people.find(tx, id);
  if (person === null) throw new Error(`person ${id} was written and is not there`);
  return person;
}

const emailTaken: Failure = {
  kind: 'conflict',
  code: 'identity.email_taken',
  message: 'Somebody in this tenant has this e-mail address.',
  action: 'Use that person, or another address.',
};
