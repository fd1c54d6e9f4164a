import type { ApprovalRequestView, InboxView } from '#lib/api-schemas';
import type { SimulationId } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestPerson } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let world: PopulatedTenant;
let rita: TestPerson;
let sam: TestPerson;

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  world = await populatedTenant(api, toolServer.port);
  [rita, sam] = [await api.person(world.tenant, 'SecurityReviewer'), await api.person(world.tenant, 'SRELead')];
  const halt = world.ids.halt ?? '';
  expectStatus(await world.everything.post(`/v1/halts/${halt}/lift`, { note: 'over' }), 200);
}, 120_000);
afterAll(async () => {
  await toolServer.close();
  await api.close();
});

const inbox = async (as: HttpAs): Promise<InboxView> => expectStatus(await as.get('/v1/inbox'), 200).body as InboxView;
const inboxOf = (person: TestPerson): Promise<InboxView> => inbox(api.http(person.token));

async function asked(as: HttpAs): Promise<ApprovalRequestView> {
  const task = expectStatus(await as.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const plan = expectStatus(await as.post(`/v1/tasks/${task}/plans`, rolloutPlan()), 201).body.id as string;
  const simulation = expectStatus(await as.post(`/v1/plans/${plan}/simulations`), 202).body.id as SimulationId;
  await api.installation.simulation.executeSimulation.execute(world.tenant.id, simulation);
  return expectStatus(await as.post(`/v1/plans/${plan}/approval-requests`, { start: 'manual' }), 201)
    .body as ApprovalRequestView;
}

describe('the inbox', () => {
  it('holds an incident for a SecurityReviewer until its post-mortem is reviewed, and never for its invoker', async () => {
    const id = world.ids.incident ?? '';
    const dutyFor = async (as: HttpAs): Promise<unknown> =>
      (await inbox(as)).items.find((item) => item.kind === 'incident' && item.incident.id === id);
    const her = api.http(rita.token);
    expect(await dutyFor(her)).toMatchObject({ duty: 'acknowledge' });
    expectStatus(await her.post(`/v1/incidents/${id}/acknowledge`, {}), 200);
    // Its run goes on: no post-mortem is due.
    expect(await dutyFor(her)).toBeUndefined();
    await api.db.owner.query(
      `update incident set state = 'resolved', resolved_at = now(), resolved_by = acknowledged_by, post_mortem = 'over' where id = $1`,
      [id],
    );
    expect(await dutyFor(her)).toMatchObject({ duty: 'review' });
    expect(await dutyFor(world.everything)).toBeUndefined();
    expect(await dutyFor(api.http(sam.token))).toBeUndefined();
    await api.db.owner.query(
      `update incident set state = 'reviewed', reviewed_at = now(), reviewed_by = resolved_by, review_comment = 'fine' where id = $1`,
      [id],
    );
    expect(await dutyFor(her)).toBeUndefined();
  });

  it('holds a request for its possible reviewers, then its start for the requester', async () => {
    const owner = await api.person(world.tenant, 'DevOpsEngineer');
    const agent = await api.agent(world.tenant, owner);
    const request = await asked(api.http(agent.token));
    const before = await inboxOf(sam);
    expect(before).toMatchObject({ count: before.items.length, more: false });
    expect(before.items).toContainEqual(
      expect.objectContaining({ kind: 'request', request: expect.objectContaining({ id: request.id }) }),
    );
    expect((await inboxOf(owner)).items).toEqual([]);
    expectStatus(
      await api.http(sam.token).post(`/v1/approval-requests/${request.id}/reviews`, {
        verdict: 'approve',
        subject_digest: request.subject.digest,
      }),
      201,
    );
    expect((await inboxOf(sam)).items).toEqual([]);
    expect(await inboxOf(owner)).toMatchObject({ count: 1, items: [{ kind: 'start', request: { id: request.id } }] });
    expectStatus(await api.http(owner.token).post(`/v1/plans/${request.subject.id}/runs`), 201);
    expect((await inboxOf(owner)).items).toEqual([]);
  });

  it('holds a change for another admin, not for its requester', async () => {
    const kinds = async (as: HttpAs): Promise<string[]> => (await inbox(as)).items.map(({ kind }) => kind);
    expect(await kinds(world.everything)).toContain('change');
    expect(await kinds(api.http(world.tenant.admin.token))).not.toContain('change');
  });

  it('names the people that one stands in for, until the absence ends', async () => {
    const [away, delegate] = [await api.person(world.tenant, 'SRELead'), await api.person(world.tenant)];
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const absence = expectStatus(
      await api.http(away.token).post('/v1/absences', { delegate_id: delegate.id, until }),
      201,
    ).body;
    expect((await inboxOf(delegate)).standing_in).toMatchObject([{ person: { id: away.id }, until, in_force: true }]);
    expect((await inboxOf(away)).standing_in).toEqual([]);
    expectStatus(await api.http(away.token).delete(`/v1/absences/${absence.id as string}`), 204);
    expect((await inboxOf(delegate)).standing_in).toEqual([]);
  });

  it('is empty for an outsider of the tenant, and refuses agents', async () => {
    const stranger = await api.tenant();
    expect(await inboxOf(stranger.admin)).toMatchObject({ items: [], count: 0, standing_in: [] });
    const agent = await api.agent(world.tenant, rita);
    expect((await api.http(agent.token).get('/v1/inbox')).body.code).toBe('credential.person_required');
  });
});
