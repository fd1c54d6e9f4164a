import type { PlanDescription, RunDetailView } from '#lib/api-schemas';
import type { ExpandedPlan } from '#lib/formats';
import type { ShellTree, ShellVerdict } from '#lib/shell-safety';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestPerson } from '../support/api.js';
import { testDatabase, testServer, type TestDatabase } from '../support/database.js';
import { anotherTaskSpec } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { verifiedBy } from '../support/verified-by.js';
import { workerOf } from '../support/worker.js';

/** The answers of a later classifier, if a test sets one: other verdicts, or other trees. */
let later: {
  readonly verdict?: (verdict: ShellVerdict) => ShellVerdict;
  readonly tree?: (tree: ShellTree) => ShellTree;
} = {};

jest.mock('../../libs/rules/shell-safety/src/domain/classify-command.js', () => {
  const actual = jest.requireActual<typeof import('../../libs/rules/shell-safety/src/domain/classify-command.js')>(
    '../../libs/rules/shell-safety/src/domain/classify-command.js',
  );
  const classifyCommand: typeof actual.classifyCommand = (...line) => {
    const verdict = actual.classifyCommand(...line);
    return later.verdict?.(verdict) ?? verdict;
  };
  return { ...actual, classifyCommand };
});
jest.mock('../../libs/rules/shell-safety/src/domain/executable-tree.js', () => {
  const actual = jest.requireActual<typeof import('../../libs/rules/shell-safety/src/domain/executable-tree.js')>(
    '../../libs/rules/shell-safety/src/domain/executable-tree.js',
  );
  const executableTree: typeof actual.executableTree = (...line) => {
    const tree = actual.executableTree(...line);
    return tree.ok && later.tree !== undefined ? { ok: true, value: later.tree(tree.value) } : tree;
  };
  return { executableTree };
});

const WITHIN_MS = 60_000;
const PARAMETERS = `
    executor: fleet
    parameters:
      type: object
      additionalProperties: false
      required: [command]
      properties: { command: { type: string, maxLength: 16000 } }
`;
const TOOLS = `tools:
  shell:
    description: Executes a command line on the bastion
    risk: state_change_nonprod
    idempotent: false
    scope: asset
    effect: modify
    surface: terminal
    requires_plan: false
    simulated_by: preview_shell
    shell: { argument: /command, shell: bash }${PARAMETERS}
  preview_shell:
    description: Tells the effect of a command line
    risk: plan_only
    idempotent: true
    scope: asset${PARAMETERS}`;
const AUTONOMY = `autonomy:
  mode: full_auto
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
`;

let db: TestDatabase;
let api: TestApi;
let host: ToolServer;
let worker: { stop(): Promise<void> };
let admin: HttpAs;
let agent: HttpAs;
let lead: TestPerson;

beforeAll(async () => {
  host = await toolServer({
    before: () => true,
    result: ({ tool }) =>
      tool === 'preview_shell'
        ? {
            affected_assets: 1,
            estimated_duration_minutes: 1,
            predicted_risk: 'medium',
            health_check_points: [],
            details: null,
          }
        : { exit_code: 0 },
  });
  db = await testDatabase(await testServer());
  api = await testApi({ db, config: { allowedPrivateHosts: [new URL(host.url).host] } });
  worker = await workerOf(api);
  const tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', TOOLS), 200);
  const executor = { kind: 'http', url: `${host.url}/tools`, audience: 'bastion' };
  expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  lead = await api.person(tenant, 'SRELead');
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
}, 120_000);
afterAll(async () => {
  await worker.stop();
  await api.close();
  await db.close();
  await host.close();
});
beforeEach(() => {
  later = {};
});

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

async function submitted(command: string, undo?: string): Promise<Answer> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const compensation = undo === undefined ? {} : { compensate_with: { tool: 'shell', arguments: { command: undo } } };
  const steps = [{ id: 'line', tool: 'shell', arguments: { command }, ...compensation }];
  return agent.post(`/v1/tasks/${task}/plans`, { phases: [{ name: 'one', targets: [], steps }] });
}
const planned = async (command: string, undo?: string): Promise<string> =>
  expectStatus(await submitted(command, undo), 201).body.id as string;

/** The request for the approval of a simulated plan. */
async function asked(plan: string): Promise<{ readonly id: string; readonly digest: string }> {
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await eventually(
    () => agent.get(`/v1/simulations/${simulation}`),
    (body) => body.state === 'succeeded',
  );
  const { body } = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201);
  return { id: body.id as string, digest: (body.subject as { digest: string }).digest };
}

const approve = async ({ id, digest }: { readonly id: string; readonly digest: string }): Promise<void> => {
  const review = { verdict: 'approve', subject_digest: digest };
  expectStatus(await api.http(lead.token).post(`/v1/approval-requests/${id}/reviews`, review), 201);
};

async function runOf(plan: string, wanted: (run: RunDetailView) => boolean): Promise<RunDetailView> {
  const runs = expectStatus(await agent.get(`/v1/runs?plan_id=${plan}`), 200).body.items as { id: string }[];
  const id = runs[0]?.id ?? '';
  const run = await eventually(
    () => agent.get(`/v1/runs/${id}`),
    (body) => wanted(body),
  );
  return run as RunDetailView;
}

