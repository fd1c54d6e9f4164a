import { tmpdir } from 'node:os';
import { canonicalJson, type Json } from '#lib/canonical';
import type { AutonomyDocument, PlanDocument, ToolDefinition } from '#lib/formats';
import { type EmbeddedPostgres, sqlOf } from '#lib/database';
import type { DispatchOrder, DispatchOutcome, ToolDispatcher } from '#lib/dispatch';
import type { Halt } from '#lib/halt';
import { notedEvidence, type Stages } from '#lib/installation';
import {
  type AgentId,
  type AgentPrincipal,
  type AutonomyRevisionId,
  type CredentialId,
  digestText,
  type EnvironmentId,
  newId,
  type PersonId,
  type PersonPrincipal,
  type PlanId,
  type RunId,
  type TenantId,
  type ToolVersionId,
  type Tx,
} from '#lib/kernel';
import type { Run, Runs, RunSettings } from '#lib/run';
import type { ExecutorRecord, ExecutorId } from '#lib/tool';
import { PgJobQueue } from '../../libs/foundation/database/src/adapters/pg-job-queue.js';
import { RUN_TOOLS, valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { auditLogOver } from './audit-log.js';
import { testDatabase, type TestDatabase } from './database.js';
import { FORGED_SEAL } from './database-login.js';
import { RunApprovals } from './run-approvals.js';
import { wireStages } from './wired-stages.js';

/** The pretended tool server's answer to a call. */
export type ToolBehaviour = (order: DispatchOrder) => Promise<DispatchOutcome> | DispatchOutcome;

/** Runs over a real database and real policies, with a tool server that the test plays itself. */
export interface RunWorld extends Runs {
  readonly db: TestDatabase;
  readonly tenantId: TenantId;
  readonly agent: AgentPrincipal;
  readonly person: PersonPrincipal;
  readonly runs: Stages['runStore']['runs'];
  readonly bound: Stages['bound'];
  readonly requests: Stages['approval']['requests'];
  readonly standing: Stages['approval']['standing'];
  readonly approvals: RunApprovals;
  /** Puts another autonomy document in force. */
  autonomy(document: AutonomyDocument): Promise<void>;
  /** Every call that left, in order. */
  readonly calls: DispatchOrder[];
  /** Replaces the tool server's behaviour; by default every call succeeds. */
  behave(behaviour: ToolBehaviour): void;
  /** A validated plan of a new task in staging. */
  plan(document: PlanDocument): Promise<PlanId>;
  /** A queued run of a new plan. */
  queued(document: PlanDocument): Promise<Run>;
  /** Advances until nothing is left to do at once; the run as it then stands. */
  settle(runId: RunId): Promise<Run>;
  run(runId: RunId): Promise<Run>;
  /** `<step id>:<state>` of every step, in order. */
  steps(runId: RunId): Promise<readonly string[]>;
  eventTypes(runId: RunId): Promise<readonly string[]>;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Moves everything that a run has recorded into the past, as if that much time had gone by. */
  passTime(seconds: number): Promise<void>;
  /** Registers another address for the tool server. */
  moveToolServer(url: string): Promise<void>;
  /** Sets a halt, without more said on everything. */
  halt(target?: { readonly kind: 'tenant' } | { readonly kind: 'tool'; readonly tool: string }): Promise<Halt>;
  lift(halt: Halt): Promise<void>;
  close(): Promise<void>;
}

const FULL_AUTO: AutonomyDocument = { autonomy: { mode: 'full_auto' } };

/** A test's own arrangement. */
export interface RunWorldOptions {
  readonly settings?: Partial<RunSettings>;
  /** The address of the tool server, for workers in processes of their own. */
  readonly toolServer?: string;
  readonly timeLimitSeconds?: number;
  /** Other tools than `deploy` and its like. */
  readonly tools?: readonly ToolDefinition[];
  /** Another server than the run's own, for a test that stops it. */
  readonly postgres?: EmbeddedPostgres;
  /** Whether workers are woken; otherwise they find rows by looking. */
  readonly hints?: boolean;
}

export async function runWorld({
  settings,
  toolServer,
  timeLimitSeconds = 30,
  tools: catalog = RUN_TOOLS,
  postgres,
  hints = false,
}: RunWorldOptions = {}): Promise<RunWorld> {
  const db = await testDatabase(postgres);
  const tenantId = newId<TenantId>();
  const environmentId = newId<EnvironmentId>();
  const personId = newId<PersonId>();
  const agentId = newId<AgentId>();
  const credentials = { person: newId<CredentialId>(), agent: newId<CredentialId>() };
  await arrange(db, { tenantId, environmentId, personId, agentId, credentials });

  const calls: DispatchOrder[] = [];
  let behaviour: ToolBehaviour = () => ({ kind: 'succeeded', result: { ok: true } });
  const dispatcher: ToolDispatcher = {
    dispatch: async (order) => {
      calls.push(order);
      return behaviour(order);
    },
  };
  const { sink: audit } = auditLogOver(db, tmpdir(), notedEvidence);
  const { tool, autonomy, halt, task, plan, approval, run, runStore, bound, directory } = wireStages(db, {
    audit,
    dispatcher,
    ...(hints ? { jobs: new PgJobQueue() } : {}),
    ...(settings === undefined ? {} : { settings }),
  });
  const { runs } = runStore;

  const tx = <T>(work: (open: Tx) => Promise<T>): Promise<T> => db.uow.run(tenantId, work);
  let revision = 0;
  const put = (document: AutonomyDocument): Promise<void> =>
    tx(async (open) => {
      const source = canonicalJson(document as Json);
      await autonomy.revisions.lockForChange(open);
      await autonomy.revisions.put(open, {
        revisionId: newId<AutonomyRevisionId>(),
        number: (revision += 1),
        document,
        digest: digestText('autonomy', source),
        source,
        sourceSha256: digestText('autonomy', source).slice('sha256:'.length),
        createdAt: await open.now(),
        createdBy: personId,
      });
    });
  await put(FULL_AUTO);
  const executorId = newId<ExecutorId>();
  let executorVersion = 0;
  const executorAt = (url: string): ExecutorRecord => ({
    id: executorId,
    name: 'fleet',
    kind: 'http',
    url,
    audience: 'fleet',
    sharedAudience: false,
    secret: null,
    settings: {},
    version: (executorVersion += 1),
    digest: digestText('executor', url),
  });
  await tx(async (open) => {
    const now = await open.now();
    for (const listed of catalog) {
      const definition = { ...listed, time_limit_seconds: timeLimitSeconds };
      const text = canonicalJson(definition as Json);
      const version = {
        id: newId<ToolVersionId>(),
        name: definition.name,
        version: 1,
        digest: digestText('tool', text),
        definition,
      };
      await tool.tools.addVersion(open, version, text, personId, now);
    }
    await tool.executors.save(open, environmentId, executorAt(toolServer ?? 'http://127.0.0.1:1'), personId, now);
  });

  const agent: AgentPrincipal = {
    kind: 'agent',
    tenantId,
    agentId,
    displayName: 'deployer',
    ownerId: personId,
    onBehalfOf: null,
    credentialId: credentials.agent,
    scopes: ['read', 'submit', 'run'],
  };
  const person: PersonPrincipal = {
    kind: 'person',
    tenantId,
    personId,
    displayName: 'Operator',
    roles: [],
    credentialId: credentials.person,
    credentialKind: 'person_token',
    scopes: ['read', 'run'],
    signedInAt: null,
  };
  const planned = async (document: PlanDocument): Promise<PlanId> => {
    const spec = { goal: 'deploy', task_type: 'deploy', environment: 'staging', timeout_minutes: 60 };
    const { id } = valueOf(await task.createTask.execute(agent, spec));
    return valueOf(await plan.submitPlan.execute(agent, id, document)).plan.id;
  };
  const found = async (runId: RunId): Promise<Run> => {
    const one = await tx((open) => runs.find(open, runId));
    if (one === null) throw new Error(`no run ${runId}`);
    return one;
  };
  return {
    ...run,
    db,
    tenantId,
    agent,
    person,
    runs,
    bound,
    requests: approval.requests,
    standing: approval.standing,
    approvals: new RunApprovals(db.uow, approval, directory),
    autonomy: put,
    calls,
    behave: (next) => {
      behaviour = next;
    },
    plan: planned,
    queued: async (document) => valueOf(await run.start.execute(agent, await planned(document))),
    settle: async (runId) => {
      for (let turns = 0; turns < 2_000; turns += 1) {
        const again = await run.advance.execute(tenantId, runId, () => true);
        if (again.when !== 'now') return found(runId);
      }
      throw new Error('the run never comes to rest');
    },
    run: found,
    steps: async (runId) => (await tx((open) => runs.steps(open, runId))).map((step) => `${step.stepId}:${step.state}`),
    eventTypes: async (runId) => (await tx((open) => runs.events(open, runId, 0, 1_000))).map((event) => event.type),
    tx,
    passTime: async (seconds) => {
      await tx((open) =>
        sqlOf(open).execute(
          `update run_step set lease_until = lease_until - make_interval(secs => $1), retry_at = retry_at - make_interval(secs => $1),
                               finished_at = finished_at - make_interval(secs => $1)`,
          [seconds],
        ),
      );
      await db.owner.query('update run set next_at = next_at - make_interval(secs => $1)', [seconds]);
    },
    moveToolServer: (url) =>
      tx(async (open) => tool.executors.save(open, environmentId, executorAt(url), personId, await open.now())),
    halt: async (target = { kind: 'tenant' as const }) =>
      valueOf(await halt.setHalt.execute(person, { ...target, reason: 'something is wrong' })),
    lift: async ({ id }) => {
      const lead = { ...person, roles: [{ role: 'SRELead', assignedAt: 0 }] };
      valueOf(await halt.liftHalt.execute(lead, id, 'looked at it'));
    },
    close: () => db.close(),
  };
}

async function arrange(
  db: TestDatabase,
  ids: {
    readonly tenantId: TenantId;
    readonly environmentId: EnvironmentId;
    readonly personId: PersonId;
    readonly agentId: AgentId;
    readonly credentials: { readonly person: CredentialId; readonly agent: CredentialId };
  },
): Promise<void> {
  const { tenantId, environmentId, personId, agentId, credentials } = ids;
  await db.uow.run(tenantId, async (tx) => {
    const sql = sqlOf(tx);
    await sql.execute("insert into tenant (id, slug, name, created_at) values ($1, $2, 'Test', now())", [
      tenantId,
      `t-${tenantId.slice(-12)}`,
    ]);
    await sql.execute(
      `insert into environment (tenant_id, id, name, production, version, created_at, updated_at)
       values ($1, $2, 'staging', false, 1, now(), now())`,
      [tenantId, environmentId],
    );
    await sql.execute(
      `insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, 'operator@example.com', 'Operator', now())`,
      [tenantId, personId],
    );
    await sql.execute(
      `insert into agent (tenant_id, id, name, description, owner_person_id, created_at)
       values ($1, $2, 'deployer', '', $3, now())`,
      [tenantId, agentId, personId],
    );
    for (const [kind, id, person, agent] of [
      ['person_token', credentials.person, personId, null],
      ['agent_token', credentials.agent, null, agentId],
    ]) {
      await sql.execute(
        `insert into credential (tenant_id, id, kind, person_id, agent_id, name, prefix, token_digest, scopes, created_at, created_by, expires_at, seal)
         values ($1, $2, $3, $4, $5, 'test', 'test', sha256($7::bytea), array['read', 'run'], now(), $6, now() + interval '1 day', $8)`,
        [tenantId, id, kind, person, agent, personId, Buffer.from(id ?? ''), FORGED_SEAL],
      );
    }
  });
}
