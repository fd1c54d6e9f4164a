import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#lib/canonical';
import type { ToolDispatcher } from '#lib/dispatch';
import type { GrantedLine, ToolDocument } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import { createWorkspace, Snapshots, Turns } from '#lib/workspace';
import { SEARCH_WORKSPACE } from '#lib/workspace-search';
import { searchDocument } from '../../apps/runner/src/search-tool.js';
import { serverPort } from './server-port.js';
import { sampleOrder } from '../../libs/registry/dispatch/src/application/fake-grant.js';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from './api.js';
import { startRunnerProcess, type RunnerProcess } from './runner-process.js';
import { anotherTaskSpec } from './stages.js';
import { toolServer } from './tool-server.js';
import { keepTestKeyring } from './seals.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';
import { workerOf } from './worker.js';

const WITHIN_MS = 60_000;

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
      allowed_approvers: [SRELead]
`;

interface SeenRunner {
  readonly id: string;
  readonly state: string;
}

type Dispatched = Awaited<ReturnType<ToolDispatcher['dispatch']>>;

/** A call of a plan. */
export interface PlannedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A folder of a runner: its workspace, its data, and the file with its token. */
export interface RunnerFolder {
  readonly root: string;
  readonly data: string;
  readonly tokenFile: string;
}

/** A tenant with staging served by runners of the pool `builders`, over a listening API, with a worker. */
export interface RunnerWorld {
  readonly api: TestApi;
  readonly url: string;
  readonly tenant: TestTenant;
  readonly admin: HttpAs;
  readonly agent: HttpAs;
  readonly agentToken: string;
  folder(): RunnerFolder;
  /** Adds a runner to the pool, for staging unless said otherwise. @returns its id and its one-time token. */
  added(
    name: string,
    pool?: string,
    environments?: readonly string[],
  ): Promise<{ readonly id: string; readonly token: string }>;
  /** Starts the process of a runner. */
  start(folder: RunnerFolder, settings?: Readonly<Record<string, string>>): Promise<RunnerProcess>;
  /** Adds a runner and starts it. */
  started(
    name: string,
    settings?: Readonly<Record<string, string>>,
  ): Promise<{ readonly id: string; readonly folder: RunnerFolder; readonly process: RunnerProcess }>;
  /** Starts a run of a plan with these calls. @returns its id. */
  run(...calls: readonly PlannedCall[]): Promise<string>;
  /** Dispatches one call to the pool, as a run does, past the policies. */
  dispatched(
    tool: string,
    callArguments: JsonObject,
    changes?: {
      readonly seconds?: number;
      readonly withSecrets?: boolean;
      readonly environment?: string;
      readonly shell?: GrantedLine | null;
    },
  ): Promise<Dispatched>;
  /** The run, once it is as wanted. */
  until(run: string, wanted: (body: Answer['body']) => boolean): Promise<Answer['body']>;
  /** A runner as people see it. */
  seenRunner(id: string): Promise<SeenRunner | undefined>;
  /** A runner as people see it, once it is as wanted. */
  untilRunner(id: string, state: string): Promise<Answer['body']>;
  /** Kills the worker, and starts another one: both are processes of their own. */
  replaceWorker(): Promise<void>;
  /** Ends the processes of all runners: a test that fails leaves none to the next. */
  stopRunners(): Promise<void>;
  close(): Promise<void>;
}

/** A busy machine starts processes slowly: no test here waits for a time limit. */
const SERVED = { executor: 'workspace', time_limit_seconds: 120 } as const;

/** The documents of the workspace tools, as a tenant puts them into its catalog. */
function workspaceDocuments(): Readonly<Record<string, ToolDocument>> {
  const tools = createWorkspace({
    turns: new Turns(),
    snapshots: new Snapshots('/nonexistent'),
    guardedFetch: () => Promise.reject(new Error('nothing is called')),
    programs: { path: '', home: '', scriptSeconds: 5, sandbox: { kind: 'missing', reason: 'nothing is called' } },
    checks: [],
    author: { name: 'T', email: 't@example.org' },
    platform: 'linux',
  });
  const documents = [...tools.values()].map(({ name, document }) => [name, document] as const);
  return Object.fromEntries(
    [...documents, [SEARCH_WORKSPACE, searchDocument] as const].map(([name, document]) => [
      name,
      { ...document, ...SERVED },
    ]),
  );
}

/** A tool that predicts the effect of a script. A call that may not be repeated is simulated before it runs. */
const SIMULATOR: ToolDocument = {
  description: 'Predicts the effect of a script.',
  risk: 'plan_only',
  idempotent: true,
  scope: 'asset',
  parameters: { type: 'object', properties: {}, additionalProperties: true },
  executor: 'predictor',
};
const PREDICTION = {
  affected_assets: 1,
  estimated_duration_minutes: 1,
  predicted_risk: 'low',
  health_check_points: [],
  details: null,
};

/** The shell, as a tenant puts it into its catalog. */
const TERMINAL: ToolDocument = {
  description: 'Executes a command line in the workspace.',
  risk: 'state_change_nonprod',
  idempotent: false,
  scope: 'asset',
  effect: 'modify',
  surface: 'terminal',
  parameters: {
    type: 'object',
    properties: { command: { type: 'string', maxLength: 16_384 } },
    required: ['command'],
    additionalProperties: false,
  },
  shell: { argument: '/command', shell: 'bash' },
  simulated_by: 'simulate_script',
  ...SERVED,
};

/** A test's own arrangement. */
export interface RunnerWorldOptions {
  /** Its public name, `127.0.0.1` if absent. A browser has passkeys at no address of numbers. */
  readonly name?: string;
  /** Members of documents that differ here, by the tool's name. */
  readonly tools?: Readonly<Record<string, Partial<ToolDocument>>>;
  /** The worker is a process of its own, which the test can kill. */
  readonly workerProcess?: boolean;
}

export async function runnerWorld({
  name = '127.0.0.1',
  tools: own = {},
  workerProcess = false,
}: RunnerWorldOptions = {}): Promise<RunnerWorld> {
  const port = await serverPort();
  const url = `http://${name}:${String(port)}`;
  const predictor = await toolServer({ before: () => true, result: () => PREDICTION });
  const { host } = new URL(predictor.url);
  const base = mkdtempSync(join(tmpdir(), 'countersign-runner-'));
  keepTestKeyring(base);
  const api = await testApi({
    config: { publicUrl: url, allowedPrivateHosts: [host], keyDirectory: join(base, 'keys') },
  });
  await api.app.listen(port, '127.0.0.1');
  const inThisProcess = workerProcess ? null : await workerOf(api);
  const startWorker = (): Promise<WorkerProcess> =>
    startWorkerProcess({
      DATABASE_URL: api.db.url,
      COUNTERSIGN_DATA: base,
      COUNTERSIGN_PUBLIC_URL: url,
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: host,
      COUNTERSIGN_LEASE_MARGIN_MS: '100',
      COUNTERSIGN_LOOK_MS: '200',
    });
  let worker = workerProcess ? await startWorker() : null;
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  const documents = workspaceDocuments();
  const tools = {
    ...documents,
    'test-run': { ...documents['test-run'], simulation: 'required' as const, simulated_by: 'simulate_script' },
    'terminal-run': TERMINAL,
    simulate_script: SIMULATOR,
  };
  const catalog = Object.entries(tools).map(([name, document]) => [name, { ...document, ...own[name] }]);
  expectStatus(await admin.put('/v1/tools', { tools: Object.fromEntries(catalog) as object }), 200);
  const server = { kind: 'http', url: `${predictor.url}/tools`, audience: 'predictor' };
  expectStatus(await admin.put('/v1/environments/staging/executors/predictor', server), 200);
  const executor = { kind: 'runner', pool: 'builders' };
  expectStatus(await admin.put('/v1/environments/staging/executors/workspace', executor), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  const { token: agentToken } = await api.agent(tenant, await api.person(tenant));
  const agent = api.http(agentToken);
  const lead = api.http((await api.person(tenant, 'SRELead')).token);
  const processes: RunnerProcess[] = [];
  let folders = 0;

  const stopRunners = async (): Promise<void> => {
    await Promise.all(processes.splice(0).map((each) => each.kill()));
  };
  const folder = (): RunnerFolder => {
    folders += 1;
    const own = join(base, String(folders));
    const [root, data] = [join(own, 'root'), join(own, 'data')];
    mkdirSync(root, { recursive: true });
    return { root, data, tokenFile: join(own, 'token') };
  };
  const seen = async (id: string): Promise<SeenRunner | undefined> => {
    const { items } = expectStatus(await admin.get('/v1/runners'), 200).body as { items: readonly SeenRunner[] };
    return items.find((each) => each.id === id);
  };
  const added: RunnerWorld['added'] = async (name, pool = 'builders', environments = ['staging']) => {
    const { id, enrolment_token } = expectStatus(
      await admin.post('/v1/runners', { name, pool, environments }),
      201,
    ).body;
    return { id: id as string, token: enrolment_token as string };
  };
  const start: RunnerWorld['start'] = async ({ root, data, tokenFile }, settings = {}) => {
    const process = await startRunnerProcess({
      COUNTERSIGN_URL: url,
      COUNTERSIGN_RUNNER_ROOT: root,
      COUNTERSIGN_RUNNER_DATA: data,
      COUNTERSIGN_RUNNER_ENVIRONMENTS: 'staging',
      COUNTERSIGN_RUNNER_TOKEN_FILE: tokenFile,
      COUNTERSIGN_RUNNER_CHECKS: ',',
      // A machine of tests may have no bubblewrap.
      COUNTERSIGN_RUNNER_SANDBOX: 'where_possible',
      ...settings,
    });
    processes.push(process);
    return process;
  };
  return {
    api,
    url,
    tenant,
    admin,
    agent,
    agentToken,
    folder,
    added,
    start,
    started: async (name, settings) => {
      const { id, token } = await added(name);
      const own = folder();
      writeFileSync(own.tokenFile, token);
      return { id, folder: own, process: await start(own, settings) };
    },
    run: async (...calls) => {
      const spec = anotherTaskSpec({ environment: 'staging', goal: 'Change the workspace' });
      const task = expectStatus(await agent.post('/v1/tasks', spec), 201).body.id as string;
      const steps = calls.map(({ tool, arguments: given }, index) => ({
        id: `step_${String(index + 1)}`,
        tool,
        arguments: given,
        on_failure: 'pause',
      }));
      const phases = [{ name: 'all', canary: false, targets: targetsOf(calls), batch_percent: 100, steps }];
      const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, { phases }), 201).body;
      const simulations = `/v1/plans/${plan.id as string}/simulations`;
      const simulation = expectStatus(await agent.post(simulations), 202).body.id as string;
      await eventually(
        () => agent.get(`/v1/simulations/${simulation}`),
        (body) => body.state === 'succeeded',
      );
      const started = await agent.post(`/v1/plans/${plan.id as string}/runs`);
      if (started.status !== 403) return expectStatus(started, 201).body.id as string;
      // A command line that may write takes a person.
      const request = await agent.post(`/v1/plans/${plan.id as string}/approval-requests`, {});
      const { id, subject } = expectStatus(request, 201).body as { id: string; subject: { digest: string } };
      const review = { verdict: 'approve', subject_digest: subject.digest };
      expectStatus(await lead.post(`/v1/approval-requests/${id}/reviews`, review), 201);
      const runs = expectStatus(await agent.get(`/v1/runs?plan_id=${plan.id as string}`), 200).body.items as {
        id: string;
      }[];
      return runs[0]?.id ?? '';
    },
    dispatched: (tool, given, { seconds = 30, withSecrets = false, environment = 'staging', shell = null } = {}) => {
      const audience = `workspace.${environment}`;
      const executor = { name: 'workspace', kind: 'runner', url: null, audience, secret: null };
      const changes = {
        environment,
        tool: { name: tool, version: 1, timeLimitSeconds: seconds, idempotent: false },
        executor: { ...executor, settings: { pool: 'builders' } },
        arguments: given,
        argumentsDigest: digestOf('arguments', given),
        withSecrets,
        shell,
      };
      return api.installation.dispatch.dispatcher.dispatch(sampleOrder({ tenantId: tenant.id }, changes));
    },
    until: (run, wanted) => eventually(() => agent.get(`/v1/runs/${run}`), wanted),
    seenRunner: seen,
    untilRunner: async (id, state) => {
      const found = (body: Answer['body']) =>
        (body.items as { id: string; state: string }[]).find((each) => each.id === id);
      const list = await eventually(
        () => admin.get('/v1/runners'),
        (body) => found(body)?.state === state,
      );
      return found(list);
    },
    stopRunners,
    replaceWorker: async () => {
      await worker?.kill();
      worker = await startWorker();
    },
    close: async () => {
      await stopRunners();
      await inThisProcess?.stop();
      await worker?.kill();
      await predictor.close();
      await api.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** The files and scripts that calls name as their targets. */
const targetsOf = (calls: readonly PlannedCall[]): readonly string[] => {
  const named = calls.flatMap(({ arguments: { path, script, snapshot } }) => [path, script, snapshot]);
  return [...new Set(named.filter((name): name is string => typeof name === 'string'))];
};

/** Asks until the answer is as wanted. */
async function eventually(
  ask: () => Promise<Answer>,
  wanted: (body: Answer['body']) => boolean,
): Promise<Answer['body']> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status === 200 && wanted(answer.body)) return answer.body;
    if (performance.now() > deadline) throw new Error(`it did not come to that in time: ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
