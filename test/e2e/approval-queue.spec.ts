import type {
  AbsenceView,
  ApprovalRequestView,
  ApprovalStatistics,
  AutonomyMatrix,
  QueuedRequestView,
} from '#lib/api-schemas';
import type { SimulationId } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { autonomyDocument, equippedTenant, predictingToolServer } from '../support/equipped-tenant.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let ada: TestPerson;
let ben: TestPerson;
let dan: TestPerson;

beforeAll(async () => {
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
  ({ tenant, admin } = await equippedTenant(api, fleet.port));
  ada = await api.person(tenant, 'SRELead');
  ben = await api.person(tenant, 'SRELead');
  dan = await api.person(tenant, 'DevOpsEngineer');
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
  expectStatus(await admin.put('/v1/autonomy', autonomyDocument(true)), 200);
}, 120_000);
afterAll(async () => {
  // First, since it listens: an API that never came up must not leave it behind to keep the process alive.
  await fleet.close();
  await api.close();
});

async function asked(timeout: number, start = 'manual'): Promise<ApprovalRequestView> {
  const spec = anotherTaskSpec({ timeout_minutes: timeout });
  const task = expectStatus(await agent.post('/v1/tasks', spec), 201).body.id as string;
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan()), 201).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as SimulationId;
  await api.installation.simulation.executeSimulation.execute(tenant.id, simulation);
  return expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, { start }), 201)
    .body as ApprovalRequestView;
}

const review = (by: TestPerson, request: ApprovalRequestView, verdict = 'approve') =>
  api.http(by.token).post(`/v1/approval-requests/${request.id}/reviews`, {
    verdict,
    subject_digest: request.subject.digest,
    ...(verdict === 'approve' ? {} : { comment: 'not now' }),
  });

describe('the queue over HTTP', () => {
  it('is read page by page, claimed, and shows its claim', async () => {
    const [later, sooner] = [await asked(90), await asked(30)];
    const http = api.http(ada.token);
    const first = expectStatus(await http.get('/v1/queue?limit=1'), 200).body as {
      items: QueuedRequestView[];
      next_cursor: string;
    };
    expect(first.items).toMatchObject([
      { id: sooner.id, risk: 'critical', claim: null, environment: { name: 'production', production: true } },
    ]);
    const second = expectStatus(await http.get(`/v1/queue?limit=1&cursor=${first.next_cursor}`), 200).body;
    expect(second.items).toMatchObject([{ id: later.id }]);
    expect((await http.get('/v1/queue?cursor=x')).status).toBe(422);

    const claimed = expectStatus(await http.post(`/v1/approval-requests/${sooner.id}/claim`), 200).body;
    expect(claimed.claim).toMatchObject({ person: { id: ada.id } });
    expect((await api.http(ben.token).post(`/v1/approval-requests/${sooner.id}/claim`)).body.code).toBe(
      'approval.claimed',
    );
    expectStatus(await review(ben, sooner, 'reject'), 201);
    expectStatus(await http.send('DELETE', `/v1/approval-requests/${later.id}/claim`), 204);
    expectStatus(await http.post(`/v1/approval-requests/${later.id}/seen`), 204);
    expectStatus(await review(ada, later), 201);
    const statistics = expectStatus(await http.get('/v1/approval-statistics?by=tool'), 200).body as ApprovalStatistics;
    expect(statistics.items.find(({ key }) => key === 'execute_rollout_prod')).toMatchObject({
      requests: 2,
      decided: 1,
      overridden: 1,
      override_rate: 1,
      rejected: 1,
      reject_rate: 1,
      approvals_after_first_look: 1,
    });
    // By person each counts with their own verdict; agents are not told.
    const people = expectStatus(await http.get('/v1/approval-statistics?by=person'), 200).body as ApprovalStatistics;
    expect(people.items.find(({ key }) => key === ben.id)).toMatchObject({
      decided: 1,
      rejected: 1,
      reject_rate: 1,
      approvals: 0,
    });
    expect(people.items.find(({ key }) => key === ada.id)).toMatchObject({
      decided: 1,
      overridden: 0,
      override_rate: 0,
      approvals: 1,
      approvals_after_first_look: 1,
    });
    const told = await agent.get('/v1/approval-statistics?by=person');
    expect([told.status, told.body.code]).toEqual([403, 'approval.person_only']);
  });

  it('knows the delegates of absent people', async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const begun = expectStatus(await api.http(ada.token).post('/v1/absences', { delegate_id: dan.id, until }), 201)
      .body as AbsenceView;
    expect(begun).toMatchObject({
      person: { id: ada.id },
      delegate: { id: dan.id },
      roles: ['SRELead'],
      in_force: true,
    });
    const request = await asked(60);
    expectStatus(await review(dan, request), 201);
    const { items } = expectStatus(await agent.get(`/v1/approval-requests/${request.id}/reviews`), 200).body as {
      items: unknown[];
    };
    expect(items).toMatchObject([{ person: { id: dan.id }, stands_in_for: { id: ada.id } }]);
    expectStatus(await api.http(ada.token).send('DELETE', `/v1/absences/${begun.id}`), 204);
    expect(expectStatus(await api.http(ben.token).get('/v1/absences'), 200).body.items).toMatchObject([
      { id: begun.id, in_force: false },
    ]);
  });
});

describe('a freeze over HTTP', () => {
  it('is refused if it is wrong, shown with its line, and holds a start back with its end', async () => {
    const { text: source, headers } = await admin.get('/v1/autonomy');
    const wall = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 16);
    const freeze = (zone: string): string =>
      `${source}\nfreezes:\n  - name: now\n    time_zone: ${zone}\n    from: ${wall(-3_600_000)}\n    until: ${wall(3_600_000)}\n`;
    const put = (zone: string) => admin.put('/v1/autonomy', freeze(zone), { 'if-match': headers.etag ?? '' });
    const line = source.split('\n').length;
    expect((await put('Europe/Berln')).body).toMatchObject({
      errors: [{ code: 'autonomy.unknown_time_zone', line: line + 3, suggestion: 'Europe/Berlin' }],
    });
    expectStatus(await put('UTC'), 200);
    const { freezes } = expectStatus(await agent.get('/v1/autonomy/matrix'), 200).body as AutonomyMatrix;
    expect(freezes).toMatchObject([{ name: 'now', active: true, source: { line: line + 2 } }]);

    const request = await asked(60, 'on_approval');
    expectStatus(await review(ada, request), 201);
    const approved = expectStatus(await review(ben, request), 201).body as ApprovalRequestView;
    expect([approved.state, approved.start_after]).toEqual(['approved', freezes[0]?.until]);
    const refused = await agent.post(`/v1/plans/${request.subject.id}/runs`);
    const end = freezes[0]?.until ?? '';
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, 'freeze.active', { until: end }]);
    expect(refused.body.reasons).toMatchObject([{ details: { until: end.replace('.000Z', 'Z') } }]);
  });
});
