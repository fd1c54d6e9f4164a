import { readFileSync } from 'node:fs';
import { canonicalJson, type Json } from '#lib/canonical';
import type { BreakGlassInvokedView, IncidentDetailView, RunDetailView } from '#lib/api-schemas';
import type { PersonId } from '#lib/kernel';
import {
  expectStatus,
  cameInByHand,
  testApi,
  type Answer,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { localPagerDuty, type LocalPagerDuty } from '../support/local-pagerduty.js';
import { verifiedBy } from '../support/verified-by.js';
import { enrolTotp, startStepUp, steppedUp, type TestTotp } from '../support/second-factors.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { workerOf } from '../support/worker.js';

const WITHIN_MS = 60_000;
const ROUTING_KEY = '0123456789abcdef0123456789abcdef';
const JUSTIFICATION = 'The primary database is down and customers cannot pay';

/** A document under which only break-glass changes production. */
const autonomy = (emergency: string): string => `autonomy:
  mode: plan_only
  environments:
    production:
      mode: plan_only
      allowed_approvers: [SecurityReviewer]
${emergency}`;

const ON = `emergency_override:
  enabled: true
  allowed_roles: [SRELead]
  notifies: [security-team, platform-leads]
`;
/** The destinations of `notifies`, each with an address that takes mail. */
const DESTINATIONS = { 'security-team': ['security@example.com'], 'platform-leads': ['leads@example.com'] };
const OFF = ON.replace('enabled: true', 'enabled: false');

let api: TestApi;
let fleet: ToolServer;
let mail: LocalMail;
let pagerDuty: LocalPagerDuty;
let worker: Awaited<ReturnType<typeof workerOf>>;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let lead: TestPerson;
let http: HttpAs;
let totp: TestTotp;
let reviewer: HttpAs;
let firstTarget = 0;
let beforeCall: () => boolean | Promise<boolean> = () => true;

beforeAll(async () => {
  fleet = await toolServer({
    before: () => beforeCall(),
    result: () => ({ metrics: { error_rate: 0 } }),
  });
  mail = await localMail();
  pagerDuty = await localPagerDuty(ROUTING_KEY);
  const allowedPrivateHosts = [new URL(fleet.url).host, new URL(pagerDuty.url).host];
  api = await testApi({ config: { allowedPrivateHosts, mail: mail.config } });
  worker = await workerOf(api);
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
  const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
  expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
  expectStatus(await admin.put('/v1/incident-settings', { destinations: DESTINATIONS }), 200);
  lead = await api.person(tenant, 'SRELead');
  http = api.http(lead.token);
  totp = await enrolTotp(api, lead);
  reviewer = api.http((await api.person(tenant, 'SecurityReviewer')).token);
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
}, 120_000);

afterAll(async () => {
  await worker.stop();
  await api.close();
  await fleet.close();
  await pagerDuty.close();
  await mail.close();
});

beforeEach(async () => {
  beforeCall = () => true;
  await putAutonomy(ON);
});

async function putAutonomy(emergency: string): Promise<void> {
  const inForce = await admin.get('/v1/autonomy');
  const { etag } = inForce.headers;
  const headers: Record<string, string> = inForce.status === 200 && etag !== undefined ? { 'if-match': etag } : {};
  const answer = await admin.put('/v1/autonomy', autonomy(emergency), headers);
  if (answer.status >= 300) throw new Error(answer.text);
}

async function eventually<Body>(ask: () => Promise<Answer>, wanted: (body: Body) => boolean): Promise<Body> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status === 200 && wanted(answer.body as Body)) return answer.body as Body;
    if (performance.now() > deadline) throw new Error(`it did not come to that in time: ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Planned {
  readonly id: string;
  readonly digest: string;
}

/** An agent's plan that waits for an approval and gets none. */
async function planned(): Promise<Planned> {
  firstTarget += 25;
  const targets = Array.from({ length: 25 }, (_each, index) => `web-${String(firstTarget + index)}`);
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-2026-11', targets)), 201).body;
  return { id: plan.id as string, digest: plan.digest as string };
}

const operationOf = (plan: Planned, justification = JUSTIFICATION): Record<string, string> => ({
  kind: 'break_glass',
  plan_id: plan.id,
  plan_digest: plan.digest,
  justification,
});

const invoke = (as: HttpAs, plan: Planned, stepUpId: string | null, justification = JUSTIFICATION): Promise<Answer> =>
  as.post('/v1/break-glass', {
    plan_id: plan.id,
    plan_digest: plan.digest,
    justification,
    ...(stepUpId === null ? {} : { step_up_id: stepUpId }),
  });

const proofFor = (plan: Planned, justification = JUSTIFICATION): Promise<string> =>
  steppedUp(http, totp, operationOf(plan, justification));

const reasonsOf = ({ body }: Answer): unknown[] => ((body.reasons ?? []) as { code: string }[]).map(({ code }) => code);

/** Status, code, and the codes of the policy's reasons. */
const refusal = (answer: Answer): unknown[] => [answer.status, answer.body.code, reasonsOf(answer)];

async function broken(): Promise<{ readonly plan: Planned } & BreakGlassInvokedView> {
  const plan = await planned();
  const invoked = expectStatus(await invoke(http, plan, await proofFor(plan)), 201).body;
  return { plan, ...(invoked as unknown as BreakGlassInvokedView) };
}

const incidentOf = async (id: string): Promise<IncidentDetailView> =>
  expectStatus(await reviewer.get(`/v1/incidents/${id}`), 200).body as IncidentDetailView;

const ended = (run: string): Promise<RunDetailView> =>
  eventually<RunDetailView>(
    () => http.get(`/v1/runs/${run}`),
    (body) => body.finished_at !== null,
  );

const audited = async (
  plan: Planned,
  action: string,
): Promise<{ level: string; payload: Record<string, unknown> }[]> => {
  const { rows } = await api.db.owner.query<{ level: string; payload: string }>(
    `select entry.level, entry.payload from audit_entry entry
      where entry.within @> jsonb_build_array(jsonb_build_object('type', 'plan', 'id', $1::text))
         and entry.action = $2 order by entry.entry_number`,
    [plan.id, action],
  );
  return rows.map(({ level, payload }) => ({ level, payload: JSON.parse(payload) as Record<string, unknown> }));
};

const nothingRan = async (plan: Planned): Promise<void> => {
  expect(expectStatus(await http.get(`/v1/runs?plan_id=${plan.id}`), 200).body.items).toEqual([]);
  expect(expectStatus(await http.get(`/v1/incidents?plan_id=${plan.id}`), 200).body.items).toEqual([]);
};

describe('T16: break-glass that lacks a condition', () => {
  it('is refused without a second factor, and names the operation to prove one for', async () => {
    const plan = await planned();
    const answer = await invoke(http, plan, null);
    expect(refusal(answer)).toEqual([403, 'mfa.required', ['mfa.required']]);
    expect(answer.body.details.operation).toEqual(operationOf(plan));
    expect(refusal(await invoke(http, plan, (await startStepUp(http, operationOf(plan))).id))).toEqual([
      403,
      'mfa.required',
      ['mfa.required'],
    ]);
    await nothingRan(plan);
  });

  it('is refused with a proof that is stale', async () => {
    const plan = await planned();
    const proof = await proofFor(plan);
    await api.db.owner.query(
      "update step_up set proof_expires_at = proved_at + interval '1 millisecond' where id = $1",
      [proof],
    );
    expect(refusal(await invoke(http, plan, proof))).toEqual([403, 'mfa.proof_expired', ['mfa.required']]);
    await nothingRan(plan);
  });

  it('is refused with a proof for another operation, another plan, another justification, or of another person', async () => {
    const [plan, other] = [await planned(), await planned()];
    const review = { kind: 'review', request_id: plan.id, verdict: 'approve', subject_digest: plan.digest };
    const ben = await api.person(tenant, 'SRELead');
    const proofs = [
      await steppedUp(http, totp, review),
      await proofFor(other),
      await proofFor(plan, `${JUSTIFICATION}, or so`),
      await steppedUp(api.http(ben.token), await enrolTotp(api, ben), operationOf(plan)),
    ];
    for (const proof of proofs) {
      expect(refusal(await invoke(http, plan, proof))).toEqual([403, 'mfa.other_operation', ['mfa.required']]);
    }
    await nothingRan(plan);
  });

  it('is refused with a proof that was used', async () => {
    const plan = await planned();
    const proof = await proofFor(plan);
    await putAutonomy(OFF);
    expect((await invoke(http, plan, proof)).status).toBe(403);
    await putAutonomy(ON);
    expect(refusal(await invoke(http, plan, proof))).toEqual([409, 'mfa.proof_used', ['mfa.required']]);
    await nothingRan(plan);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '                              '],
    ['too little', 'it is down'],
    ['one character', 'x'.repeat(40)],
    ['one word said again', 'urgent urgent Urgent URGENT urgent urgent'],
    ['punctuation', '!!! ... --- ??? !!! ... --- ??? !!! ...'],
  ])('is refused if the justification is %s', async (_what, justification) => {
    const plan = await planned();
    const answer = await invoke(http, plan, await proofFor(plan, justification), justification);
    expect(refusal(answer)).toEqual([403, 'policy.denied', ['break_glass.justification']]);
    await nothingRan(plan);
  });

  it('shows its refusal before a second factor is spent, and records nothing of the question', async () => {
    const plan = await planned();
    const check = (justification: string): Promise<Answer> =>
      http.post('/v1/break-glass/availability', { plan_id: plan.id, justification });
    expect(expectStatus(await check('a'.repeat(40)), 200).body).toMatchObject({
      available: false,
      reasons: [{ code: 'break_glass.justification' }],
    });
    expect(expectStatus(await check(JUSTIFICATION), 200).body).toMatchObject({ available: true, reasons: [] });
    expect(await audited(plan, 'break_glass.refused')).toEqual([]);
    await nothingRan(plan);
  });

  it('is refused while it is disabled, with the reason, and that is on record as critical', async () => {
    const plan = await planned();
    await putAutonomy(OFF);
    const answer = await invoke(http, plan, await proofFor(plan));
    expect(refusal(answer)).toEqual([403, 'policy.denied', ['break_glass.disabled']]);
    expect(answer.body.detail).toContain('Break-glass is switched off');
    expect(expectStatus(await http.get(`/v1/break-glass/availability?plan_id=${plan.id}`), 200).body).toMatchObject({
      available: false,
      enabled: false,
      reasons: [{ code: 'break_glass.disabled' }],
    });
    expect(await audited(plan, 'break_glass.refused')).toMatchObject([
      { level: 'critical', payload: { code: 'policy.denied', reasons: [{ code: 'break_glass.disabled' }] } },
    ]);
    await nothingRan(plan);
  });

  it('is refused to a role that is not named, an admin among them, and to every agent', async () => {
    const plan = await planned();
    const adminsTotp = await enrolTotp(api, tenant.admin);
    const asAdmin = await invoke(admin, plan, await steppedUp(admin, adminsTotp, operationOf(plan)));
    expect(refusal(asAdmin)).toEqual([403, 'policy.denied', ['break_glass.role']]);
    expect((await invoke(agent, plan, null)).status).toBe(403);
    await nothingRan(plan);
  });

  it('is refused for a plan that was rejected, superseded or invalid, and for another than was seen', async () => {
    const plan = await planned();
    const wrong = { ...plan, digest: plan.digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')) };
    expect(refusal(await invoke(http, wrong, await proofFor(wrong)))).toEqual([409, 'break_glass.digest_mismatch', []]);
    expectStatus(await agent.post(`/v1/plans/${plan.id}/withdraw`, {}), 200);
    const answer = await invoke(http, plan, await proofFor(plan));
    expect(refusal(answer)).toEqual([403, 'policy.denied', ['break_glass.plan_status']]);
    await nothingRan(plan);
  });

  it('is refused under a halt', async () => {
    const plan = await planned();
    const halt = expectStatus(
      await http.post('/v1/halts', { kind: 'environment', environment: 'production', reason: 'Everything burns' }),
      201,
    ).body.id as string;
    expect(refusal(await invoke(http, plan, await proofFor(plan)))).toEqual([403, 'policy.denied', ['halt.active']]);
    expectStatus(await http.post(`/v1/halts/${halt}/lift`, { note: 'It was a drill' }), 200);
    await nothingRan(plan);
  });
});

describe('T16: break-glass that is allowed', () => {
  it('executes at once, opens an incident, alerts, and is reviewed only by another person', async () => {
    const secret = expectStatus(
      await admin.put('/v1/secrets/pagerduty', { value: ROUTING_KEY, binding: { purpose: 'incidents' } }),
      200,
    ).body;
    const reference = `pagerduty@${String(secret.version)}`;
    const settings = {
      destinations: DESTINATIONS,
      review_days: 5,
      pagerduty: { routing_key: { $secret: reference }, url: pagerDuty.url },
    };
    expectStatus(await admin.put('/v1/incident-settings', settings), 200);
    pagerDuty.throttle(1);

    const { plan, run_id: runId, incident_id: id } = await broken();
    const run = await ended(runId);
    expect(run).toMatchObject({ state: 'completed', scope: 'all', incident_id: id, approval_request_id: null });
    expect(run.outcome).toMatchObject({ affected_assets: 25, calls: { failed: 0, not_started: 0 } });
    expect(await audited(plan, 'break_glass.invoked')).toMatchObject([
      {
        level: 'critical',
        payload: { incident_id: id, justification: JUSTIFICATION, second_factor: { method: 'totp' } },
      },
    ]);

    const incident = await incidentOf(id);
    expect(incident).toMatchObject({
      state: 'open',
      justification: JUSTIFICATION,
      notifies: ['security-team', 'platform-leads'],
      invoked_by: { id: lead.id },
    });
    expect(Date.parse(incident.review_due_at) - Date.parse(incident.opened_at)).toBe(5 * 86_400_000);
    expect(incident.timeline.map(({ kind }) => kind)).toEqual(['opened', 'run', 'run']);
    expect(incident.timeline[0]?.data).toMatchObject({ reached_nowhere: [] });
    const { id: reviewerId } = expectStatus(await reviewer.get('/v1/me'), 200).body as { id: string };
    expect(incident.notified.find(({ id: each }) => each === reviewerId)).toMatchObject({ by: ['email'] });
    expect(incident.notified.map(({ id: each }) => each)).not.toContain(incident.invoked_by.id);
    expect(incident.timeline.at(-1)?.data).toMatchObject({ event: 'run.completed' });
    const { rows: told } = await api.db.owner.query<{ event: string }>(
      `select payload ->> 'event' as event from outbox_message
        where topic = 'incident.changed' and payload ->> 'incident_id' = $1 and cause_id is null order by id`,
      [id],
    );
    expect(told.map(({ event }) => event)).toEqual(['opened', 'run.completed']);
    await eventually<IncidentDetailView>(
      () => reviewer.get(`/v1/incidents/${id}`),
      ({ pages }) => pages[0]?.state === 'sent',
    );

    const act = (as: HttpAs, what: string, body: object): Promise<Answer> =>
      as.post(`/v1/incidents/${id}/${what}`, body);
    const postMortem = { post_mortem: 'The failover was overdue; it is automatic from now on.' };
    expect((await act(http, 'resolve', postMortem)).body.code).toBe('incident.wrong_state');
    expectStatus(await act(reviewer, 'acknowledge', {}), 200);
    expectStatus(await act(http, 'notes', { text: 'Customers can pay again.' }), 200);
    expectStatus(await act(http, 'resolve', postMortem), 200);
    expect((await incidentOf(id)).you_may_review).toBe(true);
    const own = await act(http, 'review', { comment: 'I was right.' });
    expect([own.status, own.body.code]).toEqual([403, 'incident.own_review']);
    const enrolledBy = (id: string): Promise<unknown> => cameInByHand(api, tenant.id, lead.id, id as PersonId);
    await enrolledBy(String(expectStatus(await reviewer.get('/v1/me'), 200).body.id));
    expect(await incidentOf(id)).toMatchObject({
      you_may_review: false,
      why_not_review: {
        code: 'incident.same_hand',
        action: expect.stringContaining('countersign bootstrap --person'),
      },
    });
    expect((await act(reviewer, 'review', { comment: 'As both.' })).body.code).toBe('incident.same_hand');
    await enrolledBy(lead.id);
    expectStatus(await act(reviewer, 'review', { comment: 'Agreed; the failover is automatic now.' }), 200);
    expect(await incidentOf(id)).toMatchObject({
      state: 'reviewed',
      overdue: false,
      post_mortem: postMortem.post_mortem,
    });

    await eventually<IncidentDetailView>(
      () => reviewer.get(`/v1/incidents/${id}`),
      ({ pages }) => pages.length === 3 && pages.every(({ state }) => state === 'sent'),
    );
    const sent = pagerDuty.taken.filter(({ dedup_key: key }) => key === id);
    expect(sent.map(({ event_action: action }) => action)).toEqual(['trigger', 'acknowledge', 'resolve']);
    expect(sent[0]?.payload).toMatchObject({ severity: 'critical', source: 'countersign:production' });
    expect(pagerDuty.refused()).toBe(1);
    expectStatus(await admin.put('/v1/incident-settings', { destinations: DESTINATIONS }), 200);
  }, 120_000);

  it('is evidence: a pack says so loudly, and does not verify without its incident', async () => {
    const { plan, run_id: runId, incident_id: id } = await broken();
    await ended(runId);
    const auditor = api.http(tenant.admin.token);
    const text = expectStatus(await auditor.post(`/v1/plans/${plan.id}/evidence`, {}), 200).text;
    const report = await verifiedBy(auditor, text);
    expect(report.failure).toBeNull();
    expect(report.warnings.at(-1)).toMatch(
      /^BREAK-GLASS: .* without an approval; .* 3 entries and was NOT REVIEWED\.$/,
    );
    const pack = JSON.parse(text) as { documents: { kind: string; id: string }[] };
    const without = { ...pack, documents: pack.documents.filter((document) => document.id !== id) };
    expect((await verifiedBy(auditor, canonicalJson(without as unknown as Json))).outcome).toBe('refused');
  }, 60_000);

  it('says so in the timeline if PagerDuty refuses an event', async () => {
    const { version } = expectStatus(await admin.put('/v1/secrets/pagerduty', { value: 'wrong' }), 200).body;
    const pagerduty = { routing_key: { $secret: `pagerduty@${String(version)}` }, url: pagerDuty.url };
    expectStatus(await admin.put('/v1/incident-settings', { destinations: DESTINATIONS, pagerduty }), 200);
    const { run_id: runId, incident_id: id } = await broken();
    await ended(runId);
    const failed = await eventually<IncidentDetailView>(
      () => reviewer.get(`/v1/incidents/${id}`),
      ({ timeline }) => timeline.some(({ kind }) => kind === 'page_failed'),
    );
    expect(failed.pages).toMatchObject([{ action: 'trigger', state: 'failed', attempts: 1 }]);
    expect(failed.timeline.find(({ kind }) => kind === 'page_failed')?.text).toContain('Invalid routing key');

    // Later events were sent or failed by themselves. After the fix all of them are sent again, in order.
    expectStatus(await reviewer.post(`/v1/incidents/${id}/acknowledge`, {}), 200);
    const given = await eventually<{ items: { id: string; incident_id: string; action: string }[] }>(
      () => admin.get('/v1/incident-pages'),
      ({ items }) => items.filter(({ incident_id: of }) => of === id).length === 2,
    );
    const page = given.items.find(({ action }) => action === 'trigger')?.id ?? '';
    const fixed = expectStatus(await admin.put('/v1/secrets/pagerduty', { value: ROUTING_KEY }), 200).body;
    const working = { routing_key: { $secret: `pagerduty@${String(fixed.version)}` }, url: pagerDuty.url };
    expectStatus(await admin.put('/v1/incident-settings', { destinations: DESTINATIONS, pagerduty: working }), 200);
    expect((await http.post(`/v1/incident-pages/${page}/retry`, {})).status).toBe(403);
    expect(expectStatus(await admin.post(`/v1/incident-pages/${page}/retry`, {}), 200).body).toMatchObject({
      state: 'pending',
      attempts: 0,
    });
    await eventually<IncidentDetailView>(
      () => reviewer.get(`/v1/incidents/${id}`),
      ({ pages }) => pages.length === 2 && pages.every(({ state }) => state === 'sent'),
    );
    const told = pagerDuty.taken.filter(({ dedup_key: key }) => key === id);
    expect(told.map(({ event_action: action }) => action)).toEqual(['trigger', 'acknowledge']);
    expect((await admin.post(`/v1/incident-pages/${page}/retry`, {})).body.code).toBe('incident_page.not_failed');
    expectStatus(await admin.put('/v1/incident-settings', { destinations: DESTINATIONS }), 200);
  }, 60_000);

  it('pauses at the next step once break-glass is switched off, and rolls back all the same', async () => {
    let calls = 0;
    beforeCall = async () => {
      calls += 1;
      if (calls === 1) await putAutonomy(OFF);
      return true;
    };
    const { run_id: runId, incident_id: id } = await broken();
    const paused = await eventually<RunDetailView>(
      () => http.get(`/v1/runs/${runId}`),
      ({ state }) => state === 'paused',
    );
    expect(paused.reason?.reasons?.map(({ code }) => code)).toEqual(['break_glass.disabled']);
    expectStatus(await http.post(`/v1/runs/${runId}/roll-back`, {}), 202);
    expect((await ended(runId)).state).toBe('rolled_back');
    expect((await incidentOf(id)).timeline.map(({ data }) => (data as { event?: string }).event)).toEqual([
      undefined,
      'run.started',
      'run.paused',
      'run.rolling_back',
      'run.rolled_back',
    ]);
  }, 60_000);

  it('tells of an overdue review again each day, to one destination more each time, until somebody acts', async () => {
    const wider = { ...DESTINATIONS, board: ['board@example.com'] };
    expectStatus(await admin.put('/v1/incident-settings', { destinations: wider }), 200);
    const { run_id: runId, incident_id: id } = await broken();
    await ended(runId);
    await api.db.owner.query(
      `update incident set opened_at = opened_at - interval '6 days', review_due_at = review_due_at - interval '6 days',
         escalate_at = escalate_at - interval '6 days' where id = $1`,
      [id],
    );
    const escalated = (times: number): Promise<IncidentDetailView> =>
      eventually<IncidentDetailView>(
        () => reviewer.get(`/v1/incidents/${id}`),
        ({ timeline }) => timeline.filter(({ kind }) => kind === 'overdue').length === times,
      );
    const overdue = await escalated(1);
    expect(overdue).toMatchObject({ state: 'open', overdue: true });
    expect(overdue.timeline.at(-1)?.data).toMatchObject({ notifies: ['security-team', 'platform-leads'] });
    expect(expectStatus(await reviewer.get('/v1/incidents?overdue=true'), 200).body.items).toMatchObject([{ id }]);

    const aDayLater = (): Promise<unknown> =>
      api.db.owner.query(`update incident set escalate_at = review_due_at where id = $1`, [id]);
    mail.forget();
    await aDayLater();
    const again = await escalated(2);
    expect(again.timeline.at(-1)?.data).toMatchObject({ notifies: ['security-team', 'platform-leads', 'board'] });
    const notifiedAddresses = (): string[] =>
      mail.mails.filter(({ text }) => text.includes('review is overdue')).map(({ to }) => to);
    // The addresses of all three destinations, and PlatformAdmins and SecurityReviewers as people.
    const everybody = ['security@example.com', 'leads@example.com', 'board@example.com', tenant.admin.email];
    await eventually<unknown>(
      () => reviewer.get(`/v1/incidents/${id}`),
      () => everybody.every((address) => notifiedAddresses().includes(address)),
    );

    expectStatus(await reviewer.post(`/v1/incidents/${id}/acknowledge`, {}), 200);
    const { rows } = await api.db.owner.query<{ later: boolean }>(
      `select escalate_at > clock_timestamp() + interval '23 hours' as later from incident where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ later: true }]);
    expectStatus(await admin.put('/v1/incident-settings', { destinations: DESTINATIONS }), 200);
  }, 60_000);
});

