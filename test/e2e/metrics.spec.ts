import { Metrics } from '#lib/operation';
import { measure } from '../../apps/worker/src/measure.js';
import { testApi, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant } from '../support/populated-tenant.js';

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  for (let tenants = 0; tenants < 2; tenants += 1) await populatedTenant(api, toolServer.port);
}, 120_000);
afterAll(async () => {
  await api.close();
  await toolServer.close();
});

/** The samples of a registry, by name and labels as Prometheus reads them. */
async function samples({ registry }: Metrics): Promise<ReadonlyMap<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('metrics', () => {
  it('count plans, requests and runs under way by state, over all tenants', async () => {
    await api.db.owner.query("update run set next_at = next_at - interval '20 seconds'");
    const metrics = new Metrics({ collectProcess: false });
    measure(metrics, api.database, api.installation.audit.log, () => 0);
    const read = await samples(metrics);
    // Two tenants, each with one run that was approved and one under break-glass.
    expect(Object.fromEntries(read)).toMatchObject({
      'countersign_plans{state="validated"}': 4,
      'countersign_simulations{state="pending"}': 0,
      'countersign_simulations{state="running"}': 0,
      'countersign_approval_requests{state="open"}': 0,
      'countersign_approval_requests{state="approved"}': 0,
      'countersign_runs{state="queued"}': 4,
      'countersign_runs{state="executing"}': 0,
      countersign_runs_driven: 0,
      'countersign_jobs_waiting{queue="run.advance"}': 4,
      'countersign_jobs_waiting{queue="simulation.execute"}': 0,
      'countersign_jobs_waiting{queue="slack.interaction"}': 0,
      'countersign_job_age_seconds{queue="slack.interaction"}': 0,
    });
    expect(read.get('countersign_job_age_seconds{queue="run.advance"}')).toBe(15);
    expect(read.get('countersign_sequencing_lag_seconds')).toBeGreaterThan(0);
    expect(read.get('countersign_tenants_unpublished')).toBe(0);
  });

  it('count the decisions of a process by entrypoint and outcome', async () => {
    const read = await samples(api.app.get(Metrics));
    expect(read.get('countersign_decisions_total{entrypoint="plan",outcome="require_approval"}')).toBeGreaterThan(0);
    expect(read.get('countersign_decisions_total{entrypoint="review",outcome="allow"}')).toBeGreaterThan(0);
  });
});
