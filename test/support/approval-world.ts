import { join } from 'node:path';
import {
  type ApprovalGranted,
  type ApprovalRequest,
  type Approvals,
  type AuthorizeStart,
  type ChangeAbsences,
  type ClaimRequest,
  createApprovals,
  type OpenRequest,
  planKey,
  type ReadQueue,
  type ReadRequests,
  type ReadStatistics,
  type SendReminders,
  type SubmitReview,
  type WithdrawRequest,
} from '#lib/approval';
import { createAutonomy } from '#lib/autonomy';
import { createGuardrail } from '#lib/guardrail';
import type { AutonomyDocument, PlanDocument, TaskSpec, Verdict } from '#lib/contracts';
import { packageRoot, sqlOf } from '#lib/database';
import { TypeormHaltRepository } from '#lib/halt';
import { createDirectory } from '#lib/identity';
import {
  digestOf,
  newId,
  type AuditEvent,
  type AuditSink,
  type CredentialId,
  type PersonId,
  type Outbox,
  type OutboxMessage,
  type PersonPrincipal,
  type PlanId,
  type Principal,
  type Result,
  type Scope,
} from '#lib/kernel';
import { TypeormFactorRepository, TypeormStepUpRepository, StoredMfaProofs } from '#lib/mfa';
import { conditionGrammar, createPlans, type Plans, type SubmitPlan } from '#lib/plan';
import { createPolicy, loadPolicyBundle, OpaWasmPolicyEngine } from '#lib/policy';
import { createTasks } from '#lib/task';
import { TypeormEnvironmentRepository } from '#lib/tenancy';
import { TypeormExecutorRepository, SqlSecretNames, TypeormToolRepository } from '#lib/tool';
import type { TestDatabase } from './database.js';
import { makeStages, rolloutPlan, type Stages } from './stages.js';
import { FORGED_SEAL } from './database-login.js';
import { testSeals } from './seals.js';

/** Approvals over a real database and real policies; what a grant leads to is only written down. */
export interface ApprovalWorld {
  readonly stages: Stages;
  readonly audited: AuditEvent[];
  /** Requests whose run was to be started. */
  readonly started: ApprovalGranted[];
  readonly halts: TypeormHaltRepository;
  readonly open: OpenRequest;
  readonly authority: AuthorizeStart;
  readonly withdrawing: WithdrawRequest;
  readonly reading: ReadRequests;
  readonly queue: ReadQueue;
  readonly claims: ClaimRequest;
  readonly absences: ChangeAbsences;
  readonly statistics: ReadStatistics;
  readonly reminding: SendReminders;
  /** What people outside were to be told. */
  readonly told: OutboxMessage[];
  /** Submits a revision the way an installation is wired: what was asked for the one before is voided. */
  readonly submitPlan: SubmitPlan;
  /** A person with these roles, and a principal of theirs that holds every scope a person may. */
  person(...roles: string[]): Promise<PersonPrincipal>;
  /** Another credential of the same person. */
  otherToken(person: PersonPrincipal): Promise<PersonPrincipal>;
  grantRole(person: PersonPrincipal, role: string): Promise<void>;
  revokeRole(person: PersonPrincipal, role: string): Promise<void>;
  autonomy(document: AutonomyDocument): Promise<void>;
  /** A new task with a plan that was simulated. */
  simulated(overrides?: Partial<TaskSpec>, document?: PlanDocument): Promise<PlanId>;
  simulate(planId: PlanId): Promise<void>;
  /** A request for a new plan of that kind. */
  asked(overrides?: Partial<TaskSpec>): Promise<ApprovalRequest>;
  review(by: Principal, request: ApprovalRequest, verdict?: Verdict): ReturnType<SubmitReview['execute']>;
  /** Asks for the authority to start, in a transaction of its own; `approved` or the code of the refusal. */
  tryToStart(planId: PlanId, by?: Principal): Promise<string>;
  find(request: ApprovalRequest): Promise<ApprovalRequest>;
}

const PERSON_SCOPES: readonly Scope[] = ['read', 'submit', 'run', 'review', 'halt'];

/** Compiled once for all the worlds of a file. */
let engine: OpaWasmPolicyEngine | undefined;

