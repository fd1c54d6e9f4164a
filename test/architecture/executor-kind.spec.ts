import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { z } from 'zod';
import { FakeEnvironmentRepository } from '../../libs/registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../libs/registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../libs/registry/tool/src/application/fake-tool.repository.js';
import { FakeToolDispatcher } from '../../libs/registry/dispatch/src/application/fake-tool-dispatcher.js';
import { FakeRunnerCalls } from '../../libs/registry/dispatch/src/application/fake-runner-calls.js';
import { sampleOrder } from '../../libs/registry/dispatch/src/application/fake-grant.js';
import { FakeAuditSink } from '../../libs/foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { unasked } from '../../libs/foundation/kernel/src/fake-unasked.js';
import { FakeRunWorld } from '../../libs/stages/run/src/fake-run-world.js';
import { newHost, phase, step } from '../../libs/stages/run/src/fake-run-documents.js';
import { FakeSimulationWorld } from '../../libs/stages/simulation/src/application/fake-simulation-world.js';
import { sampleExecutor } from '../../libs/registry/tool/src/application/fake-tool.js';
import { executorDigest, loosenedExecutor } from '../../libs/registry/tool/src/domain/executor-document.js';
import { executorKindView, executorView } from '../../apps/api/src/tool/views.js';
import { readSettings } from '../../apps/cli/src/executor-settings.js';
import { createWaysOut, EXECUTOR_KINDS, ExecutorDispatcher, type ExecutorKind } from '#lib/dispatch';
import { err, ok, tightening, type PersonPrincipal, type TwoPersonRule } from '#lib/kernel';
import { createTools } from '#lib/tool';

// Required, not imported: tests are compiled without the types of a browser.
const { KindSettings } = jest.requireActual<{
  readonly KindSettings: FunctionComponent<Readonly<Record<string, unknown>>>;
}>('../../apps/web/src/settings/kind-settings.js');

const sent = new FakeToolDispatcher();

