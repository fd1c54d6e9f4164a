import { PLATFORM_ADMIN } from '#lib/formats';
import { endedMeanwhile, type CredentialRepository } from '#lib/identity';
import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type PageRequest,
  type PersonId,
  type PersonPrincipal,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { decideAbsence, type Absence, type ProposedAbsence } from '../domain/absence.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import type { AbsenceRepository, People } from './approval.ports.js';

/** An absence with the people in it. */
export interface AbsenceOverview {
  readonly absence: Absence;
  readonly people: ReadonlyMap<PersonId, PersonStanding>;
  readonly now: number;
}

/**
 * Hands reviewing roles over for an absence, and takes them back. Policy decides their worth on a request. The delegate
 * fills slots with them, never wider than the absent person could. Both together count as one.
 */
export class ChangeAbsences {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly absences: AbsenceRepository,
    private readonly people: People,
    private readonly credentials: Pick<CredentialRepository, 'stillGood'>,
    private readonly audit: AuditSink,
  ) {}

  /**
   * Failures: `resource.not_found` for the delegate, `absence.delegate_disabled`, those of {@link decideAbsence}, `credential.ended` if
   * the person's credential ended meanwhile.
   */
  begin(by: PersonPrincipal, wish: ProposedAbsence): Promise<Result<AbsenceOverview>> {
    return this.uow.run(by.tenantId, async (tx) => {
      if (!(await this.credentials.stillGood(tx, by.personId, by.credentialId))) return err(endedMeanwhile);
      const people = await this.people.standing(tx, [by.personId, wish.delegateId]);
      const [person, delegate] = [people.get(by.personId), people.get(wish.delegateId)];
      if (person === undefined || delegate === undefined) return err(notFound('person'));
      if (delegate.disabled) return err(delegateDisabled);
      const now = await tx.now();
      const absence = decideAbsence(newId(), person, wish, now);
      if (!absence.ok) return absence;
      await this.absences.insert(tx, absence.value);
      await this.#record(tx, 'absence.begun', absence.value, by);
      return ok({ absence: absence.value, people, now });
    });
  }

  /** Taken back by the absent person, or by an admin. Failures: `resource.not_found`, `absence.not_yours`. */
  end(by: PersonPrincipal, id: string): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const absence = await this.absences.lock(tx, id);
      if (absence === null) return err(notFound('absence'));
      if (absence.personId !== by.personId && !by.roles.some(({ role }) => role === PLATFORM_ADMIN))
        return err(notYours);
      if (absence.endedAt !== null) return ok(undefined);
      await this.absences.end(tx, id, { at: await tx.now(), by: by.personId });
      await this.#record(tx, 'absence.ended', absence, by);
      return ok(undefined);
    });
  }

  /** The absences that this person stands in for, now or in time to come. */
  standingIn(by: PersonPrincipal): Promise<readonly AbsenceOverview[]> {
    return this.uow.run(by.tenantId, async (tx) => {
      const now = await tx.now();
      const absences = (await this.absences.handedTo(tx, [by.personId])).filter(({ until }) => until > now);
      const people = await this.people.standing(
        tx,
        absences.flatMap(({ personId, delegateId }) => [personId, delegateId]),
      );
      return absences.map((absence) => ({ absence, people, now }));
    });
  }

  /** Newest first. Everybody of the tenant sees every delegate. */
  list(principal: Principal, page: PageRequest): Promise<readonly AbsenceOverview[]> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const absences = await this.absences.list(tx, page);
      const people = await this.people.standing(
        tx,
        absences.flatMap(({ personId, delegateId }) => [personId, delegateId]),
      );
      const now = await tx.now();
      return absences.map((absence) => ({ absence, people, now }));
    });
  }

  #record(tx: Tx, action: 'absence.begun' | 'absence.ended', absence: Absence, by: PersonPrincipal): Promise<void> {
    return this.audit.record(tx, {
      action,
      actor: actorOf(by),
      level: 'full',
      subject: { type: 'absence', id: absence.id },
      payload: {
        person_id: absence.personId,
        delegate_id: absence.delegateId,
        roles: [...absence.roles],
        from: absence.from,
        until: absence.until,
      },
    });
  }
}

const delegateDisabled: Failure = {
  kind: 'conflict',
  code: 'absence.delegate_disabled',
  message: 'This person is disabled.',
  action: 'Name somebody who can review.',
};

const notYours: Failure = {
  kind: 'forbidden',
  code: 'absence.not_yours',
  message: 'Only the person who is away takes it back, or a PlatformAdmin.',
  action: 'Ask them.',
};
