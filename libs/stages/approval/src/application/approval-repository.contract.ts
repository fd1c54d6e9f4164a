import { digestOf, newId, type ApprovalRequestId, type PersonId, type Tx } from '#lib/kernel';
import type { UndecidedRequest, Start } from '../domain/approval-request.js';
import type { QueueKey, RequestFilter } from './approval.ports.js';
import {
  after,
  asked,
  askedAboutCall,
  because,
  happened,
  inTx,
  MINUTE,
  openRequest,
  refusalOf,
  reviewOf,
  type ApprovalStore,
  type Holder,
  type OpenStore,
  type PlanWish,
} from './approval-store.contract.js';

const idsOf = (requests: readonly { readonly id: string }[]): string[] => requests.map(({ id }) => id);

/** The contract of {@link ApprovalRepository}. */
export function describeApprovalRepository(name: string, open: OpenStore): void {
  let store: ApprovalStore;
  beforeEach(async () => {
    store = await open();
  });
  const inStore = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTx(store, work);
  const find = (id: ApprovalRequestId) => inStore((tx) => store.requests.find(tx, id));
  const review = async (request: UndecidedRequest, by: Holder<PersonId>, more: Parameters<typeof reviewOf>[2] = {}) => {
    const given = reviewOf(request, by, more);
    await inStore((tx) => store.requests.insertReview(tx, request.id, given, null));
    return given;
  };

  describe(`${name}: requests`, () => {
    it.each<[string, (now: number) => Partial<UndecidedRequest>, PlanWish]>([
      ['by hand', () => ({}), {}],
      [
        'at a time',
        (now) => ({ start: { kind: 'at', at: now + MINUTE } satisfies Start, risk: 'low' }),
        { phases: 'canary' },
      ],
      ['with nobody excluded', () => ({ excluded: [] }), { phases: 'promotion' }],
    ])('come back as they were opened: %s', async (_which, more, wish) => {
      const request = await asked(store, more(await inStore((tx) => tx.now())), wish);
      expect(await find(request.id)).toEqual(request);
      expect(await inStore((tx) => store.requests.lock(tx, request.id))).toEqual(request);
    });

    it('of a person come back as theirs', async () => {
      const person = await store.person();
      const requester = { kind: 'person', id: person.id, onBehalfOf: null, credentialId: person.credentialId } as const;
      const request = await asked(store, { requester });
      expect(await find(request.id)).toEqual(request);
    });

    it('about a call come back as theirs, through each of its states', async () => {
      const request = await askedAboutCall(store);
      expect(await find(request.id)).toEqual(request);
      expect(await inStore((tx) => store.requests.lockLive(tx, request.subject))).toEqual(request);
      const approved = await happened(store, request, { name: 'approve' });
      const consumed = await happened(store, approved, { name: 'consume' });
      expect(await find(request.id)).toEqual(consumed);
      const late = await askedAboutCall(store);
      const expired = await happened(store, late, { name: 'expire' }, late.expiresAt);
      expect(await find(late.id)).toEqual(expired);
    });

    it('that are not there are null, and cannot be saved', async () => {
      const request = await openRequest(store);
      const { requests } = store;
      expect(await find(request.id)).toBeNull();
      expect(await inStore((tx) => requests.lock(tx, request.id))).toBeNull();
      expect(await inStore((tx) => requests.lockLive(tx, request.subject))).toBeNull();
      await expect(inStore((tx) => requests.save(tx, request))).rejects.toThrow('is not there');
    });

    it('keep to their tenant', async () => {
      const request = await asked(store);
      const other = await open();
      const { requests } = store;
      const seen = await other.uow.run(other.tenantId, async (tx) => [
        await requests.find(tx, request.id),
        await requests.lockLive(tx, request.subject),
        ...(await requests.list(tx, {}, { limit: 10, after: null })),
        ...(await requests.ofTask(tx, request.subject.taskId)),
        ...(await requests.waiting(tx, newId<PersonId>(), { limit: 10, after: null })),
        ...(await requests.about(tx, [request.id])).values(),
      ]);
      expect(seen).toEqual([null, null]);
      await expect(other.uow.run(other.tenantId, (tx) => requests.save(tx, request))).rejects.toThrow('is not there');
    });

    it('are undone with their transaction', async () => {
      const request = await openRequest(store);
      const undone = inStore(async (tx) => {
        await store.requests.insert(tx, request);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await find(request.id)).toBeNull();
    });

    it('begin open', async () => {
      const request = await openRequest(store);
      const approved = after(request, { name: 'approve' }, request.openedAt);
      expect(await refusalOf(inStore((tx) => store.requests.insert(tx, approved)))).toBe('CS002');
      expect(await find(request.id)).toBeNull();
    });

    it('are live once a subject, open or approved, and again after they are closed', async () => {
      const request = await asked(store);
      const { subject } = request;
      const again = async () => ({ ...(await openRequest(store)), subject });
      const insert = async () => {
        const next = await again();
        return refusalOf(inStore((tx) => store.requests.insert(tx, next)));
      };
      const live = () => inStore((tx) => store.requests.lockLive(tx, subject));
      expect(await insert()).toBe('23505');
      const approved = await happened(store, request, { name: 'approve' });
      expect(await live()).toEqual(approved);
      expect(await insert()).toBe('23505');
      await happened(store, approved, { name: 'void', reason: because });
      expect(await live()).toBeNull();
      expect(await insert()).toBe('nothing refused');
      expect((await live())?.state).toBe('open');
    });
  });

  describe(`${name}: what becomes of a request`, () => {
    it('comes back with the members of each state', async () => {
      const approved = await happened(store, await asked(store), { name: 'approve' });
      expect(await find(approved.id)).toEqual(approved);
      for (const event of [{ name: 'consume' } as const, { name: 'void', reason: because } as const]) {
        const ended = await happened(store, await happened(store, await asked(store), { name: 'approve' }), event);
        expect(await find(ended.id)).toEqual(ended);
      }
      for (const event of [
        { name: 'deny', reason: because } as const,
        { name: 'request_changes', reason: because } as const,
        { name: 'void', reason: { code: 'test.bare', message: 'no details' } } as const,
      ]) {
        const ended = await happened(store, await asked(store), event);
        expect(await find(ended.id)).toEqual(ended);
      }
      const late = await asked(store);
      const expired = await happened(store, late, { name: 'expire' }, late.expiresAt);
      expect(await find(late.id)).toEqual(expired);
    });

    it('follows the transitions alone (CS002)', async () => {
      const request = await asked(store);
      const save = (next: Parameters<typeof store.requests.save>[1]) =>
        refusalOf(inStore((tx) => store.requests.save(tx, next)));
      const approved = after(request, { name: 'approve' }, request.openedAt);
      const consumed = after(approved, { name: 'consume' }, request.openedAt);
      expect(await save(consumed)).toBe('CS002');
      const denied = await happened(store, request, { name: 'deny', reason: because });
      for (const next of [
        request,
        approved,
        consumed,
        after(request, { name: 'void', reason: because }, request.openedAt),
      ])
        expect(await save(next)).toBe('CS002');
      expect(await find(request.id)).toEqual(denied);
    });

    it('changes nothing that it was opened with', async () => {
      const request = await asked(store);
      const approved = after(request, { name: 'approve' }, request.openedAt);
      const forged = await openRequest(store, {
        id: request.id,
        excluded: [],
        start: { kind: 'on_approval' },
        startAfter: request.openedAt,
        openedAt: request.openedAt - MINUTE,
        risk: 'low',
        targets: 99,
      });
      await inStore((tx) => store.requests.save(tx, { ...approved, ...forged, state: 'approved' } as typeof approved));
      expect(await find(request.id)).toEqual(approved);
    });

    it('is held back until a moment, and keeps that when it is saved', async () => {
      const start: Start = { kind: 'on_approval' };
      const approved = await happened(store, await asked(store, { start }), { name: 'approve' });
      const startAfter = approved.openedAt + MINUTE;
      await inStore((tx) => store.requests.holdBack(tx, approved.id, startAfter));
      expect(await find(approved.id)).toEqual({ ...approved, startAfter });
      await happened(store, approved, { name: 'consume' });
      expect(await find(approved.id)).toMatchObject({ state: 'consumed', startAfter });
    });
  });

  describe(`${name}: lists`, () => {
    const list = (filter: RequestFilter, limit = 10, at: { at: number; id: string } | null = null) =>
      inStore(async (tx) => idsOf(await store.requests.list(tx, filter, { limit, after: at })));

    it('hold all requests, newest first, those of one moment by id, in pages', async () => {
      const now = await inStore((tx) => tx.now());
      const requests: UndecidedRequest[] = [];
      for (const minutes of [3, 2, 2, 1]) requests.push(await asked(store, { openedAt: now - minutes * MINUTE }));
      const newest = [...requests].sort((one, other) => other.openedAt - one.openedAt || (one.id < other.id ? 1 : -1));
      expect(await list({})).toEqual(idsOf(newest));
      const [, second] = newest;
      if (second === undefined) throw new Error('four were asked');
      const page = { at: second.openedAt, id: second.id };
      expect(await list({}, 2)).toEqual(idsOf(newest.slice(0, 2)));
      expect(await list({}, 2, page)).toEqual(idsOf(newest.slice(2)));
      expect(await list({}, 1, page)).toEqual(idsOf(newest.slice(2, 3)));
    });

    it('are filtered by state, subject, task, agent and time', async () => {
      const one = await asked(store);
      const other = await asked(store, { openedAt: one.openedAt - 30 * MINUTE });
      await happened(store, other, { name: 'deny', reason: because });
      const { requester } = one;
      if (requester.kind !== 'agent') throw new Error('an agent asks');
      for (const filter of [
        { state: 'open' },
        { subject: one.subject },
        { taskId: one.subject.taskId },
        { agentId: requester.id },
        { from: one.openedAt },
        { undecided: true },
      ] satisfies RequestFilter[])
        expect(await list(filter)).toEqual([one.id]);
      expect(await list({ until: one.openedAt })).toEqual([other.id]);
      expect(await list({ state: 'denied' })).toEqual([other.id]);
      expect(await list({ state: 'denied', subject: one.subject })).toEqual([]);
    });

    it('are filtered by the environment and the targets of the plan', async () => {
      const one = await asked(store, {}, { environment: 'production', targets: ['web-01', 'web-02'] });
      const other = await asked(store, {}, { environment: 'staging', targets: ['web-02'] });
      expect(await list({ environment: 'production' })).toEqual([one.id]);
      expect(await list({ environment: 'staging' })).toEqual([other.id]);
      expect(await list({ environment: 'nowhere' })).toEqual([]);
      expect(await list({ target: 'web-01' })).toEqual([one.id]);
      expect((await list({ target: 'web-02' })).sort()).toEqual([one.id, other.id].sort());
    });

    it('hold requests about calls beside those about plans, and filter them by the members of both', async () => {
      const plan = await asked(store, {}, { targets: ['web-01'] });
      const call = await askedAboutCall(store, { openedAt: plan.openedAt + 1 });
      expect(await list({})).toEqual([call.id, plan.id]);
      expect(await list({ subject: call.subject })).toEqual([call.id]);
      expect(await list({ environment: 'staging' })).toEqual([call.id]);
      expect(await list({ environment: 'production' })).toEqual([plan.id]);
      expect(await list({ target: 'web-01' })).toEqual([plan.id]);
      expect(await list({ taskId: plan.subject.taskId })).toEqual([plan.id]);
    });

    it('take a request as undecided by the clock, not by its recorded state', async () => {
      const now = await inStore((tx) => tx.now());
      await asked(store, { openedAt: now - 61 * MINUTE });
      const open = await asked(store, { openedAt: now - 59 * MINUTE });
      expect(await list({ undecided: true })).toEqual([open.id]);
      expect(await list({ state: 'open' })).toHaveLength(2);
    });

    it('know the authors of the reviews that count', async () => {
      const [ada, ben] = [await store.person(), await store.person()];
      const [one, other] = [await asked(store), await asked(store)];
      const first = await review(one, ada);
      expect(await list({ reviewedBy: ada.id })).toEqual([one.id]);
      expect(await list({ notReviewedBy: ada.id })).toEqual([other.id]);
      expect(await list({ reviewedBy: ben.id })).toEqual([]);
      expect(await list({ personId: ada.id })).toEqual([one.id]);
      await inStore((tx) => store.requests.insertReview(tx, one.id, reviewOf(one, ben), first.id));
      expect(await list({ reviewedBy: ada.id })).toEqual([]);
      expect(await list({ reviewedBy: ben.id })).toEqual([one.id]);
      expect((await list({ notReviewedBy: ada.id })).sort()).toEqual([one.id, other.id].sort());
    });

    it('know the requester, in person or by an agent that acts for them', async () => {
      const [ada, ben] = [await store.person(), await store.person()];
      const bot = await store.agent(ben.id);
      const own = await asked(store, {
        requester: { kind: 'person', id: ada.id, onBehalfOf: null, credentialId: ada.credentialId },
      });
      const acting = await asked(store, {
        openedAt: own.openedAt + 1,
        requester: { kind: 'agent', id: bot.id, onBehalfOf: ada.id, credentialId: bot.credentialId },
      });
      await asked(store);
      expect(await list({ personId: ada.id })).toEqual([acting.id, own.id]);
      expect(await list({ personId: ben.id })).toEqual([]);
    });

    it('know the people who may start an approved request', async () => {
      const [ada, ben, eve] = [await store.person(), await store.person(), await store.person()];
      const bot = await store.agent(ben.id);
      const requester = { kind: 'agent', id: bot.id, onBehalfOf: ada.id, credentialId: bot.credentialId } as const;
      const request = await asked(store, { requester });
      expect(await list({ startableBy: ada.id })).toEqual([]);
      const approved = await happened(store, request, { name: 'approve' });
      await happened(store, await asked(store, { requester, start: { kind: 'on_approval' } }), { name: 'approve' });
      const early = await asked(store, { requester, openedAt: request.openedAt - 90 * MINUTE });
      await happened(store, early, { name: 'approve' }, early.openedAt + 1);
      expect(await list({ startableBy: ada.id })).toEqual([request.id]);
      expect(await list({ startableBy: ben.id })).toEqual([request.id]);
      expect(await list({ startableBy: eve.id })).toEqual([]);
      await happened(store, approved, { name: 'consume' });
      expect(await list({ startableBy: ada.id })).toEqual([]);
    });
  });

  describe(`${name}: the queue`, () => {
    const keyOf = ({ risk, targets, expiresAt, id }: UndecidedRequest): QueueKey => ({ risk, targets, expiresAt, id });
    const waiting = (by: PersonId, limit = 10, key: QueueKey | null = null) =>
      inStore((tx) => store.requests.waiting(tx, by, { limit, after: key }));

    it('has the riskiest first, then the most targets, then the first end, in pages', async () => {
      const now = await inStore((tx) => tx.now());
      const order: UndecidedRequest[] = [];
      for (const more of [
        { risk: 'critical', targets: 1, expiresAt: now + 9 * MINUTE },
        { risk: 'high', targets: 10, expiresAt: now + 8 * MINUTE },
        { risk: 'high', targets: 9, expiresAt: now + 2 * MINUTE },
        { risk: 'high', targets: 9, expiresAt: now + 3 * MINUTE },
        { risk: 'medium', targets: 40, expiresAt: now + MINUTE },
        { risk: 'low', targets: 40, expiresAt: now + MINUTE },
      ] as const)
        order.unshift(await asked(store, { ...more, openedAt: now - MINUTE }));
      const { id } = await store.person();
      const expected = idsOf(order.reverse());
      expect(idsOf(await waiting(id))).toEqual(expected);
      const [, second] = order;
      if (second === undefined) throw new Error('six were asked');
      expect(idsOf(await waiting(id, 2))).toEqual(expected.slice(0, 2));
      expect(idsOf(await waiting(id, 10, keyOf(second)))).toEqual(expected.slice(2));
    });

    it('leaves out requests that are decided, over, or reviewed by them already', async () => {
      const now = await inStore((tx) => tx.now());
      const [ada, ben] = [await store.person(), await store.person()];
      const request = await asked(store);
      await happened(store, await asked(store), { name: 'approve' });
      await asked(store, { openedAt: now - 61 * MINUTE });
      const given = await review(request, ada);
      expect(await waiting(ada.id)).toEqual([]);
      expect(idsOf(await waiting(ben.id))).toEqual([request.id]);
      await inStore((tx) => store.requests.insertReview(tx, request.id, reviewOf(request, ben), given.id));
      expect(idsOf(await waiting(ada.id))).toEqual([request.id]);
    });

    it('is told the subjects of requests', async () => {
      const one = await asked(store, {}, { goal: 'Remediate drift', environment: 'production' });
      const other = await asked(store, {}, { goal: 'Look', environment: 'staging' });
      const about = await inStore((tx) => store.requests.about(tx, [one.id, other.id, one.id]));
      expect(about.size).toBe(2);
      const call = await askedAboutCall(store);
      expect(await inStore((tx) => store.requests.about(tx, [call.id]))).toEqual(new Map());
      expect(about.get(one.id)).toMatchObject({
        goal: 'Remediate drift',
        environment: { name: 'production', production: true },
      });
      expect(about.get(other.id)).toMatchObject({
        goal: 'Look',
        environment: { name: 'staging', production: false },
      });
    });
  });

  describe(`${name}: requests of one task and of one content`, () => {
    it('stand in the order in which they were opened, with their revisions', async () => {
      const first = await asked(store);
      const { taskId } = first.subject;
      await happened(store, first, { name: 'void', reason: because });
      const second = await asked(store, { openedAt: first.openedAt + 1 }, { taskId, revision: 2 });
      await asked(store);
      expect(await inStore((tx) => store.requests.ofTask(tx, taskId))).toEqual([
        { id: first.id, planId: first.subject.id, revision: 1, state: 'voided', openedAt: first.openedAt },
        { id: second.id, planId: second.subject.id, revision: 2, state: 'open', openedAt: second.openedAt },
      ]);
    });

    it('are found by their approver, newest first', async () => {
      const [ada, ben] = [await store.person(), await store.person()];
      const first = await asked(store);
      const { taskId } = first.subject;
      const second = await asked(store, { openedAt: first.openedAt + 1 }, { taskId, revision: 2 });
      const third = await asked(store, { openedAt: first.openedAt + 2 }, { taskId, revision: 3 });
      await review(first, ada);
      await review(second, ada);
      await review(third, ada, { verdict: 'request_changes', comment: 'not like this' });
      await review(first, ben);
      await review(await asked(store), ada);
      const approved = (by: PersonId) => inStore(async (tx) => idsOf(await store.requests.approvedBy(tx, taskId, by)));
      expect(await approved(ada.id)).toEqual([second.id, first.id]);
      expect(await approved(ben.id)).toEqual([first.id]);
    });

    it('are the agent’s that opened first and can still be decided', async () => {
      const now = await inStore((tx) => tx.now());
      const bot = await store.agent();
      const requester = { kind: 'agent', id: bot.id, onBehalfOf: null, credentialId: bot.credentialId } as const;
      const contentDigest = digestOf('approval-content', { same: true });
      const same = () => inStore((tx) => store.requests.identical(tx, bot.id, contentDigest));
      const more = { requester, contentDigest };
      await asked(store, { contentDigest });
      await asked(store, { requester });
      await asked(store, { ...more, openedAt: now - 61 * MINUTE });
      expect(await same()).toBeNull();
      const later = await asked(store, { ...more, openedAt: now - MINUTE });
      const earlier = await asked(store, { ...more, openedAt: now - 2 * MINUTE });
      expect((await same())?.id).toBe(earlier.id);
      await happened(store, earlier, { name: 'approve' });
      expect((await same())?.id).toBe(later.id);
    });
  });

  describe(`${name}: reviews`, () => {
    it('come back as they were given, in their order', async () => {
      const [ada, ben] = [await store.person(), await store.person()];
      const request = await asked(store);
      const later = await review(request, ada, {
        createdAt: request.openedAt + 2 * MINUTE,
        delegatedBy: ben.id,
        seat: {
          sharedWith: [ben.id],
          knownBy: [{ basis: 'token', by: ben.id, hand: ben.id, issuer: null, at: 1, since: 1, counts: false }],
        },
        mfa: { method: 'totp', provedAt: request.openedAt },
        always: true,
      });
      const earlier = await review(request, ben, {
        verdict: 'reject',
        comment: 'not like this',
        seat: { sharedWith: [], knownBy: [] },
        roles: [],
      });
      const cem = await store.person();
      const latest = await review(request, cem, { createdAt: later.createdAt + MINUTE, confirmWord: 'CONFIRM' });
      expect(await inStore((tx) => store.requests.reviews(tx, request.id))).toMatchObject([earlier, later, latest]);
      expect(await inStore((tx) => store.requests.reviews(tx, newId<ApprovalRequestId>()))).toEqual([]);
    });

    it('count one a person, until they are replaced; history keeps every one', async () => {
      const [ada, ben] = [await store.person(), await store.person()];
      const request = await asked(store);
      const first = await review(request, ada);
      const bens = await review(request, ben, { createdAt: first.createdAt + 1 });
      const again = reviewOf(request, ada, { createdAt: first.createdAt + 2 });
      const cems = reviewOf(request, await store.person(), { createdAt: again.createdAt + MINUTE });
      expect(await refusalOf(inStore((tx) => store.requests.insertReview(tx, request.id, again, null)))).toBe('23505');
      await inStore(async (tx) => {
        await store.requests.insertReview(tx, request.id, again, first.id);
        // A review that was replaced keeps the moment of that.
        await store.requests.insertReview(tx, request.id, cems, first.id);
      });
      const { counting, all } = await inStore(async (tx) => ({
        counting: await store.requests.reviews(tx, request.id),
        all: await store.requests.reviewHistory(tx, request.id),
      }));
      expect(counting).toMatchObject([bens, again, cems]);
      expect(all.map(({ id, replacedAt }) => [id, replacedAt])).toEqual([
        [first.id, again.createdAt],
        [bens.id, null],
        [again.id, null],
        [cems.id, null],
      ]);
    });

    it('of many requests are told apart', async () => {
      const ada = await store.person();
      const [one, other, none] = [await asked(store), await asked(store), await asked(store)];
      const [first, second] = [await review(one, ada), await review(other, ada)];
      const found = await inStore((tx) => store.requests.reviewsOf(tx, [one.id, other.id, none.id]));
      expect(found.get(one.id)).toMatchObject([first]);
      expect(found.get(other.id)).toMatchObject([second]);
      expect(found.has(none.id)).toBe(false);
    });

    it('keep to their tenant, and to a request that is there', async () => {
      const ada = await store.person();
      const request = await asked(store);
      await review(request, ada);
      const other = await open();
      expect(await other.uow.run(other.tenantId, (tx) => store.requests.reviewHistory(tx, request.id))).toEqual([]);
      const stray = reviewOf(request, ada);
      const insert = inStore((tx) => store.requests.insertReview(tx, newId<ApprovalRequestId>(), stray, null));
      expect(await refusalOf(insert)).toBe('23503');
    });
  });
}
