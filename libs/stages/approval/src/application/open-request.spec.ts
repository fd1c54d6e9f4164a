import {
  digestOf,
  newId,
  type AgentPrincipal,
  type CredentialId,
  type PersonId,
  type PlanId,
  type Principal,
} from '#lib/kernel';
import { planKey } from '../domain/approval-request.js';
import { sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { PlanSubject } from '../domain/approval-subject.js';
import { MAX_REQUESTS } from '../domain/request-flood.js';
import { codeOf, FakeApprovalWorld, MINUTE, rules, valueOf } from './fake-approval-world.js';
import { simulationOf } from './fake-subject.js';
import { revised } from './fake-notified-request.js';
import { overviewOf } from './read-requests.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
});

const ask = (planId: PlanId, by: Parameters<typeof world.open.execute>[0] = world.tenant.agent) =>
  world.open.execute(by, planKey(planId), { start: 'manual' });

describe('asking for approval', () => {
  it('binds everything, excludes the owner, and carries the obligations of the moment', async () => {
    const planId = world.planned();
    const { request, created } = valueOf(await ask(planId));
    expect(created).toBe(true);
    expect(request).toMatchObject({
      state: 'open',
      subject: { type: 'plan', id: planId, phases: 'all' },
      headline: 'execute_rollout_prod on 10 targets, image web-2026-11, revision 1',
      risk: 'critical',
      targets: 10,
      decision: { outcome: 'require_approval', obligations: { approvals: [{ count: 2, roles: ['SRELead'] }] } },
      excluded: [{ personId: world.tenant.owner.personId, why: 'owner' }],
      bindingDigest: digestOf('binding', request.binding),
      openedAt: world.uow.now,
      expiresAt: world.uow.now + 60 * MINUTE,
    });
    expect(Object.keys(request.binding.tools)).toEqual(['execute_rollout_prod@1']);
    expect(Object.keys(request.binding.executors)).toEqual(['fleet']);
    expect(request.binding.subject).toMatchObject({ simulation: expect.stringMatching(/^sha256:/) as string });
    expect(await world.find(request.id)).toEqual(request);
    expect(world.audited).toMatchObject([
      { action: 'approval_request.opened', level: 'full_with_evidence', decisionId: request.decisionId },
    ]);
    expect(world.told).toMatchObject([{ payload: { request_id: request.id, event: 'opened' } }]);
  });

  it('hands its facts to the first delivery, as they are read for any other', async () => {
    const { request } = valueOf(await ask(world.planned()));
    const notifier: Principal = { kind: 'system', tenantId: world.tenant.tenantId, name: 'notifier' };
    expect(world.known).toEqual([valueOf(await world.telling.execute(notifier, request.id))]);
  });

  it('hands over nothing about a later revision, of which earlier ones have a history', async () => {
    valueOf(await ask(world.planned()));
    valueOf(await ask(await revised(world, await world.asked())));
    expect(world.told.at(-1)).toMatchObject({ payload: { event: 'opened' } });
    expect(world.known).toHaveLength(2);
  });

  it('answers with the same request if the same is asked again, and refuses another start (T09)', async () => {
    const planId = world.planned();
    const { request } = valueOf(await ask(planId));
    const reader = world.person('SRELead');
    valueOf(await world.review(reader, request));
    valueOf(await world.claiming.claim(world.person('SRELead'), request.id));
    const again = valueOf(await ask(planId));
    expect(again).toMatchObject({ created: false, subject: { plan: { id: planId } } });
    expect(overviewOf(reader, again)).toEqual(valueOf(await world.reading.overview(reader, request.id)));
    const told = world.audited.length;
    expect(codeOf(await world.open.execute(world.tenant.agent, planKey(planId), { start: 'on_approval' }))).toBe(
      'approval.already_open',
    );
    expect(world.audited).toHaveLength(told);
  });

  it('opens one more for a request that has expired or changed since, and records that', async () => {
    const [late, changed] = [world.planned(), world.planned()];
    const [first, second] = [valueOf(await ask(late)).request, valueOf(await ask(changed)).request];
    world.changeSubject(changed, ({ plan }) => ({ simulation: simulationOf(plan, world.uow.now, 'second') }));
    expect(valueOf(await ask(changed)).created).toBe(true);
    expect(await world.find(second.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.binding_changed', details: { changed: ['simulation'] } },
    });
    world.uow.now = first.expiresAt;
    expect(valueOf(await ask(late)).created).toBe(true);
    expect(await world.find(first.id)).toMatchObject({ state: 'expired' });
  });

  it.each<[string, (subject: PlanSubject) => Partial<PlanSubject>, string]>([
    [
      'a plan that is no more',
      ({ plan }) => ({ plan: { ...plan, state: 'superseded' } }),
      'approval.plan_not_validated',
    ],
    [
      'a task that is under way',
      ({ task }) => ({ task: { ...task, state: 'executing' } }),
      'approval.task_not_planned',
    ],
    ['a plan without a simulation', () => ({ simulation: null }), 'policy.denied simulation.required'],
    [
      'a simulation that is too old',
      ({ plan }) => ({ simulation: simulationOf(plan, world.uow.now - 25 * 60 * MINUTE) }),
      'policy.denied simulation.stale',
    ],
    [
      'an environment that changed',
      ({ environment }) => ({ environment: { ...environment, version: 2 } }),
      'approval.plan_outdated',
    ],
    ['a halt', () => ({ halts: [{ id: newId(), kind: 'tenant' }] }), 'policy.denied halt.active'],
  ])('is refused for %s', async (_what, change, code) => {
    expect(codeOf(await ask(world.planned({ change })))).toBe(code);
    expect(await world.inTx((tx) => world.requests.list(tx, {}, { limit: 1, after: null }))).toEqual([]);
  });

  it('records a refusal of policy, with its decision', async () => {
    const planId = world.planned({ change: () => ({ simulation: null }) });
    await ask(planId);
    expect(world.audited).toMatchObject([
      {
        action: 'approval_request.refused',
        subject: { type: 'plan', id: planId },
        decisionId: expect.any(String) as unknown,
        payload: { reasons: ['simulation.required'] },
      },
    ]);
  });

  it('T54: is refused for a tool that its MCP server defines otherwise than was accepted', async () => {
    world.redefined = { kind: 'conflict', code: 'mcp.definition_changed', message: 'm', action: 'a' };
    expect(codeOf(await ask(world.planned()))).toBe('mcp.definition_changed');
    expect(world.audited).toEqual([]);
  });

  it('is for a principal that may change the task', async () => {
    const planId = world.planned();
    const { tenant } = world;
    expect(codeOf(await ask(planId, sampleAgent(tenant.owner)))).toBe('task.not_yours');
    expect(codeOf(await ask(planId, world.person('SRELead')))).toBe('task.not_yours');
    expect(codeOf(await ask(planId, { kind: 'system', tenantId: tenant.tenantId, name: 'worker' }))).toBe(
      'task.submitter_required',
    );
    expect(codeOf(await ask(planId, tenant.owner))).toBe('ok');
    expect(codeOf(await ask(world.planned(), tenant.admin))).toBe('ok');
  });

  it('finds no plan of another tenant', async () => {
    const elsewhere = new FakeApprovalWorld();
    expect(codeOf(await ask(newId<PlanId>()))).toBe('resource.not_found');
    expect(codeOf(await ask(world.planned(), elsewhere.tenant.agent))).toBe('resource.not_found');
  });

  it('takes a time to start that an approval can still be good at', async () => {
    const planId = world.planned();
    const at = (minutes: number) => {
      const start_at = new Date(world.uow.now + minutes * MINUTE).toISOString();
      return world.open.execute(world.tenant.agent, planKey(planId), { start: 'at', start_at });
    };
    expect(codeOf(await at(0))).toBe('approval.start_at_past');
    expect(codeOf(await at(241))).toBe('approval.start_at_too_late');
    expect(valueOf(await at(240)).request.start).toEqual({ kind: 'at', at: world.uow.now + 240 * MINUTE });
    expect(valueOf(await at(240)).created).toBe(false);
    expect(codeOf(await at(239))).toBe('approval.already_open');
  });

  it('is not needed if policy asks for no approval', async () => {
    const planId = world.planned({ tool: 'query_assets' });
    expect(codeOf(await ask(planId))).toContain('approval.not_required');
    expect(world.audited).toMatchObject([{ action: 'approval_request.not_required' }]);
  });

  it('is no matter of a freeze, which holds back starts', async () => {
    const freeze = { name: 'weekend', time_zone: 'UTC', from: '2026-01-01T00:00', until: '2026-12-31T00:00' };
    world.autonomy(rules({}, { freezes: [freeze] }));
    expect(codeOf(await ask(world.planned()))).toBe('ok');
  });

  it('asks for the rest after a canary', async () => {
    const planId = world.planned({ change: () => ({ promotion: true }) });
    expect(valueOf(await ask(planId)).request.subject).toMatchObject({ phases: 'promotion' });
    // It is another question than the same plan before its canary.
    const spec = { agent: { model: 'same', version: '1' } };
    valueOf(await ask(world.planned({ task: { spec } })));
    const rest = world.planned({ task: { spec }, change: () => ({ promotion: true }) });
    expect(valueOf(await ask(rest)).created).toBe(true);
  });
});

