import { CountersignError } from '#lib/sdk';
import { passedWaits } from '../../../../test/support/passed-waits.js';
import type { Stage } from '../stage.js';
import { keepAsking } from './standing-request.js';

passedWaits();

const denied = new CountersignError({
  type: 'urn:countersign:problem:policy.denied',
  title: 'The caller may not do this',
  status: 403,
  code: 'policy.denied',
  detail: 'Policy does not let this plan be simulated.',
} as never);

/** A stage on which simulating goes as told, one answer a time, and after the last of them well. */
function stageWhere(simulations: readonly (CountersignError | 'failed')[], over: AbortController) {
  const answers = [...simulations];
  const submitted: string[] = [];
  const asked: string[] = [];
  let statusOfRefused = 'validated';
  const routes: Readonly<Record<string, (id: string) => unknown>> = {
    'post /v1/tasks': () => ({ id: 'task' }),
    'post /v1/tasks/{id}/plans': () => {
      submitted.push(`plan-${String(submitted.length)}`);
      return { id: submitted.at(-1) };
    },
    'get /v1/plans/{id}': () => ({ status: statusOfRefused }),
    'post /v1/plans/{id}/simulations': () => {
      const answer = submitted.length === 1 ? undefined : answers.shift();
      if (answer instanceof CountersignError) throw answer;
      return { id: answer ?? 'succeeded' };
    },
    'get /v1/simulations/{id}': (id) => ({ state: id, result: {} }),
    'post /v1/plans/{id}/approval-requests': (id) => {
      asked.push(id);
      if (asked.length === 2) over.abort();
      return { id: `request of ${id}` };
    },
    'get /v1/approval-requests/{id}': () => ({ state: 'approved' }),
  };
  const call =
    (method: string) =>
    (path: string, { path: filled }: { readonly path?: { readonly id: string } }): Promise<unknown> => {
      const route = routes[`${method} ${path}`];
      if (route === undefined) throw new Error(`The demo asked for ${method} ${path}.`);
      return Promise.resolve(route(filled?.id ?? ''));
    };
  const client = { get: call('get'), post: call('post') };
  const narrator = { during: (_what: string, work: Promise<unknown>) => work };
  return {
    stage: { cast: { agent: { client } }, narrator } as unknown as Stage,
    submitted,
    asked,
    breakGlass: () => {
      statusOfRefused = 'executed';
    },
  };
}

describe('the request that always waits in the demo', () => {
  it('is asked for again with the same plan, however often policy or a simulation stands in its way', async () => {
    const over = new AbortController();
    const { stage, submitted, asked } = stageWhere([denied, 'failed', denied], over);
    await (
      await keepAsking(stage, over.signal)
    )();
    expect(submitted).toEqual(['plan-0', 'plan-1']);
    expect(asked).toEqual(['plan-0', 'plan-1']);
  });

  it('is the next one if somebody executed the plan meanwhile', async () => {
    const over = new AbortController();
    const { stage, asked, breakGlass } = stageWhere([denied], over);
    const goOn = await keepAsking(stage, over.signal);
    breakGlass();
    await goOn();
    expect(asked).toEqual(['plan-0', 'plan-2']);
  });
});
