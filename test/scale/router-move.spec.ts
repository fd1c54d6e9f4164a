import { setTimeout as delay } from 'node:timers/promises';
import { routingHintOf, type PlanDocument } from '#lib/formats';
import type { PersonId, TenantId } from '#lib/kernel';
import { grantVerifier } from '#lib/sdk';
import {
  expectStatus,
  operatorToken,
  type Answer,
  type HttpAs,
  type TestAgent,
  type TestTenant,
} from '../support/api.js';
import { autonomyDocument, equippedTenant } from '../support/equipped-tenant.js';
import { httpAt } from '../support/http-at.js';
import { acceptInvitation, browserSessionCookieOf } from '../support/passkey-accounts.js';
import { registerIssuer, type TestBrowser } from '../support/issuer.js';
import { publicSite, type PublicSite } from '../support/public-site.js';
import { rolloutToolServer, type RolloutToolServer } from '../support/rollout-tool-server.js';
import { runningRouter, type RunningRouter } from '../support/running-router.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';
import type { ReceivedCall } from '../support/tool-server.js';
import { twoCells } from '../support/two-cells.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';

const WITHIN_MS = 180_000;
const ROLLOUT_MS = 150;

/** Verifies each grant, and has it redeemed at the router's address. */
function grantsOf(issuer: string, tenants: () => readonly TenantId[]) {
  const verifierOf = (): ReturnType<typeof grantVerifier> =>
    grantVerifier({ issuer, audience: 'fleet', tenants: tenants(), environments: ['production'], replay: 'redeem' });
  let verify: ReturnType<typeof verifierOf> | null = null;
  return ({ grant, request }: ReceivedCall): Promise<unknown> => (verify ??= verifierOf())(grant, request);
}

/** One server, so that a change is one call. */
const planFor = (target: string): PlanDocument => {
  const plan = rolloutPlan(undefined, [target]);
  return { ...plan, phases: plan.phases.slice(0, 1) };
};

