import { z } from 'zod';
import { storedId } from '#lib/formats';
import {
  actorOf,
  done,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type PersonPrincipal,
  type ProposedChange,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { disabledSince } from '../domain/disabled-since.js';
import { addressed, personNameTaken, requireAdminLeft, shownName, type Person } from '../domain/person.js';
import type { CredentialRepository, PersonRepository } from './identity.ports.js';
import { enabledBase, type OutdatePerson } from './outdate-person.js';

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

/**
 * Renames, disables or enables a person. Disabling revokes every token of theirs, at once; they need a new enrolment
 * afterwards. Enabling somebody who holds roles gives these back: it waits for a second person.
 *
 * Failures: `resource.not_found`, `person.name_taken`, and that the last PlatformAdmin stays.
 */
export class ChangePerson implements CarriesOutChange<WantedPerson> {
  readonly payload = wantedPerson;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly credentials: CredentialRepository,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly outdating: OutdatePerson,
    private readonly audit: AuditSink,
  ) {}

  execute(
    by: PersonPrincipal,
    id: PersonId,
    change: { readonly displayName?: string | undefined; readonly disabled?: boolean | undefined },
  ): Promise<Result<Guarded<Person>>> {
    const { displayName, disabled } = change;
    const wanted = {
      person_id: id,
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(disabled === undefined ? {} : { disabled }),
    };
    return this.uow.run(by.tenantId, (tx) => this.#change(tx, by, wanted));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedPerson): Promise<Result<Guarded<Person>>> {
    return this.#change(tx, change, wanted);
  }

  async #change(tx: Tx, authority: ChangeAuthority, wanted: WantedPerson): Promise<Result<Guarded<Person>>> {
    const { person_id: id, disabled } = wanted;
    const admins = disabled === true ? await this.people.lockAdmins(tx) : [];
    const person = await this.people.lock(tx, id);
    if (person === null) return err(notFound('person'));
    const left = requireAdminLeft(admins, id);
    if (!left.ok) return left;
    const { display_name: name = person.displayName } = wanted;
    const renamed = name !== person.displayName;
    if (renamed && (await this.people.nameTaken(tx, name, id))) return err(personNameTaken);
    const now = await tx.now();
    const admission = await this.twoPersonRule.admit(tx, authority, letBackIn(person, wanted));
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const disabledAt = disabledSince(disabled, person.disabledAt, now);
    await this.people.save(tx, { ...person, displayName: name, disabledAt });
    await this.outdating.execute(tx, admitted, id);
    const revoked = disabled === true ? await this.credentials.revokeAllOf(tx, id, now) : 0;
    await this.audit.record(tx, {
      action: disabled === true ? 'person.disabled' : 'person.changed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'person', id },
      payload: {
        display_name: wanted.display_name ?? null,
        ...(renamed ? { renamed_from: person.displayName } : {}),
        disabled: disabledAt !== null,
        revoked_tokens: revoked,
        ...admitted.provenance,
      },
    });
    return ok(done(await found(this.people, tx, id), admitted));
  }
}

const wantedPerson = z.strictObject({
  person_id: storedId<PersonId>(),
  display_name: z.string().exactOptional(),
  disabled: z.boolean().exactOptional(),
});
type WantedPerson = z.infer<typeof wantedPerson>;

function letBackIn(person: Person, wanted: WantedPerson): ProposedChange {
  const roles = person.roles.map(({ role }) => role).sort();
  const back = wanted.disabled === false && person.disabledAt !== null && roles.length > 0;
  return {
    kind: 'person_enabled',
    subject: { type: 'person', id: person.id },
    what: `${addressed(person)}, who was disabled`,
    payload: { ...wanted },
    base: enabledBase(person),
    loosens: back ? [`${shownName(person)} may come back in, and holds ${roles.join(', ')}`] : [],
    detail: { roles },
    beneficiary: person.id,
  };
}

async function found(people: PersonRepository, tx: Tx, id: PersonId): Promise<Person> {
  const person = await people.find(tx, id);
  if (person === null) throw new Error(`person ${id} was written and is not there`);
  return person;
}

export const emailTaken: Failure = {
  kind: 'conflict',
  code: 'identity.email_taken',
  message: 'Somebody in this tenant has this e-mail address.',
  action: 'Use that person, or another address.',
};
