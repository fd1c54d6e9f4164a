import { boundDigest, planKey, type Approvals } from '#lib/approval';
import { sqlOf } from '#lib/database';
import type { Directory } from '#lib/identity';
import {
  type ApprovalRequestId,
  newId,
  type PersonPrincipal,
  type PlanId,
  type Principal,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { samplePerson } from '../../libs/foundation/kernel/src/fake-tenant.js';
import type { ApproversOfRuns } from '../../libs/stages/run/src/fake-run-approvals.js';
import { valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { TenantRows } from './tenant-rows.js';

/** People who are asked, and approve, in PostgreSQL. */
export class RunApprovals implements ApproversOfRuns {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approval: Approvals,
    private readonly directory: Pick<Directory, 'people'>,
  ) {}

  async person({ tenantId }: Pick<Principal, 'tenantId'>, role: string): Promise<PersonPrincipal> {
    const person = samplePerson(tenantId, [role]);
    await new TenantRows(this.uow, tenantId).person(person);
    await this.assign(person, role);
    return { ...person, scopes: ['read', 'review', 'run'] };
  }

  /** Gives somebody a role from now on. */
  assign({ tenantId, personId }: Pick<PersonPrincipal, 'tenantId' | 'personId'>, role: string): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const at = await tx.now();
      await this.directory.people.assignRole(tx, { id: newId(), personId, role, assignedBy: null, at });
    });
  }

  async disable({ tenantId, personId }: PersonPrincipal): Promise<void> {
    await this.#execute(tenantId, 'update person set disabled_at = clock_timestamp() where id = $1', personId);
  }

  async revoke({ tenantId, personId }: PersonPrincipal, role: string): Promise<void> {
    await this.uow.run(tenantId, async (tx) => {
      const at = await tx.now();
      await this.directory.people.revokeRole(tx, { personId, role, revokedBy: personId, at });
    });
  }

  async handOver(from: PersonPrincipal, { personId: delegateId }: PersonPrincipal): Promise<void> {
    const until = (await this.uow.run(from.tenantId, (tx) => tx.now())) + 86_400_000;
    valueOf(await this.approval.changeAbsences.begin(from, { delegateId, roles: null, from: null, until }));
  }

  async ask(by: Principal, planId: PlanId): Promise<ApprovalRequestId> {
    return valueOf(await this.approval.openRequest.execute(by, planKey(planId), { start: 'manual' })).request.id;
  }

  async approve(by: PersonPrincipal, id: ApprovalRequestId): Promise<void> {
    const request = await this.uow.run(by.tenantId, (tx: Tx) => this.approval.requests.find(tx, id));
    if (request === null) throw new Error(`no request ${id}`);
    const subject_digest = boundDigest(request.binding);
    valueOf(await this.approval.submitReview.execute(by, id, { verdict: 'approve', subject_digest }));
  }

  #execute(tenantId: Principal['tenantId'], text: string, id: string): Promise<number> {
    return this.uow.run(tenantId, (tx) => sqlOf(tx).execute(text, [id]));
  }
}