/** A kind that only this test has, by a name that no other has. */
const queueKind: ExecutorKind = {
  name: 'test-queue',
  title: 'a queue that workers read',
  answeredBy: 'executor',
  settings: z.strictObject({
    url: z.string(),
    queue: z
      .string()
      .regex(/^[a-z]+$/, 'must be lower-case letters')
      .meta({ description: 'The name of the queue.' }),
    max_length: z.int().default(100),
  }),
  read: ({ url }) =>
    url?.startsWith('queue:') === true
      ? ok({ url, secret: null })
      : err([{ pointer: '/url', code: 'executor.queue_required', message: 'A queue has an address queue:HOST.' }]),
  workspacePool: ({ queue }) => String(queue),
  destination: ({ url, settings: { queue } }) => `workers of ${String(queue)} at ${url ?? ''}`,
  dispatcher: () => sent,
  keptAnswers: () => ({
    of: (_tx, { step }) => Promise.resolve(step === 'in-queue' ? { kind: 'under_way', until: 7 } : null),
  }),
};
const inboxKind: ExecutorKind = {
  ...queueKind,
  name: 'test-inbox',
  title: 'an inbox of the agent',
  answeredBy: 'agent',
};
const kinds = [...EXECUTOR_KINDS, queueKind, inboxKind];
const document = { kind: 'test-queue', url: 'queue:host', queue: 'jobs' };
const EXECUTOR = { name: 'jobs', kind: 'test-queue', url: 'queue:host', audience: 'jobs.production', secret: null };

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
  const { putExecutor: put, readRegistry: reading } = createTools({
    ...{ uow, environments, twoPersonRule: alone, audit: new FakeAuditSink(uow), executorKinds: kinds },
    rows: {
      ...{ tools: new FakeToolRepository(uow), executors, usage: unasked() },
      secretNames: unasked({ bindings: () => Promise.resolve(new Map()) }),
    },
    addresses: { rulesOf: () => Promise.resolve(() => 'public' as const) },
  });

  it('is put, with its own check of its settings', async () => {
    const refused = await put.execute(admin, 'production', 'jobs', { ...document, url: 'https://a.example/' });
    expect(refused).toMatchObject({ error: { errors: [{ pointer: '/url', code: 'executor.queue_required' }] } });
    const done = await put.execute(admin, 'production', 'jobs', document);
    expect(done).toMatchObject({
      value: {
        value: {
          executor: { kind: 'test-queue', url: 'queue:host', settings: { queue: 'jobs', max_length: 100 }, version: 1 },
        },
      },
    });
  });

  it.each<[string, Readonly<Record<string, string | number | null>>, object]>([
    [
      'missing',
      { queue: null },
      {
        pointer: '/queue',
        code: 'executor.setting_required',
        message: 'The setting queue of an executor of kind test-queue is missing (The name of the queue.).',
      },
    ],
    ['of another form', { queue: 'Jobs' }, { pointer: '/queue', code: 'executor.setting_invalid' }],
    ['of another type', { max_length: 'many' }, { pointer: '/max_length', code: 'executor.setting_invalid' }],
    [
      'unknown',
      { max_lenght: 3 },
      {
        pointer: '/max_lenght',
        code: 'executor.setting_unknown',
        message: 'An executor of kind test-queue has no setting max_lenght; it has url, queue, max_length.',
        suggestion: 'max_length',
      },
    ],
  ])('is refused with a setting that is %s', async (_what, changes, error) => {
    const refused = await put.execute(admin, 'production', 'other', { ...document, ...changes });
    expect(refused).toMatchObject({ error: { code: 'executor.invalid', errors: [error] } });
  });

  it('is another executor for approvals with another setting, which waits for a second person', () => {
    const content = { ...sampleExecutor(home.production), kind: 'test-queue', settings: { queue: 'jobs' } };
    const other = { ...content, settings: { queue: 'nights' } };
    expect(executorDigest(home.production.id, 'jobs', other)).not.toBe(
      executorDigest(home.production.id, 'jobs', content),
    );
    expect(loosenedExecutor(kinds, content, other)).toEqual([
      `tools are carried out by workers of nights at ${content.url ?? ''} with another queue`,
    ]);
  });

  it('is shown with its destination', async () => {
    const found = await reading.executor(admin, 'production', 'jobs');
    if (!found.ok) throw new Error(found.error.code);
    expect(executorView(admin, found.value)).toMatchObject({
      kind: 'test-queue',
      destination: 'workers of jobs at queue:host',
      settings: { queue: 'jobs', max_length: 100 },
      audience: 'jobs.production',
    });
  });

  it('is listed with the JSON Schema of its settings', () => {
    expect(reading.kinds.map(executorKindView)).toContainEqual({
      kind: 'test-queue',
      title: 'a queue that workers read',
      answered_by: 'executor',
      settings: expect.objectContaining({
        properties: expect.objectContaining({ url: { type: 'string' } }) as unknown,
        required: ['url', 'queue'],
      }) as unknown,
    });
  });

  it('has options of the command line and fields of a form from its schema', () => {
    const views = reading.kinds.map(executorKindView);
    const settings = readSettings(views, 'test-queue', ['url=queue:host', 'queue=jobs', 'max_length=7']);
    expect(settings).toEqual({ url: 'queue:host', queue: 'jobs', max_length: 7 });
    const { properties, required } = executorKindView(queueKind).settings;
    const fields = renderToStaticMarkup(
      createElement(KindSettings, { properties, required, settings, onChange: () => undefined }),
    );
    expect(fields).toMatch(/queue.*<input[^>]* value="jobs".*max_length.*<input[^>]* value="7"/);
    expect(fields).toContain('The name of the queue.');
  });

  it('gets the calls of its executors', async () => {
    const dispatcher = new ExecutorDispatcher(kinds, {} as ConstructorParameters<typeof ExecutorDispatcher>[1]);
    const executor = { ...EXECUTOR, settings: { queue: 'jobs', max_length: 100 } };
    const order = sampleOrder(home, { executor });
    expect(await dispatcher.dispatch(order)).toEqual({ kind: 'succeeded', result: {} });
    expect(sent.orders).toEqual([order]);
  });

  it('is asked for the answers that it keeps, if no other kind knows the call', async () => {
    const runnerCalls = new FakeRunnerCalls();
    const { keptAnswers } = createWaysOut({
      ...{ executorKinds: kinds, allowedPrivateHosts: [], slugOf: () => Promise.resolve('acme'), runnerCalls },
      ...{ issueGrant: unasked(), secrets: unasked() },
    });
    const keptOf = (step: string) => uow.run(home.tenantId, (tx) => keptAnswers.of(tx, sampleOrder(home, { step })));
    expect(await keptOf('in-queue')).toEqual({ kind: 'under_way', until: 7 });
    expect(await keptOf('elsewhere')).toBeNull();
    runnerCalls.offered = { pool: 'builders', standing: { kind: 'answered', answer: { ok: true, result: 1 } } };
    expect(await keptOf('in-queue')).toEqual({ kind: 'succeeded', result: 1 });
  });

  it('predicts the calls of a plan', async () => {
    const world = await FakeSimulationWorld.open(kinds);
    const { production, admin } = world.tenant;
    const queue = sampleExecutor(production, { id: world.fleet.id, version: 2, kind: 'test-queue', url: 'queue:host' });
    await world.inTx((tx) => world.executors.save(tx, production.id, queue, admin.personId, 0));
    expect(await world.computed(['web-1', 'web-2'])).toMatchObject({ state: 'succeeded' });
    const asked = { executor: { kind: 'test-queue', url: 'queue:host' } };
    expect(world.dispatcher.orders).toMatchObject([asked, asked]);
  });

  it('offers the calls of a run to the agent if the agent answers them', async () => {
    const world = await FakeRunWorld.open({ executor: 'test-inbox', executorKinds: kinds });
    const { id } = await world.queued({ phases: [phase('one', [newHost()], [step('first')])] });
    await world.settle(id);
    expect(await world.attempts(id)).toMatchObject([{ agentId: world.agent.agentId, finishedAt: null }]);
    expect(world.calls).toEqual([]);
  });

  it('gets no call with stored settings that its schema refuses', async () => {
    const dispatcher = new ExecutorDispatcher(kinds, {} as ConstructorParameters<typeof ExecutorDispatcher>[1]);
    const order = sampleOrder(home, { executor: { ...EXECUTOR, settings: { max_length: 100 } } });
    const before = sent.orders.length;
    expect(await dispatcher.dispatch(order)).toMatchObject({
      kind: 'failed',
      effect: 'not_started',
      error: { code: 'dispatch.executor_settings' },
    });
    expect(sent.orders).toHaveLength(before);
  });
});

