import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as HttpClient } from 'undici';
import { packageRoot } from '#lib/database';
import { measurementOf, type Measurement } from './measurement.js';
import type { Answers, LoudTenant } from './loud-tenant.js';
import { spreadOf, timeOf, type Spread } from './percentile.js';
import { runInstallation, type RunInstallation } from './run-installation.js';

const ROUNDS = 5;
/** How many times as loud as the quiet tenant the other one is. */
const TIMES = 100;
const [QUIET, LOUD] = [0, 1];

/** More than a hundred, so that p99 is not the slowest of them. */
const REQUESTS = 104;
const REQUEST_EVERY_MS = 125;
/** So many agents that their own budgets would let the whole tenant's be spent. */
const LOUD_AGENTS = 20;
const PATH = '/v1/tool-calls';
const ASKED = JSON.stringify({
  tool: 'query_assets',
  environment: 'production',
  arguments: { role: 'web', drifted: true, limit: 50 },
});

const QUIET_RUNS = 10;
const QUIET_STEPS = 6;
/** Enough that no loud run ends before it is cancelled. */
const LOUD_STEPS = 200;

/**
 * `noisy-neighbour`: p99 of a quiet tenant beside one that is a hundred times as loud, over the same alone. Installations have
 * their default budgets. `/requests`: a decided tool call, of eight a second, beside eight hundred a second. The service takes as
 * many of these as it can. Alone, as many are sent to a server that answers at once. The sender and the service share the cores
 * of the machine. `/runs`: a step of a run, of one run at a time, beside a hundred runs. `/median` are the medians.
 */
export async function noisyNeighbour(): Promise<readonly Measurement[]> {
  const installation = await runInstallation(2, { budgets: 'default' });
  try {
    const loud = await Promise.all(Array.from({ length: LOUD_AGENTS }, () => installation.agent(LOUD)));
    return [...(await inRequests(installation, loud)), ...(await inRuns(installation, loud))];
  } finally {
    await installation.stop();
  }
}

async function measurements(
  name: string,
  alone: () => Promise<Spread>,
  beside: () => Promise<Spread>,
): Promise<readonly Measurement[]> {
  await alone();
  const [p99s, medians]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [quiet, disturbed] = [await alone(), await beside()];
    p99s.push(disturbed.p99 / quiet.p99);
    medians.push(disturbed.median / quiet.median);
  }
  return [measurementOf(`noisy-neighbour/${name}`, p99s), measurementOf(`noisy-neighbour/${name}/median`, medians)];
}

async function inRequests(
  { origin, agent }: RunInstallation,
  loud: readonly string[],
): Promise<readonly Measurement[]> {
  const token = await agent(QUIET);
  const client = new HttpClient(origin);
  const measured = async (): Promise<Spread> => {
    const times: number[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const began = performance.now();
      times.push(await timeOf(() => decided(client, token)));
      await delay(Math.max(0, REQUEST_EVERY_MS - (performance.now() - began)));
    }
    return spreadOf(times);
  };
  const told: Omit<LoudTenant, 'origin' | 'perSecond'> = {
    tokens: loud,
    path: PATH,
    body: ASKED,
    atOnce: TIMES,
  };
  let taken = 0;
  const beside = async (): Promise<Spread> => {
    const perSecond = (TIMES * 1_000) / REQUEST_EVERY_MS;
    const [spread, answers] = await besideRequests({ ...told, origin, perSecond }, measured);
    taken = answers.perSecond;
    return spread;
  };
  try {
    await beside();
    const alone = async (): Promise<Spread> =>
      (await besideRequests({ ...told, origin: null, perSecond: taken }, measured))[0];
    return await measurements('requests', alone, beside);
  } finally {
    await client.close();
  }
}

/** One tool call of the quiet tenant. @throws if it isn't allowed. */
async function decided(client: HttpClient, token: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const { statusCode, body } = await client.request({ method: 'POST', path: PATH, headers, body: ASKED });
  const answer = (await body.json()) as { readonly outcome?: string };
  if (statusCode >= 300 || answer.outcome !== 'allowed')
    throw new Error(`The answer is wrong: ${JSON.stringify(answer)}`);
}

async function besideRequests(told: LoudTenant, measured: () => Promise<Spread>): Promise<readonly [Spread, Answers]> {
  const loud = fork(join(packageRoot(), 'dist', 'test', 'bench', 'loud-tenant.js'));
  loud.send(told);
  await delay(1_000);
  const spread = await measured();
  const answered = once(loud, 'message') as Promise<[Answers]>;
  loud.send('end');
  const [answers] = await answered;
  const { 201: served = 0, 429: refused = 0, ...others } = answers.counts;
  if (served === 0 || Object.keys(others).length > 0) {
    throw new Error(`The loud tenant was answered ${JSON.stringify({ served, refused, ...others })}.`);
  }
  return [spread, answers];
}

async function inRuns(installation: RunInstallation, loud: readonly string[]): Promise<readonly Measurement[]> {
  const alone = (): Promise<Spread> => quietSteps(installation);
  return measurements('runs', alone, async () => {
    const tokens = Array.from({ length: TIMES }, (_, run) => loud[run % loud.length] ?? '');
    const runs: string[] = [];
    for (const token of tokens) runs.push(await installation.open(token, LOUD_STEPS));
    const spread = await alone();
    for (const [run, token] of tokens.entries()) await installation.cancel(token, runs[run] ?? '');
    return spread;
  });
}

/** Times between the calls of runs, one run after the other, the first call of each from its start. */
async function quietSteps({ plan }: RunInstallation): Promise<Spread> {
  const times: number[] = [];
  for (let run = 0; run < QUIET_RUNS; run += 1) {
    const start = await plan(QUIET, QUIET_STEPS);
    const began = performance.now();
    const { arrivals } = await start();
    times.push(...arrivals.map((at, call) => at - (arrivals[call - 1] ?? began)));
  }
  return spreadOf(times);
}
