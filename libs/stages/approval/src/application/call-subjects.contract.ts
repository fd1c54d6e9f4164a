import { newId, type ApprovalRequestId, type ToolCallId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import { boundDigest } from '../domain/binding.js';
import { currentBinding, plannedBinding } from '../domain/approval-subject.js';
import type { CallSubject } from '../domain/call-subject.js';
import type { CallSubjects } from './approval.ports.js';
import {
  asked,
  inTx,
  openCallRequest,
  reviewOf,
  type ApprovalStore,
  type PlanWish,
} from './approval-store.contract.js';

/** The ports of this library, and the calls of another that requests are about. */
export interface CallStore extends ApprovalStore {
  readonly calls: CallSubjects;
  /** A call that waits for people, as {@link ApprovalStore.call} makes one. */
  waiting(environment?: PlanWish['environment']): Promise<CallSubject>;
  /** A call that waits for people and goes to an executor. `move` gives the executor another address. */
  bound(): Promise<{ readonly waiting: CallSubject; readonly move: (tx: Tx) => Promise<void> }>;
  /** As of a `ContractWorld`. */
  blocked(): Promise<void>;
}

/** The contract of {@link CallSubjects}. */
export function describeCallSubjects(name: string, open: () => Promise<CallStore>): void {
  let store: CallStore;
  beforeEach(async () => {
    store = await open();
  });
  const inStore = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTx(store, work);
  /** A request about this call. */
  const requestAbout = async ({ call, environment }: CallSubject) => {
    const kept = await store.call();
    const about = { ...kept, callId: call.id, environmentId: environment.id };
    const request = await openCallRequest({ ...store, call: () => Promise.resolve(about) });
    await inStore((tx) => store.requests.insert(tx, request));
    return request;
  };

  describe(`${name}: calls that wait for people`, () => {
    it('are read as they stand now, bound to the records of their asking', async () => {
      const waiting = await store.waiting();
      const subject = await inStore((tx) => store.calls.read(tx, waiting.call.id));
      if (subject === null) throw new Error('it waits');
      expect(subject).toMatchObject({ type: 'tool_call', call: waiting.call, environment: waiting.environment });
      expect(currentBinding(subject)).toEqual(plannedBinding(subject));
      expect(boundDigest(plannedBinding(subject))).toBe(waiting.call.digest);
      expect(subject.question).toMatchObject({
        tenant_id: store.tenantId,
        actor: { kind: subject.call.submitter.kind, id: subject.call.submitter.id },
        tool: { name: waiting.call.tool.name },
        environment: { id: waiting.environment.id },
      });
    });

    it('are bound to the executor of their asking, and show another one once it has moved', async () => {
      const { waiting, move } = await store.bound();
      const request = await requestAbout(waiting);
      const { executor } = waiting.call;
      if (executor === null) throw new Error('it has an executor');
      const held = async (read: 'holdRequest' | 'readRequest'): Promise<CallSubject> => {
        const found = await inStore((tx) => store.calls[read](tx, request.id));
        if (found === null) throw new Error('the request is kept');
        return found.subject;
      };
      for (const read of ['holdRequest', 'readRequest'] as const) {
        const subject = await held(read);
        expect(subject.registry.executors.get(executor.name)).toMatchObject(executor);
        expect(currentBinding(subject)).toEqual(plannedBinding(subject));
      }
      await inStore(move);
      for (const read of ['holdRequest', 'readRequest'] as const) {
        const subject = await held(read);
        expect(subject.call.executor).toEqual(executor);
        expect(plannedBinding(subject)).toEqual(plannedBinding(waiting));
        expect(currentBinding(subject)).not.toEqual(plannedBinding(subject));
      }
    });

    it('are held by the executor as it is once its lock is free, not as it was before', async () => {
      const { waiting, move } = await store.bound();
      const request = await requestAbout(waiting);
      const held: CallSubject[] = [];
      const world = { uow: store.uow, home: { tenantId: store.tenantId }, blocked: () => store.blocked() };
      const waited = await waitsBehind(world, move, async (tx) => {
        const found = await store.calls.holdRequest(tx, request.id);
        if (found !== null) held.push(found.subject);
      });
      expect(waited).toBe(true);
      const [subject] = held;
      if (subject === undefined) throw new Error('the request is kept');
      expect(currentBinding(subject)).not.toEqual(plannedBinding(subject));
    });

    it('are held and read with their request, its reviews, and the person who looks at it', async () => {
      const waiting = await store.waiting();
      const request = await requestAbout(waiting);
      const ada = await store.person('SRELead');
      const review = reviewOf(request, ada);
      const claim = { personId: ada.id, claimedAt: request.openedAt, expiresAt: request.openedAt + 900_000 };
      await inStore(async (tx) => {
        await store.requests.insertReview(tx, request.id, review, null);
        await store.claims.saveClaim(tx, request.id, claim);
      });
      for (const read of ['holdRequest', 'readRequest'] as const) {
        const { held, reviews } = await inStore(async (tx) => {
          const held = await store.calls[read](tx, request.id);
          return { held, reviews: await held?.reviews() };
        });
        expect(held).toMatchObject({
          request,
          claim,
          reviewedBy: [ada.id],
          subject: { call: { id: waiting.call.id } },
        });
        expect(reviews).toMatchObject([review]);
      }
    });

    it('are null for a request that is not there, or is about a plan', async () => {
      const plan = await asked(store);
      for (const id of [plan.id, newId<ApprovalRequestId>()]) {
        expect(await inStore((tx) => store.calls.holdRequest(tx, id))).toBeNull();
        expect(await inStore((tx) => store.calls.readRequest(tx, id))).toBeNull();
      }
      expect(await inStore((tx) => store.calls.read(tx, newId<ToolCallId>()))).toBeNull();
    });

    it('are told for lists, each once', async () => {
      const { call, environment } = await store.waiting('production');
      const about = await inStore((tx) => store.calls.about(tx, [call.id, call.id, newId<ToolCallId>()]));
      expect([...about]).toEqual([
        [
          call.id,
          {
            type: 'tool_call',
            environment: { id: environment.id, name: environment.name, production: true },
            tool: call.tool.name,
            category: call.category,
            impact: call.impact,
            reason: call.reason,
          },
        ],
      ]);
    });

    it('keep to their tenant', async () => {
      const waiting = await store.waiting();
      const request = await requestAbout(waiting);
      const elsewhere = await open();
      const seen = await inTx(elsewhere, async (tx) => [
        await elsewhere.calls.read(tx, waiting.call.id),
        await elsewhere.calls.readRequest(tx, request.id),
        ...(await elsewhere.calls.about(tx, [waiting.call.id])).values(),
      ]);
      expect(seen).toEqual([null, null]);
    });
  });
}
