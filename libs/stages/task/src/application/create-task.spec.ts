import { canonicalJson, type Json } from '#lib/canonical';
import { type TaskSpec, taskSpecSchema } from '#lib/formats';
import { actorOf, digestText, type Principal, type Result } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import type { Task } from '../domain/task.js';
import { CreateTask } from './create-task.js';
import { FakeTaskRepository } from './fake-task.repository.js';

const wanted = (members: Partial<TaskSpec> = {}): TaskSpec =>
  taskSpecSchema.parse({
    goal: 'Restart the web servers',
    task_type: 'restart',
    environment: 'production',
    ...members,
  });

/** A grammar of conditions that reads everything but a text without an end. */
const conditions = {
  problemOf: (text: string) => (text.endsWith('>') ? { position: 16, message: 'a number is missing' } : null),
};

function creating() {
  const { uow, home, other } = fakeWorld();
  const tasks = new FakeTaskRepository(uow);
  const audit = new FakeAuditSink(uow);
  const environments = new FakeEnvironmentRepository(uow, [home]);
  const create = new CreateTask(uow, tasks, environments, conditions, audit);
  const valueOf = (result: Result<Task>): Task => {
    if (!result.ok) throw new Error(result.error.code);
    return result.value;
  };
  return {
    uow,
    home,
    other,
    create: (by: Principal = home.agent, spec = wanted()) => create.execute(by, spec),
    created: async (by: Principal = home.agent, spec = wanted()) => valueOf(await create.execute(by, spec)),
    kept: () => uow.run(home.tenantId, (tx) => tasks.list(tx, {}, { limit: 9, after: null })),
    audited: () => audit.of(home),
  };
}

describe('a new task', () => {
  it('is kept with its spec as canonical text, and the digest of that text', async () => {
    const { created, home, uow, kept } = creating();
    const task = await created();
    const text = canonicalJson(wanted() as Json);
    expect(task).toEqual({
      id: expect.any(String) as string,
      environmentId: home.production.id,
      state: 'created',
      spec: wanted(),
      specText: text,
      digest: digestText('task', text),
      submitter: {
        kind: 'agent',
        id: home.agent.agentId,
        onBehalfOf: null,
        credentialId: home.agent.credentialId,
      },
      createdAt: uow.now,
      updatedAt: uow.now,
    });
    expect(await kept()).toEqual([task]);
  });

  it('is audited with its digest, as evidence too', async () => {
    const { created, home, audited } = creating();
    const { id, digest } = await created();
    expect(audited()).toEqual([
      {
        action: 'task.created',
        actor: actorOf(home.agent),
        level: 'detailed',
        subject: { type: 'task', id },
        within: [{ type: 'task', id }],
        payload: {
          task_digest: digest,
          environment: 'production',
          task_type: 'restart',
          goal: 'Restart the web servers',
        },
        evidence: [{ kind: 'task', id, digest }],
      },
    ]);
  });

  it('belongs to the person of the delegation, and never to a person that the agent names', async () => {
    const { created, home } = creating();
    const delegated = { ...home.agent, onBehalfOf: home.admin.personId };
    expect((await created(delegated)).submitter).toMatchObject({ kind: 'agent', onBehalfOf: home.admin.personId });
    expect((await created(home.owner)).submitter).toEqual({
      kind: 'person',
      id: home.owner.personId,
      onBehalfOf: null,
      credentialId: home.owner.credentialId,
    });
  });

  it('takes a rollback trigger that the grammar of conditions reads', async () => {
    const { created } = creating();
    const constraints = { rollback_trigger: 'web.error_rate > 0.05' };
    expect((await created(undefined, wanted({ constraints }))).spec.constraints).toEqual(constraints);
  });

  it("masks secrets in an agent's goal before the digest and the audit entry (T32)", async () => {
    const { created, audited } = creating();
    const task = await created(undefined, wanted({ goal: `use cs_p_${'z'.repeat(40)} and password=hunter2` }));
    expect(task.spec.goal).toBe('use [masked] and password=[masked]');
    expect(task.digest).toBe(digestText('task', canonicalJson(task.spec as Json)));
    expect(JSON.stringify([task, audited()])).not.toMatch(/hunter2|zzzz/);
  });
});

describe('a task is refused', () => {
  it.each<[string, Partial<TaskSpec>, object]>([
    [
      'its environment is not one of the tenant',
      { environment: 'prodution' },
      {
        kind: 'unprocessable',
        code: 'task.unknown_environment',
        action: 'Name one of: production, staging.',
        errors: [{ pointer: '/environment', suggestion: 'production' }],
      },
    ],
    [
      'its rollback trigger is no condition',
      { constraints: { rollback_trigger: 'web.error_rate >' } },
      {
        kind: 'unprocessable',
        code: 'task.bad_rollback_trigger',
        errors: [{ pointer: '/constraints/rollback_trigger', message: 'At position 17: a number is missing.' }],
      },
    ],
  ])('if %s, and nothing is kept', async (_what, spec, error) => {
    const { create, kept, audited } = creating();
    expect(await create(undefined, wanted(spec))).toMatchObject({ ok: false, error });
    expect(await kept()).toEqual([]);
    expect(audited()).toEqual([]);
  });

  it('without a suggestion if no environment has a similar name', async () => {
    const { create } = creating();
    const refused = await create(undefined, wanted({ environment: 'elsewhere' }));
    expect(refused).toMatchObject({ ok: false, error: { errors: [{ code: 'task.unknown_environment' }] } });
    expect(refused.ok ? {} : refused.error.errors?.[0]).not.toHaveProperty('suggestion');
  });

  it('if its environment is one of another tenant', async () => {
    const { create, other } = creating();
    expect(await create(other.agent)).toMatchObject({
      ok: false,
      error: { code: 'task.unknown_environment', action: 'Ask an admin to create one.' },
    });
  });

  it('if the system submits it', async () => {
    const { create, home, kept } = creating();
    const system: Principal = { kind: 'system', tenantId: home.tenantId, name: 'run-executor' };
    expect(await create(system)).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', code: 'task.submitter_required' },
    });
    expect(await kept()).toEqual([]);
  });
});
