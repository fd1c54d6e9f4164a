import type {
  ApprovalRequest,
  AuthorizeStart,
  ChangeAbsences,
  ClaimRequest,
  OpenRequest,
  ReadQueue,
  ReadRequests,
  ReadStatistics,
  SendReminders,
  SubmitReview,
  WithdrawRequest,
} from '#lib/approval';
import { boundDigest, planKey } from '#lib/approval';
import type { AutonomyDocument, PlanDocument, TaskSpec, Verdict } from '#lib/formats';
import { sqlOf } from '#lib/database';
import {
  digestOf,
  newId,
  type AuditEvent,
  type CredentialId,
  type OutboxMessage,
  type PersonId,
  type PersonPrincipal,
  type PlanId,
  type Principal,
  type Scope,
} from '#lib/kernel';
import type { SubmitPlan } from '#lib/plan';
import { valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import type { TestDatabase } from './database.js';
import { FORGED_SEAL } from './database-login.js';
import { makeStages, rolloutPlan, type Stages } from './stages.js';
import { ofPlan, type PlanRequest } from '../../libs/stages/approval/src/application/fake-approval-world.js';

/** Approvals over a real database and real policies; the consequences of an approval are only written down. */
export interface ApprovalWorld {
  readonly stages: Stages;
  readonly audited: AuditEvent[];
  readonly open: OpenRequest;
  readonly authority: AuthorizeStart;
  readonly withdrawing: WithdrawRequest;
  readonly reading: ReadRequests;
  readonly queue: ReadQueue;
  readonly claims: ClaimRequest;
  readonly absences: ChangeAbsences;
  readonly statistics: ReadStatistics;
  readonly reminding: SendReminders;
  /** The messages to people outside. */
  readonly told: OutboxMessage[];
  /** Submits a revision as an installation does: the request for the previous revision is voided. */
  readonly submitPlan: SubmitPlan;
  /** A person with these roles, and a principal of theirs that holds every scope a person may. */
  person(...roles: string[]): Promise<PersonPrincipal>;
  /** Another credential of the same person. */
  otherToken(person: PersonPrincipal): Promise<PersonPrincipal>;
  assignRole(person: PersonPrincipal, role: string): Promise<void>;
  revokeRole(person: PersonPrincipal, role: string): Promise<void>;
  autonomy(document: AutonomyDocument): Promise<void>;
  /** A new task with a plan that was simulated. */
  simulated(overrides?: Partial<TaskSpec>, document?: PlanDocument): Promise<PlanId>;
  simulate(planId: PlanId): Promise<void>;
  /** A request for a new plan of that kind. */
  asked(overrides?: Partial<TaskSpec>): Promise<PlanRequest>;
  review(by: Principal, request: ApprovalRequest, verdict?: Verdict): ReturnType<SubmitReview['execute']>;
  /** Asks for the authority to start, in a transaction of its own; `approved` or the code of the refusal. */
  tryToStart(planId: PlanId, by?: Principal): Promise<string>;
  find(request: ApprovalRequest): Promise<ApprovalRequest>;
}

const PERSON_SCOPES: readonly Scope[] = ['read', 'submit', 'run', 'review', 'halt'];

export async function approvalWorld(db: TestDatabase): Promise<ApprovalWorld> {
  const stages = await makeStages(db);
  const { tenantId, audited, told } = stages;
  const { approval, plan, autonomy, directory } = stages.wired;
  const execute = (text: string, parameters: readonly unknown[]): Promise<void> =>
    stages.inTenant(async (tx) => {
      await sqlOf(tx).execute(text, [tenantId, ...parameters]);
    });
  const credential = async (personId: PersonId): Promise<CredentialId> => {
    const id = newId<CredentialId>();
    await execute(
      `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, expires_at, seal)
       values ($1, $2, 'person_token', $3, 'test', 'test', sha256($4::bytea), '{read,review}', clock_timestamp(),
         clock_timestamp() + interval '1 day', $5)`,
      [id, personId, id, FORGED_SEAL],
    );
    return id;
  };
  const assignRole = async (person: Pick<PersonPrincipal, 'personId'>, role: string): Promise<void> => {
    await db.uow.run(tenantId, async (tx) => {
      const { personId } = person;
      await directory.people.assignRole(tx, { id: newId(), personId, role, assignedBy: null, at: await tx.now() });
    });
  };
  const person = async (...roles: string[]): Promise<PersonPrincipal> => {
    const personId = newId<PersonId>();
    await execute(
      'insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, $3, $3, clock_timestamp())',
      [personId, `p-${personId}@example.com`],
    );
    for (const role of roles) await assignRole({ personId }, role);
    return {
      kind: 'person',
      tenantId,
      personId,
      displayName: `p-${personId}@example.com`,
      roles: roles.map((role) => ({ role, assignedAt: 0 })),
      credentialId: await credential(personId),
      credentialKind: 'person_token',
      scopes: PERSON_SCOPES,
      signedInAt: null,
    };
  };
  let revision = 100;
  const simulate = async (planId: PlanId): Promise<void> => {
    const {
      simulation: { id },
    } = valueOf(await stages.startSimulation.execute(stages.agent, planId));
    await stages.executeSimulation.execute(tenantId, id);
  };
  const simulated = async (
    overrides: Partial<TaskSpec> = {},
    document: PlanDocument = rolloutPlan(),
  ): Promise<PlanId> => {
    const planId = await stages.planned(await stages.task(overrides), document);
    await simulate(planId);
    return planId;
  };
  return {
    stages,
    audited,
    open: approval.openRequest,
    authority: approval.authorizeStart,
    withdrawing: approval.withdrawRequest,
    reading: approval.readRequests,
    queue: approval.readQueue,
    absences: approval.changeAbsences,
    claims: approval.claimRequest,
    statistics: approval.readStatistics,
    reminding: approval.sendReminders,
    told,
    submitPlan: plan.submitPlan,
    person,
    otherToken: async (of) => ({ ...of, credentialId: await credential(of.personId) }),
    assignRole,
    revokeRole: (of, role) =>
      execute(
        `update role_assignment set revoked_at = clock_timestamp(), revoked_by = $2
         where tenant_id = $1 and person_id = $2 and role = $3 and revoked_at is null`,
        [of.personId, role],
      ),
    autonomy: (document) =>
      stages.inTenant(async (tx) => {
        revision += 1;
        await autonomy.revisions.lockForChange(tx);
        await autonomy.revisions.put(tx, {
          revisionId: newId(),
          number: revision,
          document,
          digest: digestOf('autonomy', document as never),
          source: JSON.stringify(document),
          sourceSha256: '0'.repeat(64),
          createdAt: await tx.now(),
          createdBy: stages.admin.personId,
        });
      }),
    simulated,
    simulate,
    asked: async (overrides = {}) =>
      ofPlan(
        valueOf(
          await approval.openRequest.execute(stages.agent, planKey(await simulated(overrides)), { start: 'manual' }),
        ).request,
      ),
    review: (by, request, verdict = 'approve') =>
      approval.submitReview.execute(by, request.id, {
        verdict,
        subject_digest: boundDigest(request.binding),
        ...(verdict === 'approve' ? {} : { comment: 'not like this' }),
      }),
    tryToStart: (planId, by = stages.agent) =>
      db.uow.run(tenantId, async (tx) => {
        const approved = await approval.authorizeStart.authorize(tx, planId, by);
        if (approved.ok) return 'approved';
        const reasons = (approved.error.reasons ?? []).map(({ code }) => code);
        return [approved.error.code, ...new Set(reasons)].join(' ');
      }),
    find: async ({ id }) => {
      const found = await stages.inTenant((tx) => approval.requests.find(tx, id));
      if (found === null) throw new Error(`no request ${id}`);
      return found;
    },
  };
}
