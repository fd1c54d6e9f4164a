import { newId, type ApprovalRequestId, type DecisionId, type SessionId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeToolCallRepository } from './fake-tool-call.repository.js';
import { describeToolCallRepository } from './tool-call.repository.contract.js';

describeToolCallRepository('FakeToolCallRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    calls: new FakeToolCallRepository(world.uow),
    newDecision: () => Promise.resolve(newId<DecisionId>()),
    newSession: () => Promise.resolve(newId<SessionId>()),
    newRequest: () => Promise.resolve(newId<ApprovalRequestId>()),
  });
});
