import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { decideGrant, requireAdminLeft } from '../domain/person.js';
import { PLATFORM_ADMIN } from '../domain/scopes.js';
import type { PersonRepository } from './identity.ports.js';

/** Grants a role; it counts from this moment on, and only for approval requests opened afterwards. */
export class GrantRole {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: PersonPrincipal, personId: PersonId, role: string): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const person = await this.people.lock(tx, personId);
      if (person === null) return err(notFound('person'));
      const allowed = decideGrant(by.personId, person, role);
      if (!allowed.ok) return allowed;
      await this.people.grantRole(tx, { id: newId(), personId, role, grantedBy: by.personId, at: await tx.now() });
      await this.audit.record(tx, {
        action: 'role.granted',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'person', id: personId },
        payload: { role },
      });
      return ok(undefined);
    });
  }
}

/** Takes a role away; from the commit on it counts nowhere. The last PlatformAdmin keeps theirs. */
export class RevokeRole {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
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
