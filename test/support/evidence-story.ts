import { type Json } from '#lib/canonical';
import {
  digestOf,
  inPlan,
  newId,
  type Actor,
  type AuditEvent,
  type Digest,
  type PlanId,
  type TaskId,
  type TenantId,
} from '#lib/kernel';
import {
  parseNoteKey,
  replayDecisions,
  verifyPack,
  type ExternalCheckpoint,
  type NoteKey,
  type Replay,
  type VerificationReport,
} from '#lib/verifier';
import type { EvidenceDocument } from '../../libs/evidence/audit/src/application/build-evidence-pack.js';
import { testAuditLog, type TestAuditLog } from './audit-log.js';

export const replay: Replay = (job) => Promise.resolve(replayDecisions(job));

export const person = (id: string, onBehalfOf: string | null = null): Actor => ({
  kind: 'person',
  id,
  display_name: id,
  credential_id: `c-${id}`,
  on_behalf_of: onBehalfOf,
});
export const agent: Actor = {
  kind: 'agent',
  id: 'agent-1',
  display_name: 'drift-bot',
  credential_id: 'c-agent',
  on_behalf_of: 'olga',
};
export const executor: Actor = {
  kind: 'system',
  id: 'run-executor',
  display_name: 'run-executor',
  credential_id: null,
  on_behalf_of: null,
};
export const argumentsOf = (target: string): Digest => digestOf('arguments', { target });

export interface Story {
  readonly reviews: readonly (readonly [
    actor: Actor,
    verdict: string,
    roles: readonly string[],
    planDigest?: Digest,
  ])[];
  readonly sent: readonly Digest[];
  readonly consumed: number;
  readonly bound: Readonly<Record<string, Digest>>;
}

/** A story without fault: two SRE leads approve, neither of them the requester, and one call is sent as planned. */
const goodStory: Story = {
  reviews: [
    [person('ada'), 'approve', ['SRELead']],
    [person('bob'), 'reject', ['SRELead']],
    [person('bob'), 'approve', ['SRELead', 'PlatformAdmin']],
  ],
  sent: [argumentsOf('web-01')],
  consumed: 1,
  bound: {},
};

