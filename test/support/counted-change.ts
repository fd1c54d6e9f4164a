import { v7 } from 'uuid';
import type { SimulationId } from '#lib/kernel';
import { expectStatus, type HttpAs, type TestApi, type TestTenant } from './api.js';
import { countedStatements, type CountedStatements } from './counted-statements.js';
import { autonomyDocument, equippedTenant } from './equipped-tenant.js';
import { anotherTaskSpec, rolloutPlan } from './stages.js';

/** The requests that are counted, and the execution of a simulation by a worker. */
export type CountedRequest =
  | 'submit-plan'
  | 'start-simulation'
  | 'execute-simulation'
  | 'request-approval'
  | 'same-question'
  | 'claim-request'
  | 'last-review'
  | 'assemble-evidence'
  | 'withdraw-plan';

/** The cost of each of these requests. */
export type CountedChange = Readonly<Record<CountedRequest, CountedStatements>>;

/** Takes changes from their task to the run that their last review creates; each request carries an Idempotency-Key. */
export async function changesCounted(api: TestApi, toolServerPort: number): Promise<() => Promise<CountedChange>> {
  const { tenant, admin } = await equippedTenant(api, toolServerPort);
  const owner = await api.person(tenant, 'DevOpsEngineer');
  const lead = api.http((await api.person(tenant, 'SRELead')).token);
  const agent = api.http((await api.agent(tenant, owner)).token);
  expectStatus(await admin.put('/v1/autonomy', autonomyDocument(false)), 200);
  return () => change(api, tenant, { admin, agent, lead });
}

async function change(
  api: TestApi,
  tenant: TestTenant,
  { admin, agent, lead }: Readonly<Record<'admin' | 'agent' | 'lead', HttpAs>>,
): Promise<CountedChange> {
  const ask = async (as: HttpAs, path: string, body?: unknown): Promise<Asked> => {
    const asked: { answer?: Asked } = {};
    const counted = await countedStatements(async () => {
      const { status, text, body: answered } = await as.post(path, body, { 'idempotency-key': v7() });
      if (status >= 300) throw new Error(`${path} answered ${text}`);
      asked.answer = answered as Asked;
    });
    if (asked.answer === undefined) throw new Error(`${path} answered nothing`);
    return { ...asked.answer, counted };
  };
  const task = await ask(agent, '/v1/tasks', anotherTaskSpec());
  const plan = await ask(agent, `/v1/tasks/${task.id}/plans`, rolloutPlan());
  const simulation = await ask(agent, `/v1/plans/${plan.id}/simulations`);
  const executed = await countedStatements(() =>
    api.installation.simulation.executeSimulation.execute(tenant.id, simulation.id as SimulationId),
  );
  const request = await ask(agent, `/v1/plans/${plan.id}/approval-requests`, { start: 'on_approval' });
  const again = await ask(agent, `/v1/plans/${plan.id}/approval-requests`, { start: 'on_approval' });
  const claimed = await ask(lead, `/v1/approval-requests/${request.id}/claim`);
  const review = await ask(lead, `/v1/approval-requests/${request.id}/reviews`, {
    verdict: 'approve',
    subject_digest: plan.digest,
  });
  if (review.state !== 'consumed') throw new Error(`The last review left the request ${String(review.state)}.`);
  const evidence = await ask(admin, `/v1/plans/${plan.id}/evidence`, {});
  const other = await ask(agent, '/v1/tasks', anotherTaskSpec());
  const { id: given } = await ask(agent, `/v1/tasks/${other.id}/plans`, rolloutPlan());
  const withdrawn = await ask(agent, `/v1/plans/${given}/withdraw`);
  return {
    'submit-plan': plan.counted,
    'start-simulation': simulation.counted,
    'execute-simulation': executed,
    'request-approval': request.counted,
    'same-question': again.counted,
    'claim-request': claimed.counted,
    'last-review': review.counted,
    'assemble-evidence': evidence.counted,
    'withdraw-plan': withdrawn.counted,
  };
}

interface Asked {
  readonly id: string;
  readonly digest?: string;
  readonly state?: string;
  readonly counted: CountedStatements;
}
