import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { IncidentDetailView } from '#lib/api-schemas';
import { WAYS_TO_A_VOTE } from '#lib/identity';
import { expectStatus, type HttpAs, type TestPerson, type TestTenant } from '../support/api.js';
import { browserWorld, type BrowserWorld, describeInChromium, settled, STOP_WITHIN_MS } from '../support/browser.js';
import { registerIssuer } from '../support/issuer.js';
import { autonomyDocument } from '../support/equipped-tenant.js';
import { anotherTaskSpec, shortPlan } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';

let fleet: ToolServer;
let world: BrowserWorld;
let tenant: TestTenant;
let admin: HttpAs;
let agents = 0;

const predicted = {
  affected_assets: 5,
  estimated_duration_minutes: 1,
  predicted_risk: 'medium',
  health_check_points: [],
  details: null,
};

/** The notice on every page for a person who shares a vote. */
const WAYS = ['issuer', 'invitation that Countersign mail', 'vouch', 'countersign bootstrap --person'];

async function signedIn(name: string, path: string): Promise<Page> {
  const page = await world.pageOf(tenant, name, path);
  await settled(page);
  return page;
}

async function expectWays(page: Page): Promise<void> {
  const text = await page.getByText('countersign bootstrap --person').first().innerText();
  for (const way of WAYS) expect(text).toContain(way);
}

/** A request of an agent that this person answers for. */
async function asked(owner: TestPerson): Promise<string> {
  const name = `agent-${String((agents += 1))}`;
  const { id } = expectStatus(await admin.post('/v1/agents', { name, owner_id: owner.id }), 201).body as { id: string };
  // The admin who mints its token answers for it, too.
  const minted = await world.api
    .http(owner.token)
    .post(`/v1/agents/${id}/tokens`, { name, scopes: ['read', 'submit'] });
  const agent = world.api.http(expectStatus(minted, 201).body.token as string);
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const plan = expectStatus(
    await agent.post(`/v1/tasks/${task}/plans`, shortPlan('web-2026-31', ['web-01', 'web-02'])),
    201,
  ).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await until(async () => (await agent.get(`/v1/simulations/${simulation}`)).body.state === 'succeeded');
  return expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body.id as string;
}