export async function approvalWorld(db: TestDatabase): Promise<ApprovalWorld> {
  const stages = await makeStages(db);
  const { tenantId } = stages;
  const audited: AuditEvent[] = [];
  const audit: AuditSink = { record: (_tx, event) => Promise.resolve(void audited.push(event)) };
  const started: ApprovalGranted[] = [];
  const told: OutboxMessage[] = [];
  const outbox: Outbox = { write: (_tx, message) => Promise.resolve(void told.push(message)) };
  const { uow } = db;
  const seals = testSeals();
  engine ??= new OpaWasmPolicyEngine(loadPolicyBundle(join(packageRoot(), 'policies')));
  const policy = createPolicy({ uow, engine });
  const directory = createDirectory({ system: db.systemQuery, seals });
  const halts = new TypeormHaltRepository();
  const environments = new TypeormEnvironmentRepository();
  const tool = {
    tools: new TypeormToolRepository(),
    executors: new TypeormExecutorRepository(),
    secretNames: new SqlSecretNames(),
  };
  const { guardrail } = createGuardrail({ uow, seals, audit, outbox, directory, publicUrl: 'http://127.0.0.1' });
  const autonomy = createAutonomy({
    uow,
    seals,
    policy: policy.decisionPoint,
    tools: tool.tools,
    guardrail,
    audit,
  });
  const autonomyDocuments = autonomy.revisions;
  const task = createTasks({
    uow,
    audit,
    agents: directory.agents,
    environments,
    conditions: conditionGrammar,
    cancelled: [],
  });
  const plan: Plans = createPlans({
    uow,
    seals,
    audit,
    task,
    policy,
    tool,
    superseded: [{ planSuperseded: (...event) => approval.voidRequests.planSuperseded(...event) }],
  });
  const approval: Approvals = createApprovals({
    uow,
    seals,
    audit,
    outbox,
    policy: policy.decisionPoint,
    autonomy,
    tool,
    task,
    plans: plan.plans,
    simulations: stages.simulations,
    environments,
    directory: { ...directory, credentials: { stillGood: () => Promise.resolve(true) } },
    halts,
    proofs: new StoredMfaProofs(new TypeormStepUpRepository(), new TypeormFactorRepository(seals)),
    canaries: { canaryCompleted: () => Promise.resolve(false) },
    granted: {
      approvalGranted: (_tx, event) => {
        started.push(event);
        return Promise.resolve(null);
      },
    },
  });
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
  const grantRole = async (person: Pick<PersonPrincipal, 'personId'>, role: string): Promise<void> => {
    await db.uow.run(tenantId, async (tx) => {
      const { personId } = person;
      await directory.people.grantRole(tx, { id: newId(), personId, role, grantedBy: null, at: await tx.now() });
    });
  };
  const person = async (...roles: string[]): Promise<PersonPrincipal> => {
    const personId = newId<PersonId>();
    await execute(
      'insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, $3, $3, clock_timestamp())',
      [personId, `p-${personId}@example.com`],
    );
    for (const role of roles) await grantRole({ personId }, role);
    return {
      kind: 'person',
      tenantId,
      personId,
      displayName: `p-${personId}@example.com`,
      roles: roles.map((role) => ({ role, grantedAt: 0 })),
      credentialId: await credential(personId),
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
    started,
    halts,
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
    grantRole,
    revokeRole: (of, role) =>
      execute(
        `update role_grant set revoked_at = clock_timestamp(), revoked_by = $2
         where tenant_id = $1 and person_id = $2 and role = $3 and revoked_at is null`,
        [of.personId, role],
      ),
    autonomy: (document) =>
      stages.inTenant(async (tx) => {
        revision += 1;
        await autonomyDocuments.lockForChange(tx);
        await autonomyDocuments.put(tx, {
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
      valueOf(
        await approval.openRequest.execute(stages.agent, planKey(await simulated(overrides)), { start: 'manual' }),
      ).request,
    review: (by, request, verdict = 'approve') =>
      approval.submitReview.execute(by, request.id, {
        verdict,
        plan_digest: request.binding.subject.plan,
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

/** The value, or an error that shows the refusal. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${JSON.stringify(result.error)}`);
}