describe('T16: break-glass that would reach no person', () => {
  const unreachable = async (notifies: string): Promise<unknown> => {
    const { etag } = (await admin.get('/v1/autonomy')).headers;
    const document = autonomy(ON.replace('security-team, platform-leads', notifies));
    const { status, body } = await admin.put('/v1/autonomy', document, { 'if-match': etag ?? '' });
    return [
      status,
      (body.errors as { code: string; message: string; line: number }[] | undefined)?.map(({ code }) => code),
    ];
  };

  it('cannot be switched on for a destination without an address, or with one that takes no test message', async () => {
    await putAutonomy(OFF);
    expect(await unreachable('managers')).toEqual([422, ['autonomy.unreachable_destination']]);
    mail.refuse('managers@example.com');
    const settings = { destinations: { ...DESTINATIONS, managers: ['managers@example.com'] } };
    expectStatus(await admin.put('/v1/incident-settings', settings), 200);
    expect(await unreachable('managers')).toEqual([422, ['autonomy.unreachable_destination']]);

    mail.accept('managers@example.com');
    const { items } = expectStatus(await admin.post('/v1/incident-destinations/tests', {}), 201).body as {
      items: { name: string; reach: string }[];
    };
    expect(items.find(({ name }) => name === 'managers')?.reach).toBe('answers');
    expect(await unreachable('managers')).toEqual([200, undefined]);
    await putAutonomy(OFF);
  });

  it('cannot be switched on if it would notify its own user alone', async () => {
    const founded = await api.tenant();
    const alone = api.http(founded.admin.token);
    const document = (roles: string): string => autonomy(ON.replace('SRELead', roles)).replace(/\n *notifies: .*/, '');
    const put = async (roles: string): Promise<unknown[]> => {
      const { etag } = (await alone.get('/v1/autonomy')).headers;
      const { status, body } = await alone.put(
        '/v1/autonomy',
        document(roles),
        etag === undefined ? {} : { 'if-match': etag },
      );
      return [status, (body.errors as { code: string }[] | undefined)?.map(({ code }) => code)];
    };
    expect(await put('PlatformAdmin')).toEqual([422, ['autonomy.tells_nobody']]);
    // The admin hears of it if another role invokes break-glass.
    expect(await put('SRELead')).toEqual([200, undefined]);
    expect(await put('PlatformAdmin')).toEqual([422, ['autonomy.tells_nobody']]);
  });

  it('keeps the last address that answers while it is on, and works with one that died: admins are told', async () => {
    const gone = await admin.put('/v1/incident-settings', {
      destinations: { 'platform-leads': ['leads@example.com'] },
    });
    expect([gone.status, gone.body.code]).toEqual([409, 'incident.destination_needed']);

    mail.refuse('security@example.com');
    mail.forget();
    await api.db.owner.query(
      `update incident_destination_check set checked_at = checked_at - interval '2 days',
         answered_at = answered_at - interval '2 days' where address = 'security@example.com'`,
    );
    await eventually<{ items: { name: string; reach: string }[] }>(
      () => admin.get('/v1/incident-destinations'),
      ({ items }) => items.some(({ name, reach }) => name === 'security-team' && reach === 'silent'),
    );
    await eventually<unknown>(
      () => admin.get('/v1/incident-destinations'),
      () => mail.mails.some(({ to, text }) => to === tenant.admin.email && text.includes('no longer takes messages')),
    );
    const plan = await planned();
    const availability = expectStatus(await http.get(`/v1/break-glass/availability?plan_id=${plan.id}`), 200).body;
    expect(availability.notified).toMatchObject({
      destinations: [
        { name: 'security-team', reach: 'silent' },
        { name: 'platform-leads', reach: 'answers' },
      ],
      people: { count: 2, reached: 2 },
    });
    const invoked = expectStatus(await invoke(http, plan, await proofFor(plan)), 201)
      .body as unknown as BreakGlassInvokedView;
    await ended(invoked.run_id);
    mail.accept('security@example.com');
    expectStatus(await admin.post('/v1/incident-destinations/tests', {}), 201);
  }, 60_000);
});