/** The log of the tests of a file, and the story of one plan. Each test begins with a tenant of its own. */
export function evidenceStory() {
  let made: TestAuditLog;
  const world = {
    tenant: newId<TenantId>(),
    planId: newId<PlanId>(),
    documents: [] as EvidenceDocument[],
    get db() {
      return made.db;
    },
    get log() {
      return made.log;
    },
  };
  beforeAll(async () => {
    made = await testAuditLog();
  });
  afterAll(() => made.close());
  beforeEach(() => {
    world.tenant = newId<TenantId>();
    world.planId = newId<PlanId>();
    world.documents = [];
  });

  const record = (...events: AuditEvent[]): Promise<void> =>
    made.db.uow.run(world.tenant, async (tx) => {
      for (const event of events) await made.log.sink.record(tx, event);
    });
  const noise = (count: number): Promise<void> =>
    record(
      ...Array.from({ length: count }, (_, n): AuditEvent => ({
        action: 'thing.done',
        actor: executor,
        level: 'basic',
        subject: { type: 'thing', id: String(n) },
        payload: { n },
      })),
    );

  /** Writes the rows and entries that the stages would write for one plan. */
  async function tell(changes: Partial<Story> = {}): Promise<void> {
    const story = { ...goodStory, ...changes };
    const taskId = newId<TaskId>();
    const requestId = newId();
    const plan: Json = {
      phases: [{ batches: [{ calls: [{ tool: 'patch@1', arguments_digest: argumentsOf('web-01') }] }] }],
    };
    const planDigest = digestOf('plan', plan);
    const task: Json = { goal: 'remediate drift' };
    const binding = {
      subject: { plan: planDigest, task: digestOf('task', task), simulation: null, ...story.bound },
      // Names that look like those of secrets.
      executors: { token: digestOf('executor', { url: 'a' }), 'db-password': digestOf('executor', { url: 'b' }) },
    };
    const bindingDigest = digestOf('binding', binding);
    world.documents.push(
      { kind: 'task', id: taskId, document: task },
      { kind: 'plan', id: world.planId, document: plan },
    );
    const about = { within: inPlan({ taskId, planId: world.planId }), level: 'full' as const };
    const subject = { type: 'approval_request', id: requestId };
    const request = { digests: { binding, binding_digest: bindingDigest } };
    await record(
      {
        action: 'task.created',
        actor: agent,
        level: 'basic',
        subject: { type: 'task', id: taskId },
        within: [{ type: 'task', id: taskId }],
        evidence: [{ kind: 'task', id: taskId, digest: digestOf('task', task) }],
        payload: {},
      },
      {
        ...about,
        action: 'plan.validated',
        actor: agent,
        subject: { type: 'plan', id: world.planId },
        evidence: [{ kind: 'plan', id: world.planId, digest: planDigest }],
        payload: { plan_digest: planDigest },
      },
      {
        ...about,
        action: 'approval_request.opened',
        actor: agent,
        subject,
        ...request,
        payload: {
          excluded: [{ person_id: 'carl', why: 'owner' }],
          obligations: {
            approvals: [
              { count: 1, roles: ['SRELead'] },
              { count: 1, roles: ['any'] },
            ],
          },
        },
      },
    );
    await noise(3);
    await made.log.sequence.execute(world.tenant);
    for (const [actor, verdict, roles, reviewed = planDigest] of story.reviews) {
      await record({
        ...about,
        action: 'review.submitted',
        actor,
        subject,
        payload: { verdict, roles, subject_digest: reviewed, binding_digest: bindingDigest },
      });
    }
    await record({
      ...about,
      action: 'approval_request.approved',
      actor: person('bob'),
      subject,
      payload: {},
      ...request,
    });
    for (let n = 0; n < story.consumed; n += 1)
      await record({
        ...about,
        action: 'approval_request.consumed',
        actor: executor,
        subject,
        payload: { run_id: newId() },
        ...request,
      });
    for (const digest of story.sent) {
      await record({
        ...about,
        action: 'run.step_dispatched',
        actor: executor,
        subject: { type: 'run', id: newId() },
        payload: { tool: 'patch@1', arguments_digest: digest },
      });
    }
    await noise(4);
  }

  const keys = async (): Promise<NoteKey[]> =>
    (await made.log.listKeys.execute(world.tenant)).flatMap(({ key }) => parseNoteKey(key) ?? []);
  async function pack(held: readonly string[] = []): Promise<string> {
    const built = await made.log
      .evidencePacks({
        plan: [{ section: 'test', collect: () => Promise.resolve(world.documents) }],
        change_request: [],
        session: [],
        automation_run: [],
        fixed: [],
      })
      .execute(world.tenant, { subject: { type: 'plan', id: world.planId }, actor: person('auditor'), held });
    if (!built.ok) throw new Error(built.error.code);
    return built.value;
  }
  async function verify(text: string, externalCheckpoint?: ExternalCheckpoint): Promise<VerificationReport> {
    return verifyPack(Buffer.from(text), {
      trustedKeys: await keys(),
      replay,
      ...(externalCheckpoint ? { externalCheckpoint } : {}),
    });
  }
  const codeOf = async (text: string, external?: ExternalCheckpoint): Promise<string | undefined> =>
    (await verify(text, external)).failure?.code;
  const note = async (): Promise<string> => {
    const checkpoint = await made.log.latestCheckpoint.execute(world.tenant);
    if (!checkpoint.ok) throw new Error(checkpoint.error.code);
    return checkpoint.value.note;
  };
  return Object.assign(world, { record, noise, tell, keys, pack, verify, codeOf, note });
}