const sent = (command: string): number =>
  host.ledger.filter(({ tool, arguments: given }) => tool === 'shell' && given.command === command).length;

const firstLine = (description: unknown) => (description as PlanDescription).phases[0]?.steps[0]?.call;

describe('a plan with a command line', () => {
  it('of Tier 2 is a production change: people approve exactly this line, and it runs', async () => {
    const command = 'kubectl apply -f web.yaml | tee applied.log';
    const plan = await planned(command, 'kubectl rollout undo deployment/web');
    const { body } = expectStatus(await agent.get(`/v1/plans/${plan}`), 200);
    const { shell } = (body.expanded as ExpandedPlan).phases[0]?.batches[0]?.calls[0]?.invocation ?? {};
    expect(shell).toMatchObject({ shell: 'bash', tier: 2, risk: 'state_change_prod' });
    expect(shell?.tree).toMatch(/^sha256:/);
    expect(firstLine(body.description)).toMatchObject({
      tool: { risk: 'state_change_prod' },
      shell: {
        command,
        tier: 2,
        parts: [
          { program: 'kubectl', start: 0, end: 25, tier: 2 },
          { program: 'tee', start: 28, tier: 2 },
        ],
      },
      arguments: [],
    });
    expect(body.plan_risk).toBe('high');

    const request = await asked(plan);
    const shown = expectStatus(await admin.get(`/v1/approval-requests/${request.id}`), 200).body;
    expect(shown).toMatchObject({ state: 'open', risk: 'high' });
    expect(firstLine(shown.description)?.shell?.parts[0]?.reasons[0]?.message).toContain('kubectl');
    expect(sent(command)).toBe(0);
    await approve(request);
    expect(await runOf(plan, ({ finished_at }) => finished_at !== null)).toMatchObject({ state: 'completed' });
    expect(sent(command)).toBe(1);

    const pack = expectStatus(await admin.post(`/v1/plans/${plan}/evidence`, {}), 200);
    const report = await verifiedBy(admin, pack.text);
    expect(report).toMatchObject({ outcome: 'verified' });
    // The tree that was sent is on record, and in the plan of the pack.
    expect(pack.text.split(shell?.tree ?? '').length).toBeGreaterThan(2);
  }, 120_000);

  it('of Tier 1 only reads in production: no simulation, nobody is asked, and it holds no target', async () => {
    const command = 'kubectl get pods | wc -l';
    const plan = await planned(command);
    const { body } = expectStatus(await agent.get(`/v1/plans/${plan}`), 200);
    expect(body).toMatchObject({ plan_risk: 'low' });
    expect(firstLine(body.description)).toMatchObject({ tool: { risk: 'read_only', effect: 'read' } });
    expect((body.expanded as ExpandedPlan).phases[0]?.batches[0]?.calls[0]?.invocation.targets).toEqual([]);
    const id = expectStatus(await agent.post(`/v1/plans/${plan}/runs`, {}), 201).body.id as string;
    expect(await runOf(plan, ({ finished_at }) => finished_at !== null)).toMatchObject({ id, state: 'completed' });
    expect(sent(command)).toBe(1);
  }, 120_000);

  it.each([
    ['of Tier 3', 'kubectl get pods; sudo reboot', 'shell.denied', 'Tier 3'],
    ['that no runner executes', 'while true; do ls; done', 'shell.not_executable', 'while'],
  ])('%s is refused before anybody is asked', async (_what, command, code, message) => {
    const { body } = expectStatus(await submitted(command), 422);
    expect(body).toMatchObject({
      code: 'plan.invalid',
      errors: [{ pointer: '/phases/0/steps/0/arguments/command', code }],
    });
    const [error] = body.errors as { message: string; suggestion: string }[];
    expect(error?.message).toContain(message);
    expect(error?.suggestion).not.toBe('');
  });

  it('T53: is not sent if a later classifier reads it otherwise', async () => {
    const command = 'systemctl restart web';
    const request = await asked(await planned(command));
    later = { tree: (tree) => ({ ...tree, list: [...tree.list, ...tree.list] }) };
    await approve(request);
    const run = await pausedRun(request.id);
    expect(run).toMatchObject({ state: 'paused', reason: { code: 'run.line_differs' } });
    expect(sent(command)).toBe(0);
  }, 120_000);

  it('T53: is denied if a later classifier says Tier 3', async () => {
    const command = 'systemctl reload web';
    const request = await asked(await planned(command));
    later = { verdict: (verdict) => ({ ...verdict, tier: 3 }) };
    await approve(request);
    const run = await pausedRun(request.id);
    expect(run).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(JSON.stringify(run.reason)).toContain('shell.denied');
    expect(sent(command)).toBe(0);
  }, 120_000);
});

/** Once it is paused; then it is cancelled, since it holds the environment. */
async function pausedRun(request: string): Promise<RunDetailView> {
  const { subject } = expectStatus(await agent.get(`/v1/approval-requests/${request}`), 200).body as {
    subject: { id: string };
  };
  const run = await runOf(subject.id, ({ state }) => state === 'paused');
  expectStatus(await agent.post(`/v1/runs/${run.id}/cancel`, {}), 202);
  return run;
}
