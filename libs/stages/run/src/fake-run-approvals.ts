import { boundDigest, planKey, type Approvals } from '#lib/approval';
import type { AutonomyDocument } from '#lib/formats';
import {
  newId,
  type ApprovalRequestId,
  type PersonPrincipal,
  type PlanId,
  type Principal,
  type UnitOfWork,
} from '#lib/kernel';
import type { fakeApprovalRows } from '../../approval/src/application/fake-approval-rows.js';
import { samplePerson } from '../../../foundation/kernel/src/fake-tenant.js';
import { valueOf } from './fake-run-documents.js';

/** One SRELead approves each change of production. */
export const APPROVED_BY_ONE: AutonomyDocument = {
  autonomy: {
    mode: 'plan_only',
    environments: { production: { mode: 'full_auto', allowed_approvers: ['SRELead'] } },
  },
};

/** One SRELead approves each plan of staging. */
export const APPROVED_IN_STAGING: AutonomyDocument = {
  autonomy: {
    mode: 'plan_only',
    environments: { staging: { mode: 'full_auto', require_approval: true, allowed_approvers: ['SRELead'] } },
  },
};

/** People who are asked, and approve. */
export interface ApproversOfRuns {
  /** Somebody of the tenant who was not there when anything was asked, with this role. */
  person(of: Pick<Principal, 'tenantId'>, role: string): PersonPrincipal | Promise<PersonPrincipal>;
  disable(person: PersonPrincipal): void | Promise<void>;
  revoke(person: PersonPrincipal, role: string): void | Promise<void>;
  /** The first is away for a day from now on. The second stands in with all roles of the first. */
  handOver(from: PersonPrincipal, to: PersonPrincipal): Promise<void>;
  /** Asks for approval of a start by hand. */
  ask(by: Principal, planId: PlanId): Promise<ApprovalRequestId>;
  approve(by: PersonPrincipal, id: ApprovalRequestId): Promise<void>;
}

/** The same in memory. */
export class FakeApprovals implements ApproversOfRuns {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approval: Approvals,
    private readonly rows: ReturnType<typeof fakeApprovalRows>,
  ) {}

  /** Somebody of the tenant who was not there when anything was asked, with this role for long. */
  person({ tenantId }: Pick<Principal, 'tenantId'>, role: string): PersonPrincipal {
    const person = samplePerson(tenantId, [role]);
    const scopes: PersonPrincipal['scopes'] = ['read', 'review', 'run'];
    this.rows.people.rows.of(person).set(person.personId, {
      personId: person.personId,
      displayName: person.displayName,
      nameForAgents: person.displayName,
      disabled: false,
      joinedAt: 0,
      roles: [{ role, assignedAt: 0 }],
      waysIn: [],
    });
    return { ...person, scopes };
  }

  disable({ personId, tenantId }: PersonPrincipal): void {
    const rows = this.rows.people.rows.of({ tenantId });
    const person = rows.get(personId);
    if (person !== undefined) rows.set(personId, { ...person, disabled: true });
  }

  revoke({ personId, tenantId }: PersonPrincipal, role: string): void {
    const rows = this.rows.people.rows.of({ tenantId });
    const person = rows.get(personId);
    if (person !== undefined)
      rows.set(personId, { ...person, roles: person.roles.filter((held) => held.role !== role) });
  }

  async handOver({ tenantId, personId, roles }: PersonPrincipal, to: PersonPrincipal): Promise<void> {
    await this.uow.run(tenantId, async (tx) => {
      const now = await tx.now();
      await this.rows.absences.insert(tx, {
        ...{ id: newId(), personId, delegateId: to.personId, roles: roles.map(({ role }) => role) },
        ...{ from: now - 1, until: now + 86_400_000, createdAt: now - 1, endedAt: null, endedBy: null },
      });
    });
  }

  /** Asks for approval of a start by hand, or as soon as it is approved. */
  async ask(by: Principal, planId: PlanId, start: 'manual' | 'on_approval' = 'manual'): Promise<ApprovalRequestId> {
    return valueOf(await this.approval.openRequest.execute(by, planKey(planId), { start })).request.id;
  }

  async approve(by: PersonPrincipal, id: ApprovalRequestId): Promise<void> {
    const request = this.rows.requests.all(by).find((candidate) => candidate.id === id);
    if (request === undefined) throw new Error(`no request ${id}`);
    valueOf(
      await this.approval.submitReview.execute(by, id, {
        verdict: 'approve',
        subject_digest: boundDigest(request.binding),
      }),
    );
  }
}
