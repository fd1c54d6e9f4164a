import { PLATFORM_ADMIN } from '#lib/formats';
import {
  actorOf,
  done,
  err,
  newId,
  notFound,
  ok,
  tightening,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { addressed, decideAssignment, requireAdminLeft, shownName, type Person } from '../domain/person.js';
import type { EnrolmentRepository, PersonRepository, UsedEnrolment } from './identity.ports.js';
import { roleAssignmentBase, type OutdatePerson } from './outdate-person.js';
import { wantedAssignment, type WantedAssignment } from './wanted-assignment.js';

/**
 * Assigns a role; it counts from this moment on, and only for approval requests opened afterwards. A role loosens, so it waits
 * for a second person. The change shows how its holder came in, since the maker of their token might be them. For the same
 * reason an unused token of theirs opens nothing once the role is assigned.
 */
export class AssignRole implements CarriesOutChange<WantedAssignment> {
  readonly payload = wantedAssignment;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly enrolments: EnrolmentRepository,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly outdating: OutdatePerson,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal, personId: PersonId, role: string): Promise<Result<Guarded<Person>>> {
    return this.uow.run(by.tenantId, (tx) => this.#assign(tx, by, { person_id: personId, role }));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedAssignment): Promise<Result<Guarded<Person>>> {
    return this.#assign(tx, change, wanted);
  }

  async #assign(tx: Tx, authority: ChangeAuthority, wanted: WantedAssignment): Promise<Result<Guarded<Person>>> {
    const { person_id: personId, role } = wanted;
    const person = await this.people.lock(tx, personId);
    if (person === null) return err(notFound('person'));
    const allowed = decideAssignment(
      authority.kind === 'person' ? authority.personId : authority.authorId,
      person,
      role,
    );
    if (!allowed.ok) return allowed;
    const used = await this.enrolments.lastUsed(tx, personId);
    const whom = `${shownName(person)}, who ${cameIn(used, await this.people.signsInAtIssuer(tx, personId))},`;
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'role_assignment',
      subject: { type: 'person', id: personId },
      what: `The role ${role} for ${addressed(person)}`,
      payload: { ...wanted },
      base: roleAssignmentBase(person, used),
      loosens: [
        role === PLATFORM_ADMIN
          ? `${whom} may change what the gate is made of, and confirm such changes`
          : `${whom} gets everything that the role ${role} allows, including approvals that count`,
      ],
      detail: { role, held: person.roles.map((held) => held.role) },
      beneficiary: personId,
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const at = await tx.now();
    const assignedBy = admitted.authorId;
    await this.people.assignRole(tx, { id: newId(), personId, role, assignedBy, at });
    const voided = await this.enrolments.voidUnused(tx, personId);
    await this.outdating.execute(tx, admitted, personId);
    await this.audit.record(tx, {
      action: 'role.assigned',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'person', id: personId },
      payload: { role, voided_enrolments: voided, ...admitted.provenance },
    });
    const held = [...person.roles, { role, assignedAt: at, assignedBy, assignedByIssuer: null }];
    const roles = held.toSorted((one, other) => (one.role < other.role ? -1 : 1));
    return ok(done({ ...person, roles }, admitted));
  }
}

function cameIn(used: UsedEnrolment | null, atIssuer: boolean): string {
  if (atIssuer) return 'signs in at your organisation’s issuer';
  if (used === null) return 'has not enrolled yet';
  return `enrolled on ${new Date(used.usedAt).toISOString().slice(0, 10)} with ${wayIn(used)}`;
}

function wayIn({ channel, createdBy }: UsedEnrolment): string {
  if (channel === 'bootstrap') return 'the token of the bootstrap';
  if (createdBy === null) return 'a link that the operator printed on the server';
  return channel === 'mailed'
    ? `an invitation that ${createdBy.displayName} had mailed to them`
    : `a token that ${createdBy.displayName} made`;
}

/** Takes a role away; from the commit on it counts nowhere. The last PlatformAdmin keeps theirs. */
export class RevokeRole {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly outdating: OutdatePerson,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: PersonPrincipal, personId: PersonId, role: string): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const admins = role === PLATFORM_ADMIN ? await this.people.lockAdmins(tx) : [];
      const person = await this.people.lock(tx, personId);
      if (person === null) return err(notFound('person'));
      const left = requireAdminLeft(admins, personId);
      if (!left.ok) return left;
      const held = await this.people.revokeRole(tx, { personId, role, revokedBy: by.personId, at: await tx.now() });
      if (!held) return err(notFound('role'));
      await this.outdating.execute(tx, tightening(by), personId);
      await this.audit.record(tx, {
        action: 'role.revoked',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'person', id: personId },
        payload: { role },
      });
      return ok(undefined);
    });
  }
}
