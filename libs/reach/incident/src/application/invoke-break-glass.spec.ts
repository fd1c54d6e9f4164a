import type { PersonStanding } from '#lib/approval';
import { newId, type PersonPrincipal, type PlanId } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { called, codeOf, fine, newHost, phase, step, valueOf } from '../../../../stages/run/src/fake-run-documents.js';
import { FakeBreakGlassWorld, JUSTIFICATION, LACKING, operationOf, SIGNED } from './fake-break-glass-world.js';

const DAY_MS = 86_400_000;

let world: FakeBreakGlassWorld;
let lead: PersonPrincipal;
let plan: Awaited<ReturnType<FakeBreakGlassWorld['planned']>>;
beforeEach(async () => {
  world = await FakeBreakGlassWorld.open();
  lead = world.person('SRELead');
  plan = await world.planned();
});

const tx: FakeBreakGlassWorld['stages']['tx'] = (work) => world.stages.tx(work);
const page = { limit: 9, after: null };
const runs = () => tx((open) => world.stages.runs.list(open, {}, page));

describe('break-glass that policy allows', () => {
  it('creates the run and opens its incident in one transaction', async () => {
    const before = world.stages.uow.committed;
    const { runId, incidentId } = valueOf(await world.invoke(lead, plan, world.prove(lead, plan)));
    expect(world.stages.uow.committed).toBe(before + 1);
    const [run] = await runs();
    expect(run).toMatchObject({ id: runId, state: 'queued', authority: { kind: 'break_glass', incidentId } });
    expect(world.stages.jobs.of(world.stages)).toContainEqual({ name: 'run.advance', id: runId });
    const { now } = world.stages.uow;
    expect(await tx((open) => world.incidents.lock(open, incidentId))).toMatchObject({
      state: 'open',
      planId: plan.planId,
      planDigest: plan.digest,
      environmentId: world.stages.home.production.id,
      decisionId: run?.decisionId,
      invokedBy: lead.personId,
      credentialId: lead.credentialId,
      justification: JUSTIFICATION,
      mfa: { method: 'totp', provedAt: now },
      notifies: ['security-team'],
      eventCount: 1,
      openedAt: now,
      reviewDueAt: now + 5 * DAY_MS,
      escalateAt: now + 5 * DAY_MS,
      escalations: 0,
    });
    expect(await tx((open) => world.incidents.events(open, incidentId))).toMatchObject([
      {
        seq: 1,
        kind: 'opened',
        actor: { kind: 'person', id: lead.personId },
        text: JUSTIFICATION,
        data: { run_id: runId, environment: 'production', notifies: ['security-team'] },
      },
    ]);
  });

  it('is on record as critical, with its decision, its incident as evidence, and a notice', async () => {
    const { runId, incidentId } = valueOf(await world.invoke(lead, plan, world.prove(lead, plan)));
    const [run] = await runs();
    const decisionId = run?.decisionId;
    expect(decisionId && (await tx((open) => world.stages.decisions.find(open, decisionId)))).toMatchObject({
      entrypoint: 'break_glass',
      decision: { outcome: 'allow' },
    });
    expect(world.audited('break_glass.')).toMatchObject([
      {
        action: 'break_glass.invoked',
        actor: { kind: 'person', id: lead.personId },
        level: 'critical',
        subject: { type: 'plan', id: plan.planId },
        within: [{ type: 'task' }, { type: 'plan', id: plan.planId }, { type: 'run', id: runId }],
        decisionId,
        evidence: [SIGNED],
        payload: {
          plan_digest: plan.digest,
          incident_id: incidentId,
          justification: JUSTIFICATION,
          second_factor: { method: 'totp', proved_at: world.stages.uow.now },
          voided_request: null,
        },
      },
    ]);
    const [opened] = world.audited('incident.');
    expect(opened).toMatchObject({ action: 'incident.opened', level: 'critical' });
    expect(opened?.evidence?.map(({ kind }) => kind)).toEqual(['incident-event', 'incident']);
    expect(world.stages.outbox.of(world.stages)).toEqual([
      { topic: 'incident.changed', payload: { incident_id: incidentId, event: 'opened' } },
    ]);
    expect(await tx((open) => world.pages.of(open, incidentId))).toEqual([]);
  });

  it("follows the tenant's settings: the time for a review, PagerDuty, and destinations without an address", async () => {
    const settings = {
      destinations: { 'security-team': ['C1'] },
      reviewDays: 2,
      pagerDuty: { secret: 'pagerduty@1', url: 'https://events.example/' },
    };
    await tx((open) => world.settings.save(open, settings, world.stages.home.admin.personId));
    world.override({ notifies: ['security-team', 'managers'] });
    const { incidentId } = valueOf(await world.invoke(lead, plan, world.prove(lead, plan)));
    const due = world.stages.uow.now + 2 * DAY_MS;
    const incident = await tx((open) => world.incidents.lock(open, incidentId));
    expect(incident).toMatchObject({ reviewDueAt: due, notifies: ['security-team', 'managers'] });
    const [opened] = await tx((open) => world.incidents.events(open, incidentId));
    expect(opened?.data).toMatchObject({ reached_nowhere: ['managers'] });
    expect(await tx((open) => world.pages.of(open, incidentId))).toMatchObject([{ action: 'trigger' }]);
  });

  it('T32: keeps no secret of the justification', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const justification = `${JUSTIFICATION}, so I use ${secret}`;
    const { incidentId } = valueOf(
      await world.invoke(lead, plan, world.prove(lead, plan, justification), justification),
    );
    const kept = await tx(async (open) => [
      await world.incidents.lock(open, incidentId),
      await world.incidents.events(open, incidentId),
      world.stages.audit.of(open),
    ]);
    expect(JSON.stringify(kept)).toContain('so I use');
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it.each(['open', 'approved'])('voids a request of the plan that is %s', async (state) => {
    const { approvals, agent, requests } = world.stages;
    const request = await approvals.ask(agent, plan.planId);
    if (state === 'approved') await approvals.approve(world.person('SecurityReviewer'), request);
    expect(await tx((open) => requests.find(open, request))).toMatchObject({ state });
    valueOf(await world.invoke(lead, plan, world.prove(lead, plan)));
    expect(await tx((open) => requests.find(open, request))).toMatchObject({ state: 'voided' });
    expect(world.audited('break_glass.')).toMatchObject([{ payload: { voided_request: request } }]);
  });

  it('uses its proof up: the same proof invokes nothing again', async () => {
    const proof = world.prove(lead, plan);
    valueOf(await world.invoke(lead, plan, proof));
    expect(codeOf(await world.invoke(lead, plan, proof))).toBe('mfa.proof_used');
    expect(await runs()).toHaveLength(1);
  });

  it('creates one run if two people invoke it at the same moment', async () => {
    const other = world.person('SRELead');
    const results = await Promise.all([lead, other].map((by) => world.invoke(by, plan, world.prove(by, plan))));
    expect(results.map(codeOf)).toEqual(['ok', 'run.already_live']);
    expect(await runs()).toHaveLength(1);
  });
});

describe('break-glass that is refused', () => {
  /** Expects the refusal on record, and nothing else: no run, no incident, no notice, and the request as it was. */
  const refusedWith = async (
    codes: string,
    invoked: Awaited<ReturnType<FakeBreakGlassWorld['invoke']>>,
    decided = true,
  ): Promise<void> => {
    if (invoked.ok) throw new Error('nothing was refused');
    const { code, reasons = [] } = invoked.error;
    expect([code, ...reasons.map((reason) => reason.code)].join(' ')).toBe(codes);
    expect(world.audited('break_glass.')).toMatchObject([
      {
        action: 'break_glass.refused',
        actor: { kind: 'person' },
        level: 'critical',
        subject: { type: 'plan', id: plan.planId },
        within: [{ type: 'task' }, { type: 'plan', id: plan.planId }],
        payload: { code, reasons: reasons.map((reason) => ({ code: reason.code })) },
      },
    ]);
    expect(world.audited('break_glass.')[0]?.decisionId === undefined).toBe(!decided);
    expect(world.audited('incident.')).toEqual([]);
    expect(await runs()).toEqual([]);
    expect(await tx((open) => world.incidents.ofPlan(open, plan.planId))).toEqual([]);
    expect(world.stages.outbox.of(world.stages).filter(({ topic }) => topic === 'incident.changed')).toEqual([]);
  };

  it('without a second factor, and names the operation to prove one for', async () => {
    const missing = await world.invoke(lead, plan);
    await refusedWith('mfa.required mfa.required', missing);
    expect(missing).toMatchObject({ error: { details: { operation: operationOf(plan) } } });
  });

  it('to a person who has no second factor', async () => {
    const unenrolled = world.stages.approvals.person(lead, 'SRELead');
    await refusedWith('mfa.not_enrolled mfa.required', await world.invoke(unenrolled, plan));
  });

  it.each<[string, (seen: typeof plan) => string | Promise<string>]>([
    ['of another person', (seen) => world.prove(world.person('SRELead'), seen)],
    ['for another plan', async () => world.prove(lead, await world.planned())],
    ['for another justification', (seen) => world.prove(lead, seen, `${JUSTIFICATION}, or so`)],
  ])('with a proof %s', async (_what, proof) => {
    await refusedWith('mfa.other_operation mfa.required', await world.invoke(lead, plan, await proof(plan)));
  });

  it('with every reason of policy, if more is missing than the proof', async () => {
    world.override({ enabled: false });
    await refusedWith('policy.denied break_glass.disabled mfa.required', await world.invoke(lead, plan));
  });

  it.each(LACKING)('if %s', async (_when, reason, change) => {
    const proof = world.prove(lead, plan);
    await change(world, lead);
    await refusedWith(`policy.denied ${reason}`, await world.invoke(lead, plan, proof));
  });

  it('to a person who lost the role after they signed in', async () => {
    const rows = world.stages.people.rows.of(lead);
    const standing = rows.get(lead.personId);
    if (standing === undefined) throw new Error('the person is gone');
    rows.set(lead.personId, { ...standing, roles: [] });
    expect(lead.roles).toMatchObject([{ role: 'SRELead' }]);
    await refusedWith('policy.denied break_glass.role', await world.invoke(lead, plan, world.prove(lead, plan)));
  });

  it('T06: to a person who lost the role while it waited for them', async () => {
    const { people } = world.stages;
    const standing = people.standing.bind(people);
    people.standing = async (tx, ...asked) => {
      const before = await standing(tx, ...asked);
      for (const [id, person] of people.rows.of(tx)) people.rows.of(tx).set(id, { ...person, roles: [] });
      return before;
    };
    await refusedWith('policy.denied break_glass.role', await world.invoke(lead, plan, world.prove(lead, plan)));
  });

  it('T17: executes nothing by a credential that was revoked while it waited', async () => {
    const { subjects, people } = world.stages;
    const hold = subjects.hold.bind(subjects);
    subjects.hold = (...held) => {
      people.endedCredentials.add(lead.credentialId);
      return hold(...held);
    };
    await refusedWith('credential.ended', await world.invoke(lead, plan, world.prove(lead, plan)), false);
  });

  it('to a credential without the scope', async () => {
    const reading: PersonPrincipal = { ...lead, scopes: ['read'] };
    await refusedWith('policy.denied review.scope', await world.invoke(reading, plan, world.prove(lead, plan)));
  });

  it('if the justification says nothing', async () => {
    const justification = 'urgent urgent Urgent URGENT urgent urgent';
    const invoked = await world.invoke(lead, plan, world.prove(lead, plan, justification), justification);
    await refusedWith('policy.denied break_glass.justification', invoked);
  });

  it('for another plan than the person saw, before anything is decided or proved', async () => {
    const seen = { ...plan, digest: plan.digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')) };
    const proof = world.prove(lead, plan);
    const invoked = await world.invoke(lead, seen, proof);
    await refusedWith('break_glass.digest_mismatch', invoked, false);
    expect(invoked).toMatchObject({ error: { details: { plan_digest: plan.digest } } });
    expect(codeOf(await world.invoke(lead, plan, proof))).toBe('ok');
  });

  it('if a record of the plan has changed since it was expanded', async () => {
    await world.stages.moveToolServer('http://127.0.0.1:2');
    await refusedWith('approval.plan_outdated', await world.invoke(lead, plan, world.prove(lead, plan)));
  });

  it('and leaves the request of the plan alone', async () => {
    const request = await world.stages.approvals.ask(world.stages.agent, plan.planId);
    await refusedWith('mfa.required mfa.required', await world.invoke(lead, plan));
    expect(await tx((open) => world.stages.requests.find(open, request))).toMatchObject({ state: 'open' });
  });

  it('T32: with no secret of the justification in the record', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    await refusedWith(
      'mfa.required mfa.required',
      await world.invoke(lead, plan, undefined, `${JUSTIFICATION} ${secret}`),
    );
    expect(JSON.stringify(world.audited(''))).not.toContain(secret);
  });

  it('for an unknown plan, and the plan of another tenant, without a record', async () => {
    const stranger = sampleTenant().owner;
    expect(codeOf(await world.invoke(lead, { ...plan, planId: newId<PlanId>() }))).toBe('resource.not_found');
    expect(codeOf(await world.invoke(stranger, plan))).toBe('resource.not_found');
    expect(world.audited('break_glass.')).toEqual([]);
  });
});

describe('T06: a person who broke the glass', () => {
  it.each<[string, Partial<PersonStanding>]>([
    ['loses the role', { roles: [] }],
    ['is disabled', { disabled: true }],
  ])('pauses the run at its next step if that person %s', async (_how, lost) => {
    const rows = world.stages.people.rows.of(lead);
    const standing = rows.get(lead.personId);
    if (standing === undefined) throw new Error('the person is gone');
    const two = await world.planned([step('a', { tool: 'release' }), step('b', { tool: 'release' })]);
    const { runId } = valueOf(await world.invoke(lead, two, world.prove(lead, two)));
    world.stages.behave(() => {
      rows.set(lead.personId, { ...standing, ...lost });
      return fine;
    });
    const paused = await world.stages.settle(runId);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(paused.reason?.reasons?.map(({ code }) => code)).toEqual(['break_glass.role_lost']);
    expect(called(world.stages)).toHaveLength(1);
  });
});

describe('break-glass while the task has a run', () => {
  it('is refused, and the run goes on', async () => {
    const { stages } = world;
    const document = { phases: [phase('one', [newHost()], [step('a')])] };
    stages.autonomy({ autonomy: { mode: 'full_auto' } });
    const run = await stages.queued(document);
    world.override();
    const proof = world.prove(lead, { planId: run.planId, digest: run.planDigest });
    const invoked = await world.invoke(lead, { planId: run.planId, digest: run.planDigest }, proof);
    expect(codeOf(invoked)).toBe('run.already_live');
    expect(await runs()).toEqual([run]);
  });
});
