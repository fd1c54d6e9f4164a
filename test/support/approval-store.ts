import {
  IdentityPeople,
  SqlAbsences,
  SqlClaims,
  SqlFlood,
  SqlReminders,
  TypeormApprovalRepository,
  TypeormDueApprovals,
} from '#lib/approval';
import { sqlOf } from '#lib/database';
import { PostgresPersonRepository, PostgresSeats } from '#lib/identity';
import {
  digestOf,
  newId,
  type AgentId,
  type CredentialId,
  type DecisionId,
  type EnvironmentId,
  type PersonId,
  type PlanId,
  type TaskId,
  type TenantId,
} from '#lib/kernel';
import type { ApprovalStore, Holder, PlanWish } from '../../libs/approval/src/application/approval-store.contract.js';
import { FORGED_SEAL } from './database-login.js';
import { testDatabase, type TestDatabase } from './database.js';
import { testSeals } from './seals.js';

/** Opens stores over a database of the test file's own; to be called where `describe` is. */
export function postgresStores(): () => Promise<ApprovalStore> {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());
  return async () => {
    const rows = new Rows(db, newId<TenantId>());
    await rows.tenant();
    return storeOver(db, rows);
  };
}

function storeOver(db: TestDatabase, rows: Rows): ApprovalStore {
  const persons = new PostgresPersonRepository(testSeals());
  const absences = new SqlAbsences(testSeals());
  const { tenantId } = rows;
  const person = async (...roles: string[]): Promise<Holder<PersonId>> => {
    const holder = await rows.person();
    await db.uow.run(tenantId, async (tx) => {
      for (const role of roles)
        await persons.grantRole(tx, {
          id: newId(),
          personId: holder.id,
          role,
          grantedBy: null,
          at: await tx.now(),
        });
    });
    return holder;
  };
  return {
    uow: db.uow,
    tenantId,
    requests: new TypeormApprovalRepository(testSeals()),
    claims: new SqlClaims(),
    reminders: new SqlReminders(),
    floods: new SqlFlood(),
    absences,
    people: new IdentityPeople(persons, new PostgresSeats(testSeals()), absences),
    due: new TypeormDueApprovals(db.systemQuery),
    agent: async (owner) => rows.agent(owner ?? (await person()).id),
    person,
    revoke: (of, role) =>
      rows.execute(
        `update role_grant set revoked_at = clock_timestamp(), revoked_by = $2
          where tenant_id = $1 and person_id = $2 and role = $3`,
        [of, role],
      ),
    disable: (id) =>
      rows.execute('update person set disabled_at = clock_timestamp() where tenant_id = $1 and id = $2', [id]),
    plan: (wish = {}) => rows.plan(wish),
  };
}

const ANY_DIGEST = digestOf('plan', {});

/** Rows that other libraries own, with what their constraints ask for and no more. */
class Rows {
  readonly #environments = { production: newId<EnvironmentId>(), staging: newId<EnvironmentId>() };
  #submitter: Holder<PersonId> | undefined;

  constructor(
    private readonly db: TestDatabase,
    readonly tenantId: TenantId,
  ) {}

  async execute(text: string, parameters: readonly unknown[]): Promise<void> {
    await this.db.uow.run(this.tenantId, (tx) => sqlOf(tx).execute(text, [this.tenantId, ...parameters]));
  }

  async tenant(): Promise<void> {
    await this.execute('insert into tenant (id, slug, name, created_at) values ($1, $2, $2, clock_timestamp())', [
      `t-${this.tenantId.slice(-12)}`,
    ]);
    for (const [name, id] of Object.entries(this.#environments))
      await this.execute(
        `insert into environment (tenant_id, id, name, production, version, created_at, updated_at)
         values ($1, $2, $3, $3 = 'production', 1, clock_timestamp(), clock_timestamp())`,
        [id, name],
      );
    await this.db.owner.query(
      `insert into policy_bundle (revision, wasm_digest, entrypoints, sources, wasm) values ($1, $1, '[]', '{}', '')
       on conflict do nothing`,
      [ANY_DIGEST],
    );
  }

  async person(): Promise<Holder<PersonId>> {
    const id = newId<PersonId>();
    await this.execute(
      `insert into person (tenant_id, id, email, display_name, created_at)
       values ($1, $2, $3, $3, clock_timestamp())`,
      [id, `p-${id}@example.com`],
    );
    return { id, credentialId: await this.#credential('person_token', { person: id, agent: null, by: null }) };
  }

  async agent(owner: PersonId): Promise<Holder<AgentId>> {
    const id = newId<AgentId>();
    await this.execute(
      `insert into agent (tenant_id, id, name, description, owner_person_id, created_at)
       values ($1, $2, $3, '', $4, clock_timestamp())`,
      [id, `agent-${id}`, owner],
    );
    return { id, credentialId: await this.#credential('agent_token', { person: null, agent: id, by: owner }) };
  }

  async plan(wish: PlanWish): Promise<{ taskId: TaskId; planId: PlanId; decisionId: DecisionId }> {
    const { revision = 1, goal = 'a goal', environment = 'production', targets = [] } = wish;
    const [planId, decisionId] = [newId<PlanId>(), newId<DecisionId>()];
    const taskId = wish.taskId ?? newId<TaskId>();
    const { id, credentialId } = (this.#submitter ??= await this.person());
    if (wish.taskId === undefined)
      await this.execute(
        `insert into task (tenant_id, id, environment_id, state, spec, spec_digest, person_id, credential_id, created_at, updated_at)
         values ($1, $2, $3, 'created', $4, $5, $6, $7, clock_timestamp(), clock_timestamp())`,
        [taskId, this.#environments[environment], JSON.stringify({ goal }), ANY_DIGEST, id, credentialId],
      );
    await this.execute(
      `insert into plan (tenant_id, id, task_id, revision, state, document, person_id, credential_id, created_at, updated_at)
       values ($1, $2, $3, $4, 'draft', '{}', $5, $6, clock_timestamp(), clock_timestamp())`,
      [planId, taskId, revision, id, credentialId],
    );
    await this.execute(
      `insert into plan_target (tenant_id, plan_id, target) select $1, $2, target from unnest($3::text[]) target`,
      [planId, targets],
    );
    await this.execute(
      `insert into decision (tenant_id, id, entrypoint, bundle_revision, input, input_digest, result, outcome, decided_at)
       values ($1, $2, 'plan', $3, '{}', $3, '{"outcome": "allow"}', 'allow', clock_timestamp())`,
      [decisionId, ANY_DIGEST],
    );
    return { taskId, planId, decisionId };
  }

  async #credential(
    kind: string,
    { person, agent, by }: { person: PersonId | null; agent: AgentId | null; by: PersonId | null },
  ): Promise<CredentialId> {
    const id = newId<CredentialId>();
    await this.execute(
      `insert into credential (tenant_id, id, kind, person_id, agent_id, name, prefix, token_digest, scopes, created_at, created_by, expires_at, seal)
       values ($1, $2, $3, $4, $5, 'test', 'test', sha256($6::bytea), '{read}', clock_timestamp(), $7,
         clock_timestamp() + interval '1 day', $8)`,
      [id, kind, person, agent, id, by, FORGED_SEAL],
    );
    return id;
  }
}