describe('a tenant that moves while it works, behind a running router', () => {
  let site: PublicSite;
  let address: string;
  let tools: RolloutToolServer;
  let cells: Awaited<ReturnType<typeof twoCells>>;
  let router: RunningRouter;
  let workers: Awaited<ReturnType<typeof workerOf>>[] = [];
  let tenant: TestTenant;
  let agent: TestAgent;
  let stays: TestTenant;
  let staysAgent: TestAgent;
  /** Signs in at the issuer, which one person set: she shares a vote with them. */
  let olga: TestBrowser;
  /** Has a passkey and a vote of her own. */
  let lea: TestBrowser;

  beforeAll(async () => {
    site = await publicSite();
    ({ address } = site);
    const verify = grantsOf(address, () => [tenant.id]);
    tools = await rolloutToolServer(ROLLOUT_MS, verify);
    const allowedPrivateHosts = [`127.0.0.1:${String(tools.port)}`, site.issuer.host];
    cells = await twoCells({ config: { publicUrl: address, trustedProxies: ['127.0.0.1'], allowedPrivateHosts } });
    for (const [name, { app }] of Object.entries({ eu1: cells.source, eu2: cells.target })) {
      await app.listen(0, '127.0.0.1');
      await cells.map.putCell(name, await app.getUrl());
    }
    router = await runningRouter(cells.map, { port: site.port });
    const equipped = await equippedTenant(cells.source, tools.port);
    ({ tenant } = equipped);
    expectStatus(await equipped.admin.put('/v1/autonomy', autonomyDocument(false)), 200);
    await registerIssuer(cells.source, tenant, site.issuer);
    agent = await cells.source.agent(tenant, tenant.admin);
    stays = await cells.source.tenant('stays');
    staysAgent = await cells.source.agent(stays, stays.admin);
    workers = await Promise.all([workerOf(cells.source), workerOf(cells.target)]);
    olga = site.browser();
    expectStatus(await olga.signIn(site.issuer, tenant, 'olga'), 303);
    lea = await invited(equipped.admin);
  }, WITHIN_MS);
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await router.close();
    await cells.close();
    await tools.close();
    await site.issuer.close();
  });

  /** An SRELead who has come in by an invitation of the operator's, through the router. */
  const invited = async (admin: HttpAs): Promise<TestBrowser> => {
    const added = await admin.post('/v1/people', { email: 'lea@example.com', display_name: 'Lea' });
    const { id } = expectStatus(added, 201).body as { id: PersonId };
    expectStatus(await admin.post(`/v1/people/${id}/roles`, { role: 'SRELead' }), 201);
    const token = await operatorToken(cells.source, tenant.id, id);
    const relyingParty = { origin: address.replace('127.0.0.1', 'localhost'), rpId: 'localhost' };
    const { answer } = await acceptInvitation(site.through, token, { site: relyingParty });
    const [name = '', value = ''] = browserSessionCookieOf(expectStatus(answer, 201)).split('=');
    const hers = site.browser();
    hers.cookies.set(name, value);
    await hers.current();
    return hers;
  };
  const as = ({ token }: { readonly token: string }): HttpAs => httpAt(address, token);
  /** The refusals that clients were told to try again after, by code. */
  const refusals = new Map<string, number>();
  /** Asks again while the tenant moves. Any other refusal is an error. */
  const persistently = async (ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await ask();
      if (answer.status < 300) return answer;
      const { code } = answer.body as { code: string };
      if (answer.status !== 503 || !['tenant.moving', 'tenant.moved'].includes(code))
        throw new Error(`${String(answer.status)} ${answer.text}`);
      expect(answer.headers['retry-after']).toBe('5');
      refusals.set(code, (refusals.get(code) ?? 0) + 1);
      // Sooner than told, to see more of the move.
      await delay(50);
    }
  };
  const made = async (by: HttpAs, path: string, body?: unknown): Promise<string> =>
    ((await persistently(() => by.post(path, body))).body as { id: string }).id;
  const shown = async (by: Pick<HttpAs, 'get'>, path: string): Promise<Record<string, unknown>> =>
    (await persistently(() => by.get(path))).body as Record<string, unknown>;

  /** The acknowledged things, by the path that shows one. */
  const acknowledged = new Map<string, string[]>();
  const acknowledge = (path: string, id: string): string => {
    acknowledged.set(path, [...(acknowledged.get(path) ?? []), id]);
    return id;
  };

  /** A task from its beginning to the end of its run. The agent submits, Lea approves in her browser, and workers execute. */
  const change = async (number: number): Promise<void> => {
    const by = as(agent);
    const task = acknowledge('/v1/tasks', await made(by, '/v1/tasks', anotherTaskSpec()));
    const plan = acknowledge('/v1/plans', await made(by, `/v1/tasks/${task}/plans`, planFor(`web-${String(number)}`)));
    const simulation = await made(by, `/v1/plans/${plan}/simulations`);
    await until(async () => (await shown(by, `/v1/simulations/${simulation}`)).state === 'succeeded');
    const request = await made(by, `/v1/plans/${plan}/approval-requests`, { start: 'on_approval' });
    const { subject } = (await shown(lea, `/v1/approval-requests/${request}`)) as { subject: { digest: string } };
    const review = { verdict: 'approve', subject_digest: subject.digest };
    await persistently(() => lea.post(`/v1/approval-requests/${request}/reviews`, review));
    const run = await until(async () => {
      const { items } = (await shown(by, `/v1/runs?plan_id=${plan}`)) as { items: { id: string; state: string }[] };
      return items.find(({ state }) => !['queued', 'executing'].includes(state)) ?? null;
    });
    expect(run.state).toBe('completed');
    acknowledge('/v1/runs', run.id);
  };

  /** Work again and again until it is told to stop. */
  const working = (work: (number: number) => Promise<void>) => {
    let [over, times] = [false, 0];
    const ended = (async () => {
      while (!over) {
        await work(times);
        times += 1;
      }
    })();
    // A failure is told by `stop`, or by the next wait.
    let failed: unknown = null;
    ended.catch((error: unknown) => (failed = error));
    return {
      more: async (count: number): Promise<void> => {
        const wanted = times + count;
        await until(() => failed !== null || times >= wanted);
      },
      stop: async (): Promise<void> => {
        over = true;
        await ended;
      },
    };
  };

  /** Follows events. @returns whether the stream has ended. */
  const followed = async (token: string): Promise<{ ended(): boolean; close(): void }> => {
    const gone = new AbortController();
    const response = await fetch(`${address}/v1/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: gone.signal,
    });
    expect(response.status).toBe(200);
    let over = false;
    void response.text().then(
      () => (over = true),
      () => (over = true),
    );
    return {
      ended: () => over,
      close: () => {
        gone.abort();
      },
    };
  };

  it(
    'loses nothing and does nothing twice, and its neighbour notices nothing',
    async () => {
      const streams = { moves: await followed(tenant.admin.token), stays: await followed(stays.admin.token) };
      const changes = working(change);
      const neighbour: string[] = [];
      const beside = working(async () => {
        neighbour.push(
          (expectStatus(await as(staysAgent).post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string }).id,
        );
        await delay(20);
      });
      await changes.more(2);
      // A change that waits for its run only reads: this one writes whenever the tenant is frozen.
      const submits = working(async () => {
        acknowledge('/v1/tasks', await made(as(agent), '/v1/tasks', anotherTaskSpec()));
        await delay(200);
      });
      expect(await cells.move(tenant.slug)).toMatchObject({ ok: true, value: { state: 'done' } });
      await submits.stop();
      await changes.more(2);
      await Promise.all([changes.stop(), beside.stop()]);

      expect([...refusals.keys()]).toContain('tenant.moving');
      expect([streams.moves.ended(), streams.stays.ended()]).toEqual([true, false]);
      streams.stays.close();
      expect(acknowledged.get('/v1/runs')?.length).toBeGreaterThan(4);
      for (const [path, ids] of acknowledged) {
        for (const id of ids) expectStatus(await as(agent).get(`${path}/${id}`), 200);
        const table = path.replace(/^\/v1\/(.*)s$/, '$1');
        const count = `select count(*)::integer as all from ${table} where tenant_id = $1`;
        expect([path, (await cells.target.db.owner.query(count, [tenant.id])).rows]).toEqual([
          path,
          [{ all: ids.length }],
        ]);
      }
      expect([...tools.executed.values()]).toEqual((acknowledged.get('/v1/runs') ?? []).map(() => 1));
      const { rows } = await cells.source.db.owner.query(
        'select count(*)::integer as all from task where tenant_id = $1',
        [stays.id],
      );
      expect(rows).toEqual([{ all: neighbour.length }]);
    },
    WITHIN_MS,
  );

  it('keeps its tokens, cookies and sign-in, and its new tokens lead to its cell', async () => {
    expect(expectStatus(await as(tenant.admin).get('/v1/me'), 200).body).toMatchObject({ tenant_id: tenant.id });
    for (const hers of [olga, lea])
      expect((await hers.current()).body).toMatchObject({ signed_in: true, tenant: { slug: tenant.slug } });
    const again = site.browser();
    expectStatus(await again.signIn(site.issuer, tenant, 'olga'), 303);
    expect((await again.current()).body.person).toEqual((await olga.current()).body.person);

    const minted = await as(tenant.admin).post(`/v1/agents/${agent.id}/tokens`, { name: 'new', scopes: ['read'] });
    const { token } = expectStatus(minted, 201).body as { token: string };
    expect(token).toContain(routingHintOf(tenant.id));
    expectStatus(await as({ token }).get('/v1/me'), 200);
    expect(await cells.source.http(token).get('/v1/me')).toMatchObject({ status: 401 });
    expect(await cells.source.http(agent.token).get('/v1/tasks')).toMatchObject({
      status: 503,
      body: { code: 'tenant.moved' },
    });
    const stream = await followed(token);
    expect(stream.ended()).toBe(false);
    stream.close();
  });
});
