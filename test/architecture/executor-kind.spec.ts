import { z } from 'zod';
import { FakeEnvironmentRepository } from '../../libs/registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../libs/registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../libs/registry/tool/src/application/fake-tool.repository.js';
import { FakeToolDispatcher } from '../../libs/registry/dispatch/src/application/fake-tool-dispatcher.js';
import { sampleOrder } from '../../libs/registry/dispatch/src/application/fake-grant.js';
import { FakeAuditSink } from '../../libs/foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { executorKindView, executorView } from '../../apps/api/src/tool/views.js';
import { EXECUTOR_KINDS, ExecutorDispatcher, type ExecutorKind } from '#lib/dispatch';
import { err, ok, tightening, type PersonPrincipal, type TwoPersonRule } from '#lib/kernel';
import { PutExecutor, ReadRegistry } from '#lib/tool';

const sent = new FakeToolDispatcher();

/** A kind that only this test has. */
const queueKind: ExecutorKind = {
  name: 'queue',
  title: 'a queue that workers read',
  answeredBy: 'executor',
  settings: z.strictObject({ url: z.string() }),
  read: ({ url }) =>
    url?.startsWith('queue:') === true
      ? ok({ url, secret: null })
      : err([{ pointer: '/url', code: 'executor.queue_required', message: 'A queue has an address queue:NAME.' }]),
  destination: ({ url }) => `workers of ${url ?? ''}`,
  dispatcher: () => sent,
};
const kinds = [...EXECUTOR_KINDS, queueKind];

/** Nothing waits: the test is about kinds. */
const alone: TwoPersonRule = {
  admit: (_tx, authority) =>
    Promise.resolve(ok({ outcome: 'admitted', admitted: tightening(authority as PersonPrincipal) })),
  demandReason: () => Promise.resolve(),
  waiting: () => Promise.resolve([]),
  outdate: () => Promise.resolve(),
};

describe('a kind of executor that is only registered', () => {
  const { uow, home } = fakeWorld();
  const admin: PersonPrincipal = { ...home.admin, scopes: ['admin'] };
  const environments = new FakeEnvironmentRepository(uow, [home]);
  const executors = new FakeExecutorRepository(uow, [home.production, home.staging]);
  const secrets = { bindings: () => Promise.resolve(new Map()) };
  const addresses = { rulesOf: () => Promise.resolve(() => 'public' as const) };
  const put = new PutExecutor(uow, executors, environments, secrets, addresses, alone, new FakeAuditSink(uow), kinds);
  const reading = new ReadRegistry(uow, new FakeToolRepository(uow), executors, environments, kinds);

  it('is put, with its own check of its settings', async () => {
    const refused = await put.execute(admin, 'production', 'jobs', { kind: 'queue', url: 'https://a.example/' });
    expect(refused).toMatchObject({ error: { errors: [{ pointer: '/url', code: 'executor.queue_required' }] } });
    const done = await put.execute(admin, 'production', 'jobs', { kind: 'queue', url: 'queue:jobs' });
    expect(done).toMatchObject({ value: { value: { kind: 'queue', url: 'queue:jobs', version: 1 } } });
  });

  it('is shown with its destination', async () => {
    const found = await reading.executor(admin, 'production', 'jobs');
    if (!found.ok) throw new Error(found.error.code);
    expect(executorView(admin, found.value)).toMatchObject({
      kind: 'queue',
      destination: 'workers of queue:jobs',
      audience: 'jobs.production',
    });
  });

  it('is listed with the JSON Schema of its settings', () => {
    expect(reading.kinds.map(executorKindView)).toContainEqual({
      kind: 'queue',
      title: 'a queue that workers read',
      answered_by: 'executor',
      settings: expect.objectContaining({ properties: { url: { type: 'string' } }, required: ['url'] }) as unknown,
    });
  });

  it('gets the calls of its executors', async () => {
    const dispatcher = new ExecutorDispatcher(kinds, {} as ConstructorParameters<typeof ExecutorDispatcher>[1]);
    const executor = { name: 'jobs', kind: 'queue', url: 'queue:jobs', audience: 'jobs.production', secret: null };
    const order = sampleOrder(home, { executor });
    expect(await dispatcher.dispatch(order)).toEqual({ kind: 'succeeded', result: {} });
    expect(sent.orders).toEqual([order]);
  });
});
