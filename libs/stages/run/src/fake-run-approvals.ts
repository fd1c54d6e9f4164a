import { boundDigest, planKey, type Approvals } from '#lib/approval';
import type { AutonomyDocument } from '#lib/formats';
import type { ApprovalRequestId, PersonPrincipal, PlanId, Principal } from '#lib/kernel';
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

/** People who are asked, and approve. */
export class FakeApprovals {
  constructor(
    private readonly approval: Approvals,
    private readonly rows: ReturnType<typeof fakeApprovalRows>,
  ) {}

  /** Somebody of the tenant who was not there when anything was asked, with this role for long. */
  person({ tenantId }: Principal, role: string): PersonPrincipal {
    const person = samplePerson(tenantId, [role]);
    const scopes: PersonPrincipal['scopes'] = ['read', 'review'];
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
