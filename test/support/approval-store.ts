import { createApprovalStore } from '#lib/approval';
import { sqlOf } from '#lib/database';
import { createDirectory } from '#lib/identity';
import { digestOf, newId, type DecisionId, type PlanId, type TaskId, type ToolCallId } from '#lib/kernel';
import type { ApprovalStore } from '../../libs/stages/approval/src/application/approval-store.contract.js';
import { environmentDigest } from '#lib/task';
import { createToolCallStore } from '#lib/tool-call';
import type { CallExecutor } from '../../libs/stages/tool-call/src/domain/tool-call.js';
import { sampleToolCall } from '../../libs/stages/tool-call/src/application/fake-tool-call.js';
import {
  sampleAgent,
  samplePerson,
  sampleTenant,
  type SampleTenant,
} from '../../libs/foundation/kernel/src/fake-tenant.js';
import { testDatabase, type TestDatabase } from './database.js';
import { testKeys, testSeals } from './seals.js';
import { TenantRows } from './tenant-rows.js';

/** A store whose calls may go to an executor. */
export interface PostgresStore extends ApprovalStore {
  readonly tenant: SampleTenant;
  call(environment?: 'staging' | 'production', executor?: CallExecutor): ReturnType<ApprovalStore['call']>;
}

/** Opens stores over a database of the test file's own; to be called where `describe` is. */
export function postgresStores(opened: (db: TestDatabase) => void = () => undefined): () => Promise<PostgresStore> {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
    opened(db);
    await db.owner.query(
      `insert into policy_bundle (revision, wasm_digest, entrypoints, sources, wasm) values ($1, $1, '[]', '{}', '')`,
      [ANY_DIGEST],
    );
  });
  afterAll(() => db.close());
  return async () => {
    const tenant = sampleTenant();
    await TenantRows.of(db.uow, tenant);
    return storeOver(db, tenant);
  };
}

const ANY_DIGEST = digestOf('plan', {});

function storeOver(db: TestDatabase, tenant: SampleTenant): PostgresStore {
  const { tenantId } = tenant;
  const directory = createDirectory({ system: db.systemQuery, seals: testSeals() });
  const rows = new TenantRows(db.uow, tenantId);
  const execute = (text: string, parameters: readonly unknown[]): Promise<number> =>
    db.uow.run(tenantId, (tx) => sqlOf(tx).execute(text, [tenantId, ...parameters]));
  const decided = async (entrypoint: 'plan' | 'tool_call', subjectId: string): Promise<DecisionId> => {
    const id = newId<DecisionId>();
    await execute(
      `insert into decision (tenant_id, id, subject_type, subject_id, within, entrypoint, bundle_revision, input, input_digest, result, outcome, decided_at)
       values ($1, $2, $4, $5, '[]', $4, $3, '{}', $3, '{"outcome": "allow"}', 'allow', clock_timestamp())`,
      [id, ANY_DIGEST, entrypoint, subjectId],
    );
    return id;
  };
  return {
    uow: db.uow,
    tenant,
    tenantId,
    ...createApprovalStore(testSeals(), directory),
    agent: async (owner = tenant.owner.personId) => {
      const agent = { ...sampleAgent(tenant.owner), ownerId: owner };
      await rows.agent(agent, tenant.admin);
      return { id: agent.agentId, credentialId: agent.credentialId };
    },
    person: async (...roles) => {
      const person = samplePerson(tenantId);
      const { personId: id, credentialId } = person;
      await rows.person(person);
      await db.uow.run(tenantId, async (tx) => {
        const at = await tx.now();
        for (const role of roles)
          await directory.people.assignRole(tx, { id: newId(), personId: id, role, assignedBy: null, at });
      });
      return { id, credentialId };
    },
    revoke: async (of, role) => {
      await execute(
        `update role_assignment set revoked_at = clock_timestamp(), revoked_by = $2
          where tenant_id = $1 and person_id = $2 and role = $3`,
        [of, role],
      );
    },
    disable: async (id) => {
      await execute('update person set disabled_at = clock_timestamp() where tenant_id = $1 and id = $2', [id]);
    },
    endCredential: async (id) => {
      await execute('update credential set revoked_at = clock_timestamp() where tenant_id = $1 and id = $2', [id]);
    },
    plan: async (wish = {}) => {
      const { revision = 1, goal = 'a goal', environment = 'production', targets = [] } = wish;
      const planId = newId<PlanId>();
      const taskId = wish.taskId ?? newId<TaskId>();
      const { personId, credentialId } = tenant.owner;
      if (wish.taskId === undefined)
        await execute(
          `insert into task (tenant_id, id, environment_id, state, spec, spec_digest, person_id, credential_id, created_at, updated_at)
           values ($1, $2, $3, 'created', $4, $5, $6, $7, clock_timestamp(), clock_timestamp())`,
          [taskId, tenant[environment].id, JSON.stringify({ goal }), ANY_DIGEST, personId, credentialId],
        );
      await execute(
        `insert into plan (tenant_id, id, task_id, revision, state, document, person_id, credential_id, created_at, updated_at)
         values ($1, $2, $3, $4, 'draft', '{}', $5, $6, clock_timestamp(), clock_timestamp())`,
        [planId, taskId, revision, personId, credentialId],
      );
      await execute(
        'insert into plan_target (tenant_id, plan_id, target) select $1, $2, target from unnest($3::text[]) target',
        [planId, targets],
      );
      const decisionId = await decided('plan', planId);
      return { taskId, planId, environmentId: tenant[environment].id, decisionId };
    },
    call: async (environment = 'staging', executor) => {
      const callId = newId<ToolCallId>();
      const decisionId = await decided('tool_call', callId);
      const { id, name } = tenant[environment];
      const digest = environmentDigest(tenant[environment]);
      const members = { id: callId, environment: { id, name, digest }, decisionId, executor: executor ?? null };
      await db.uow.run(tenantId, (tx) =>
        createToolCallStore(testSeals(), testKeys().texts).calls.insert(tx, sampleToolCall(tenant, members)),
      );
      return { callId, environmentId: id, decisionId };
    },
  };
}