describeInChromium('somebody who shares a vote', () => {
  beforeAll(async () => {
    fleet = await toolServer({ before: () => true, result: () => predicted });
    world = await browserWorld(
      [
        { sub: 'sam', name: 'Sam', groups: ['sre-leads'] },
        { sub: 'lea', name: 'Lea', groups: ['sre-leads'] },
        { sub: 'nina', name: 'Nina', groups: ['admins'] },
      ],
      { allowedPrivateHosts: [new URL(fleet.url).host] },
    );
    const { api } = world;
    await world.startWorker();
    // The issuer that one hand put in force alone: people that it lets in share the vote of that hand.
    tenant = await api.tenant();
    await registerIssuer(api, tenant, world.issuer);
    admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
    expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
    expectStatus(await admin.put('/v1/autonomy', autonomyDocument(true)), 200);
  }, 180_000);
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await world.close();
    await fleet.close();
  }, STOP_WITHIN_MS);

  it('reads the ways out on a request that they cannot review', async () => {
    const id = await asked(tenant.admin);
    const sam = await signedIn('Sam', `/requests/${id}`);
    await sam.getByText('You cannot approve this.').waitFor();
    await expectWays(sam);
    expect(await violationsAnywhere(sam)).toEqual([]);
  }, 90_000);

  it('reads them if somebody of the same hand has approved already', async () => {
    // A role counts for requests that open after its assignment, which the first sign-in makes.
    for (const name of ['Sam', 'Lea']) await signedIn(name, '/inbox');
    const id = await asked(await world.api.person(tenant));
    const sam = await signedIn('Sam', `/requests/${id}`);
    await sam.getByRole('button', { name: 'Approve…' }).waitFor();
    const lea = await signedIn('Lea', `/requests/${id}`);
    await sam.getByRole('button', { name: 'Approve…' }).click();
    await sam.getByRole('button', { name: 'Approve', exact: true }).click();
    await lea.getByText('You have one vote together with Sam, who approved.').waitFor();
    await expectWays(lea);
  }, 90_000);

  it('reads them on a change that they cannot confirm', async () => {
    // With a second admin, of another hand, the change waits.
    await world.api.person(tenant, 'PlatformAdmin');
    expectStatus(await admin.put('/v1/incident-settings', { destinations: { security: ['C012AB3CD'] } }), 200);
    const { id } = expectStatus(await admin.put('/v1/incident-settings', { destinations: {} }), 202).body as {
      id: string;
    };
    const nina = await signedIn('Nina', `/changes/${id}`);
    await nina.getByText('you have one vote together').waitFor();
    await expectWays(nina);
  }, 90_000);

  it('is not offered to vouch for somebody of the same hand, and reads why', async () => {
    await signedIn('Sam', '/');
    const nina = await signedIn('Nina', '/settings/people');
    const sams = nina.getByRole('listitem').filter({ hasText: 'Sam' });
    const vouch = sams.getByRole('button', { name: 'Vouch for them' });
    await sams.getByText('Ask an admin of another hand to vouch for them', { exact: false }).waitFor();
    expect(await vouch.isDisabled()).toBe(true);
    expect(await violationsOn(nina)).toEqual([]);
  }, 60_000);

  it('reads them on an incident that they cannot review', async () => {
    const lea = await signedIn('Lea', '/incidents');
    await lea.route('**/v1/incidents/*', (route) => route.fulfill({ json: RESOLVED }));
    await lea.goto(`${world.url}/incidents/${RESOLVED.id}`);
    await lea.getByRole('button', { name: /^Review/ }).waitFor();
    await settled(lea);
    const notified = lea.getByRole('list', { name: 'People who are always notified' }).getByRole('listitem');
    expect(await notified.allInnerTexts()).toEqual(['Noor inbox and banner', 'Rita inbox and banner, e-mail, Slack']);
    await expectWays(lea);
    expect(await violationsOn(lea)).toEqual([]);
  }, 90_000);
});

const ID = '019a0000-0000-7000-8000-000000000001';
const AT = '2026-11-22T10:00:00.000Z';

/** An incident as the server tells of it to a person of the invoker's hand. */
const RESOLVED: IncidentDetailView = {
  id: ID,
  state: 'resolved',
  task_id: ID,
  plan_id: ID,
  plan_digest: `sha256:${'a'.repeat(64)}`,
  headline: 'execute_failover on 1 server',
  plan_risk: 'critical',
  run_id: ID,
  run_state: 'completed',
  environment: { id: ID, name: 'production', production: true },
  decision_id: ID,
  invoked_by: { id: ID, display_name: 'Ada' },
  justification: 'Customers cannot pay.',
  second_factor: { method: 'totp', proved_at: AT },
  notifies: [],
  opened_at: AT,
  acknowledged_at: AT,
  acknowledged_by: { id: ID, display_name: 'Ada' },
  resolved_at: AT,
  resolved_by: { id: ID, display_name: 'Ada' },
  post_mortem: 'The failover is automatic now.',
  review_due_at: AT,
  overdue: false,
  reviewed_at: null,
  reviewed_by: null,
  review_comment: null,
  timeline: [],
  pages: [],
  notified: [
    { id: ID, display_name: 'Noor', by: [] },
    { id: ID.replace(/1$/, '2'), display_name: 'Rita', by: ['email', 'slack'] },
  ],
  you_may_review: false,
  why_not_review: {
    code: 'incident.same_hand',
    message: 'You and the person who invoked break-glass came in by one hand, so you have one vote together.',
    action: WAYS_TO_A_VOTE,
  },
};
