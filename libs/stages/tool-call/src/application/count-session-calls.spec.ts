import { newId, type DecisionId } from '#lib/kernel';
import type { Session } from '#lib/session';
import { fakeWorld, type SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSession } from '../../../session/src/application/fake-session.js';
import { CountSessionCalls } from './count-session-calls.js';
import { sampleToolCall } from './fake-tool-call.js';
import { FakeToolCallRepository } from './fake-tool-call.repository.js';

it('counts the calls of each session that has one, and none of another tenant', async () => {
  const { uow, home, other } = fakeWorld();
  const calls = new FakeToolCallRepository(uow);
  const [busy, calm, idle] = [sampleSession(home), sampleSession(home), sampleSession(home)];
  const keep = (tenant: SampleTenant, { id: sessionId }: Pick<Session, 'id'>) =>
    uow.run(tenant.tenantId, (tx) =>
      calls.insert(tx, sampleToolCall(tenant, { sessionId, decisionId: newId<DecisionId>() })),
    );
  for (const session of [busy, calm, busy]) await keep(home, session);
  await keep(other, busy);
  const counting = new CountSessionCalls(uow, calls);
  expect(await counting.execute(home.owner, [busy, calm, idle])).toEqual(
    new Map([
      [busy.id, 2],
      [calm.id, 1],
    ]),
  );
  expect(await counting.execute(home.owner, [idle])).toEqual(new Map());
  expect(await counting.execute(other.owner, [busy, calm])).toEqual(new Map([[busy.id, 1]]));
});
