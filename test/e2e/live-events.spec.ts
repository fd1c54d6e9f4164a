import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { openDatabase, type Database } from '#lib/database';
import { compose, ENTITIES } from '#lib/installation';
import type { SimulationId } from '#lib/kernel';
import { createApi } from '../../apps/api/src/create-api.js';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { autonomyDocument, equippedTenant, predictingToolServer } from '../support/equipped-tenant.js';
import { rolloutPlan, anotherTaskSpec } from '../support/stages.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let tenant: TestTenant;
/** Another process's API, as far as the database can tell. */
let replica: NestFastifyApplication;
let replicaDatabase: Database;
let replicaUrl: string;

const ignore = (): void => undefined;

beforeAll(async () => {
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
  ({ tenant } = await equippedTenant(api, fleet.port));
  replicaDatabase = await openDatabase(
    { kind: 'external', url: api.db.url },
    { applicationName: 'countersign-test-replica', entities: ENTITIES, poolSize: 5, onError: ignore },
  );
  const installation = await compose(api.config, replicaDatabase);
  replica = await createApi(api.config, { installation, database: replicaDatabase });
  await replica.listen(0, '127.0.0.1');
  replicaUrl = `http://127.0.0.1:${String((replica.getHttpServer().address() as AddressInfo).port)}`;
}, 120_000);
afterAll(async () => {
  await replica.close();
  await replicaDatabase.close();
  await api.close();
  await fleet.close();
});

/** A stream of the replica, and its events in order. */
async function follow(token: string) {
  const gone = new AbortController();
  const response = await fetch(`${replicaUrl}/v1/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal: gone.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let unread = '';
  const next = async (): Promise<{ event: string; data: unknown }> => {
    for (;;) {
      const found = /event: (\w+)\ndata: (.*)\n\n/.exec(unread);
      if (found !== null) {
        unread = unread.slice(found.index + found[0].length);
        return { event: found[1] ?? '', data: JSON.parse(found[2] ?? '') };
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('the stream ended');
      unread += new TextDecoder().decode(value);
    }
  };
  /** The first event that is of this type and, if one is named, of this event. */
  const until = async (type: string, event?: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { data } = (await next()) as { data: Record<string, unknown> };
      if (data.type === type && (event === undefined || data.event === event)) return data;
    }
  };
  return {
    response,
    next,
    until,
    close: () => {
      gone.abort();
    },
  };
}

describe('GET /v1/events', () => {
  it('tells of changes through another replica: a task, its plan, a halt and its end', async () => {
    const stream = await follow(tenant.admin.token);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    const owner = await api.person(tenant, 'SRELead');
    const agent = api.http((await api.agent(tenant, owner)).token);
    const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string };
    expect(await stream.until('task')).toEqual({ type: 'task', id: task.id, event: 'created' });
    const plan = expectStatus(await agent.post(`/v1/tasks/${task.id}/plans`, rolloutPlan()), 201).body as {
      id: string;
    };
    expect(await stream.until('plan', 'validated')).toEqual({ type: 'plan', id: plan.id, event: 'validated' });
    const halt = expectStatus(
      await api.http(owner.token).post('/v1/halts', { kind: 'tenant', reason: 'to see it told' }),
      201,
    ).body as { id: string };
    expect(await stream.until('halt')).toMatchObject({ id: halt.id });
    expectStatus(await api.http(tenant.admin.token).post(`/v1/halts/${halt.id}/lift`, { note: 'seen' }), 200);
    expect(await stream.until('halt')).toMatchObject({ id: halt.id });
    stream.close();
  });

  it('tells of a review through another replica', async () => {
    expectStatus(await api.http(tenant.admin.token).put('/v1/autonomy', autonomyDocument(true)), 200);
    const lead = await api.person(tenant, 'SRELead');
    const agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
    const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
    const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan()), 201).body.id as string;
    const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as SimulationId;
    await api.installation.simulation.executeSimulation.execute(tenant.id, simulation);
    const asked = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, { start: 'manual' }), 201);
    const { id, subject } = asked.body as { id: string; subject: { digest: string } };
    const stream = await follow(tenant.admin.token);
    const review = { verdict: 'approve', subject_digest: subject.digest };
    expectStatus(await api.http(lead.token).post(`/v1/approval-requests/${id}/reviews`, review), 201);
    // The replica may hear of the request itself only now.
    const told = await stream.until('approval_request', 'approve');
    expect(told).toEqual({ type: 'approval_request', id, event: 'approve' });
    stream.close();
  });

  it('tells of a session of an agent: its opening, another level, and its end', async () => {
    const agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
    const stream = await follow(tenant.admin.token);
    const { id } = expectStatus(await agent.post('/v1/sessions', { environment: 'staging' }), 201).body as {
      id: string;
    };
    expect(await stream.until('session')).toEqual({ type: 'session', id, event: 'open' });
    expect(await stream.until('session')).toEqual({ type: 'session', id, event: 'recorded' });
    expectStatus(await agent.patch(`/v1/sessions/${id}`, { level: 'MANUAL' }), 200);
    expect(await stream.until('session', 'autonomy_changed')).toEqual({
      type: 'session',
      id,
      event: 'autonomy_changed',
    });
    expectStatus(await agent.post(`/v1/sessions/${id}/end`, {}), 200);
    expect(await stream.until('session', 'ended')).toEqual({ type: 'session', id, event: 'ended' });
    stream.close();
  });

  it('tells nothing of another tenant', async () => {
    const other = await api.tenant();
    const stream = await follow(other.admin.token);
    const mine = await follow(tenant.admin.token);
    const haltAs = (token: string) => api.http(token).post('/v1/halts', { kind: 'tenant', reason: 'whose is it' });
    const foreign = expectStatus(await haltAs(tenant.admin.token), 201).body as { id: string };
    // Notifications keep their order: had the foreign one been passed on, it would come first.
    expect(await mine.until('halt')).toMatchObject({ id: foreign.id });
    const own = expectStatus(await haltAs(other.admin.token), 201).body as { id: string };
    expect((await stream.next()).data).toMatchObject({ type: 'halt', id: own.id });
    stream.close();
    mine.close();
  });

  it('T17: ends a stream after its token was revoked', async () => {
    // A stream looks again every 10 s whether its caller would be let in.
    const every = setInterval;
    const sooner = jest
      .spyOn(globalThis, 'setInterval')
      .mockImplementation((look: () => void, ms) => every(look, ms === 10_000 ? 50 : ms));
    const reader = await api.person(tenant, 'SecurityReviewer');
    const stream = await follow(reader.token);
    const tokens = expectStatus(await api.http(reader.token).get('/v1/tokens'), 200).body as {
      items: { id: string }[];
    };
    const [token] = tokens.items;
    expectStatus(await api.http(tenant.admin.token).delete(`/v1/tokens/${token?.id ?? ''}`), 204);
    await expect(stream.next()).rejects.toThrow('the stream ended');
    sooner.mockRestore();
  });

  it('asks for a credential, and to be asked for a stream', async () => {
    expect(expectStatus(await api.http().get('/v1/events'), 401).body.code).toBe('credential.missing');
    expect(expectStatus(await api.http(tenant.admin.token).get('/v1/events'), 422).body.code).toBe(
      'events.stream_only',
    );
  });
});