describe('T03: a person who can never review it', () => {
  const excludedFrom = async (planId: PlanId, by?: Parameters<typeof ask>[1]) =>
    valueOf(await ask(planId, by)).request.excluded.map(({ personId, why }) => [personId, why]);

  it('is an author of the task or plan, or the person who asked', async () => {
    const [ada, ben] = [world.person(), world.person()];
    const submitter = ({ personId, credentialId }: typeof ada) =>
      ({ kind: 'person', id: personId, onBehalfOf: null, credentialId }) as const;
    const planId = world.planned({
      task: { by: ada },
      change: () => ({ otherRevisions: [submitter(ben)], answerable: new Map() }),
    });
    expect(await excludedFrom(planId, world.tenant.admin)).toEqual([
      [ada.personId, 'submitter'],
      [world.tenant.admin.personId, 'submitter'],
      [ben.personId, 'changed'],
    ]);
  });

  it('is the person the agent acts for, its owner, or a person who could speak through it', async () => {
    const { tenant } = world;
    const [ada, minter] = [world.person(), world.person()];
    const acting: AgentPrincipal = { ...tenant.agent, onBehalfOf: ada.personId };
    const planId = world.planned({
      task: { by: acting },
      change: () => ({ answerable: new Map([[acting.agentId, [tenant.owner.personId, minter.personId]]]) }),
    });
    expect(await excludedFrom(planId, acting)).toEqual([
      [ada.personId, 'on_behalf_of'],
      [tenant.owner.personId, 'owner'],
      [minter.personId, 'owner'],
    ]);
  });

  it('is the hand of one of these, until that one is known otherwise', async () => {
    const { owner } = world.tenant;
    const hand = newId<PersonId>();
    const token = { basis: 'token', by: hand, hand, issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const;
    world.changePerson(owner, () => ({ waysIn: [token] }));
    expect(await excludedFrom(world.planned())).toEqual([
      [owner.personId, 'owner'],
      [hand, 'same_hand'],
    ]);
    const issuer = { ...token, basis: 'issuer', hand: null, at: 2, since: 2, counts: true } as const;
    world.changePerson(owner, () => ({ waysIn: [token, issuer] }));
    expect(await excludedFrom(world.planned())).toEqual([[owner.personId, 'owner']]);
  });
});

describe('T09: an agent that floods approvers', () => {
  it('asks the same in several tasks and gets one request, until that is decided', async () => {
    const spec = { agent: { model: 'same', version: '1' } };
    const { request } = valueOf(await ask(world.planned({ task: { spec } })));
    valueOf(await world.review(world.person('SRELead'), request));
    const again = valueOf(await ask(world.planned({ task: { spec } })));
    expect(again).toMatchObject({ created: false, subject: { plan: { id: request.subject.id } } });
    const { owner } = world.tenant;
    expect(overviewOf(owner, again)).toEqual(valueOf(await world.reading.overview(owner, request.id)));
    // For people each task is a question of its own.
    expect(valueOf(await ask(world.planned({ task: { spec } }), world.tenant.owner)).created).toBe(true);
    valueOf(await world.review(world.person('SRELead'), request, 'reject'));
    expect(valueOf(await ask(world.planned({ task: { spec } }))).created).toBe(true);
  });

  it('is refused beyond the number that people can review in ten minutes, with the wait, recorded once', async () => {
    const first = world.planned();
    for (let asked = 0; asked < MAX_REQUESTS; asked += 1) {
      valueOf(await ask(asked === 0 ? first : world.planned()));
      world.uow.now += 1_000;
    }
    const [next, other] = [world.planned(), world.planned()];
    expect(await ask(next)).toMatchObject({ ok: false, error: { code: 'approval.flood', retryAfterSeconds: 540 } });
    expect(codeOf(await ask(other))).toBe('approval.flood');
    expect(world.audited.filter(({ action }) => action === 'approval_request.throttled')).toHaveLength(1);
    // The open request is still returned, and people still ask.
    expect(valueOf(await ask(first)).created).toBe(false);
    expect(codeOf(await ask(next, world.tenant.owner))).toBe('ok');
    world.uow.now += 540_000;
    expect(codeOf(await ask(other))).toBe('ok');
  });

  it('T55: is refused with a person’s tokens too, all of them together, and not in a browser', async () => {
    const { owner } = world.tenant;
    const laptop = { ...owner, credentialKind: 'person_token' } as const;
    for (let asked = 0; asked < MAX_REQUESTS; asked += 1) valueOf(await ask(world.planned(), laptop));
    const other = { ...laptop, credentialKind: 'issuer_token', credentialId: newId<CredentialId>() } as const;
    const next = world.planned();
    expect(codeOf(await ask(next, other))).toBe('approval.flood');
    expect(codeOf(await ask(world.planned()))).toBe('ok');
    expect(codeOf(await ask(next, { ...owner, credentialKind: 'browser_session' }))).toBe('ok');
  });
});

it('asks for the roles that the autonomy document names, as it is now', async () => {
  world.autonomy(
    rules({ quorum: [{ count: 3, roles: ['SecurityReviewer'] }], allowed_approvers: ['SecurityReviewer'] }),
  );
  const { request } = valueOf(await ask(world.planned()));
  expect(request.decision.obligations.approvals).toEqual([{ count: 3, roles: ['SecurityReviewer'] }]);
  world.autonomy(rules({ mode: 'plan_only' }));
  expect(codeOf(await ask(world.planned()))).toContain('policy.denied');
});