const root = join(__dirname, '../..');
type Files = readonly (readonly [path: string, text: string])[];

const FOLDER = 'libs/registry/dispatch/src/executors/';
const OF_TESTS_OR_DEMOS = /(\.spec\.tsx?|\.contract\.ts|\/fake-[^/]+\.ts|^apps\/demo\/.*|\/node_modules\/.*)$/;
/** By file: the reason why it names a kind. */
const NAMES_ONE: Readonly<Record<string, string>> = {
  'libs/registry/mcp-upstream/src/adapters/sql-mcp-looks.ts': 'The library looks at the executors of this kind alone.',
  'migrations/0097_mcp_upstream.sql': 'The tables of that library.',
  'libs/registry/runner-pool/src/application/add-runner.ts': 'The kind of a change has the same name.',
};

const sources: Files = ['apps', 'libs', 'migrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.(tsx?|sql)$/.test(path) && !path.startsWith(FOLDER) && !OF_TESTS_OR_DEMOS.test(path))
    .map((path): readonly [string, string] => [path, readFileSync(join(root, path), 'utf8')]),
);

/** The files that name a kind of executor. A principal has the kind `agent`, too, so that only an executor's counts. */
function filesWithKind(files: Files): readonly string[] {
  const names = EXECUTOR_KINDS.map(({ name }) => name).filter((name) => name !== 'agent');
  const one = `'(${names.join('|')})'`;
  const named = new RegExp(`\\bkind\\b.*${one}|^\\s*case ${one}:|executor\\S*\\bkind [!=]== 'agent'`, 'm');
  return files.filter(([, text]) => named.test(text)).map(([path]) => path);
}

describe('the name of a kind of executor', () => {
  it('stands in its folder, and in the library that works for this kind alone', () => {
    expect(filesWithKind(sources).toSorted()).toEqual(Object.keys(NAMES_ONE).toSorted());
  });

  it.each([
    "...(kind === 'runner' ? { session } : {}),",
    "useState(executor?.kind ?? 'http');",
    ".option('--kind <kind>', 'a kind', 'http')",
    "if (executor.kind === 'agent') return;",
    "where v.kind = 'mcp'",
    "switch (executor.kind) {\n  case 'runner':\n",
  ])('is found in %s', (text) => {
    expect(filesWithKind([['libs/a.ts', text]])).toHaveLength(1);
  });
});

/** The words of a library that name the kinds whose executors fetch their calls or list tools. `agent` and `http` have other meanings. */
const kindsIn = (files: Files): readonly string[] =>
  files.flatMap(([path, text]) => [...text.matchAll(/\w*(?:runner|mcp)\w*/gi)].map(([word]) => `${path}: ${word}`));

describe('the run library', () => {
  const run = readdirSync(join(root, 'libs/stages/run'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(root, 'libs/stages/run', path), 'utf8')] as const);

  it('names no kind of executor, in its tests neither', () => {
    expect(run.length).toBeGreaterThan(50);
    expect(kindsIn(run)).toEqual([]);
  });

  it.each(['NO_RUNNER', 'runnerPausesMs', 'run.no_runner', 'McpServer', 'tool.mcp'])('is caught with %s', (word) => {
    expect(kindsIn([['a.ts', `const a = ${word};`]])).toHaveLength(1);
  });
});
