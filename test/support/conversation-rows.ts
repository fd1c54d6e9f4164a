import { createApprovalStore } from '#lib/approval';
import { createChangeRequestStore } from '#lib/change-request';
import { createDirectory } from '#lib/identity';
import { newId, type ChangeRequestId, type TaskId } from '#lib/kernel';
import { createPlanStore, type Plan } from '#lib/plan';
import type { Task } from '#lib/task';
import { samplePerson } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { openChange } from '../../libs/reach/change-request/src/domain/change-request.js';
import type { ConversationOpened } from '../../libs/reach/conversation/src/application/conversation.contract.js';
import { openRequest, reviewOf } from '../../libs/stages/approval/src/application/approval-store.contract.js';
import type { ApprovalRequest } from '../../libs/stages/approval/src/domain/approval-request.js';
import { samplePlan } from '../../libs/stages/plan/src/application/fake-plan.js';
import { sampleTask } from '../../libs/stages/task/src/application/fake-task.js';
import type { postgresWorld } from './postgres-world.js';
import { testSeals } from './seals.js';
import { StageRows } from './stage-rows.js';
import { TenantRows } from './tenant-rows.js';

/** Puts the rows into PostgreSQL that conversations are about, and the people who take part. */
export function conversationRows(
  world: Awaited<ReturnType<typeof postgresWorld>>,
): Omit<ConversationOpened, 'world' | 'comments' | 'recipients'> {
  const { uow, home, db } = world;
  const { tenantId, agent, admin } = home;
  const stages = new StageRows(world);
  const directory = createDirectory({ system: db.systemQuery, seals: testSeals() });
  const { requests, claims } = createApprovalStore(testSeals(), directory);
  const { changes } = createChangeRequestStore(testSeals(), directory.people);
  const opened = new Map<string, ApprovalRequest>();
  const { plans } = createPlanStore(testSeals());
  /** The latest plan of each task. */
  const latest = new Map<TaskId, { readonly task: Task; readonly plan: Plan }>();
  const requestOf = (id: string): ApprovalRequest => {
    const request = opened.get(id);
    if (request === undefined) throw new Error(`no request ${id}`);
    return request;
  };
  /** A plan of this task, or of a new one. It supersedes the plan before it. */
  const newPlan = async (taskId: TaskId | undefined) => {
    const before = taskId === undefined ? undefined : latest.get(taskId);
    const task = before?.task ?? sampleTask(home);
    if (before === undefined) await stages.keepTask(task);
    const plan = samplePlan(home, task, { revision: (before?.plan.revision ?? 0) + 1 });
    await uow.run(tenantId, async (tx) => {
      if (before !== undefined) await plans.setState(tx, before.plan.id, 'superseded', plan.createdAt);
      await plans.insert(tx, plan, { tools: [], targets: [] });
    });
    latest.set(task.id, { task, plan });
    return {
      taskId: task.id,
      planId: plan.id,
      environmentId: home.production.id,
      decisionId: await stages.newDecision(),
    };
  };
  return {
    newRequest: async (taskId) => {
      const plan = await newPlan(taskId);
      const store = {
        uow,
        tenantId,
        agent: () => Promise.resolve({ id: agent.agentId, credentialId: agent.credentialId }),
        plan: () => Promise.resolve(plan),
        call: () => Promise.reject(new Error('nobody talks about a call here')),
      };
      const request = await openRequest(store);
      await uow.run(tenantId, (tx) => requests.insert(tx, request));
      opened.set(request.id, request);
      return {
        type: 'approval_request',
        id: request.id,
        state: 'open',
        headline: request.headline,
        taskId: plan.taskId,
        planId: plan.planId,
        planAgentId: agent.agentId,
        environment: home.production.name,
        level: request.decision.obligations.audit_level,
      };
    },
    newChange: async () => {
      const change = openChange(
        {
          kind: 'executor',
          subject: { type: 'executor', id: newId() },
          what: 'The executors',
          payload: {},
          base: null,
          loosens: ['an address changes'],
          detail: {},
        },
        {
          id: newId<ChangeRequestId>(),
          requestedBy: admin.personId,
          credentialId: admin.credentialId,
          why: 'The service moved.',
        },
        null,
        Date.UTC(2026, 0, 5, 8),
      );
      await uow.run(tenantId, (tx) => changes.insert(tx, change));
      return { type: 'change_request', id: change.id, headline: change.what, level: 'full_with_evidence' };
    },
    review: async ({ id }, { personId, credentialId }, createdAt) => {
      const review = reviewOf(requestOf(id), { id: personId, credentialId }, { createdAt });
      await uow.run(tenantId, (tx) => requests.insertReview(tx, requestOf(id).id, review, null));
    },
    claim: async ({ id }, { personId }) => {
      const claim = { personId, claimedAt: Date.UTC(2026, 0, 5, 8), expiresAt: Date.UTC(2026, 0, 5, 9) };
      await uow.run(tenantId, (tx) => claims.saveClaim(tx, id, claim));
    },
    newPerson: async (displayName) => {
      const person = samplePerson(tenantId);
      await new TenantRows(uow, tenantId).person(person);
      await db.owner.query('update person set display_name = $2 where id = $1', [person.personId, displayName]);
      return person;
    },
    disable: async ({ personId }) => {
      await db.owner.query('update person set disabled_at = clock_timestamp() where id = $1', [personId]);
    },
  };
}
