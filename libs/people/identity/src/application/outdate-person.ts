import type { AdmittedChange, TwoPersonRule, PersonId, Tx } from '#lib/kernel';
import { shownName, type Person } from '../domain/person.js';
import type { EnrolmentRepository, PersonRepository, UsedEnrolment } from './identity.ports.js';
import { wantedEnrolment } from './wanted-enrolment.js';
import { wantedAssignment } from './wanted-assignment.js';

/** The base of a role for somebody: how they came in last. */
export const roleAssignmentBase = ({ id, enrolledAt }: Person, used: UsedEnrolment | null) => ({
  person_id: id,
  enrolled_at: enrolledAt,
  enrolled_by: used?.createdBy?.personId ?? null,
});

/** The base of an invitation. @param others roles that wait for the person, or come with the invitation. */
export const enrolmentBase = ({ roles, enrolledAt }: Person, others: readonly string[]) => ({
  enrolled_at: enrolledAt,
  roles: [...new Set([...roles.map(({ role }) => role), ...others])].sort(),
});

/** The base of letting somebody back in. */
export const enabledBase = ({ disabledAt, roles }: Person) => ({
  disabled_at: disabledAt,
  roles: roles.map(({ role }) => role).sort(),
});

/** The roles that wait for somebody. */
export const waitingRoles = async (twoPersonRule: TwoPersonRule, tx: Tx, id: PersonId): Promise<readonly string[]> =>
  (await twoPersonRule.waiting(tx, 'role_assignment', id, wantedAssignment)).map(({ role }) => role);

/** Voids change requests about a person after a change of their roles, way in or standing. */
export class OutdatePerson {
  constructor(
    private readonly twoPersonRule: TwoPersonRule,
    private readonly people: Pick<PersonRepository, 'find'>,
    private readonly enrolments: Pick<EnrolmentRepository, 'lastUsed'>,
  ) {}

  async execute(tx: Tx, by: Pick<AdmittedChange, 'actor' | 'provenance'>, personId: PersonId): Promise<void> {
    const person = await this.people.find(tx, personId);
    if (person === null) throw new Error(`person ${personId} was written and is not there`);
    const used = await this.enrolments.lastUsed(tx, personId);
    const moved = { subjectId: personId, why: `${shownName(person)} came in, or was changed, meanwhile.` };
    await this.twoPersonRule.outdate(tx, by, {
      ...moved,
      kind: 'role_assignment',
      base: (payload) => {
        const wanted = wantedAssignment.safeParse(payload).data;
        const held = person.roles.some(({ role }) => role === wanted?.role);
        return wanted === undefined || held ? null : roleAssignmentBase(person, used);
      },
    });
    const waiting = await waitingRoles(this.twoPersonRule, tx, personId);
    await this.twoPersonRule.outdate(tx, by, {
      ...moved,
      kind: 'enrolment',
      base: (payload) => {
        const wanted = wantedEnrolment.safeParse(payload).data;
        return wanted === undefined ? null : enrolmentBase(person, [...waiting, ...(wanted.roles ?? [])]);
      },
    });
    await this.twoPersonRule.outdate(tx, by, { ...moved, kind: 'person_enabled', base: () => enabledBase(person) });
  }
}
