import type { SentCallName } from '#lib/dispatch';
import { newId, type Tx } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerDispatchId } from '../domain/ids.js';
import { sampleDispatch } from './fake-runner-dispatch.js';
import { FakeRunnerDispatchRepository } from './fake-runner-dispatch.repository.js';
import { HandOverAnswer } from './hand-over-answer.js';
import type { RunnerDispatch } from './runner-dispatch.ports.js';

/** A call with the answer of its runner, and the records of its sources. */
async function answered(changes: Partial<RunnerDispatch> = {}) {
  const { uow, home } = fakeWorld();
  const dispatches = new FakeRunnerDispatchRepository(uow);
  const answer = { state: 'answered', endedAt: 1, answer: { ok: true, result: 1 }, handOverAt: 2 } as const;
  const call = sampleDispatch(0, { ...answer, ...changes });
  await uow.run(home.tenantId, (tx) => dispatches.insert(tx, call));
  const recorded: (readonly [string, SentCallName])[] = [];
  const recordOf = (type: string) => ({
    recordKept: (_tx: Tx, sent: SentCallName) => Promise.resolve(void recorded.push([type, sent])),
  });
  const handing = new HandOverAnswer(uow, dispatches, {
    run: recordOf('run'),
    tool_call: recordOf('tool_call'),
    lifecycle_hook: recordOf('lifecycle_hook'),
  });
  return {
    call,
    recorded,
    handOver: (id: RunnerDispatchId = call.id) => handing.execute(home.tenantId, id),
    find: () => uow.run(home.tenantId, (tx) => dispatches.find(tx, call.id)),
  };
}

it.each(['run', 'tool_call', 'lifecycle_hook'] as const)(
  'hands an answer to the record of its %s, once',
  async (type) => {
    const { call, recorded, handOver, find } = await answered({ sourceType: type });
    await handOver();
    await handOver();
    const { sourceId, step, attempt, idempotencyKey } = call;
    expect(recorded).toEqual([[type, { source: { type, id: sourceId }, step, attempt, idempotencyKey }]]);
    expect(await find()).toMatchObject({ state: 'answered', handOverAt: null });
  },
);

it('leaves the answer of a simulation: it is made anew', async () => {
  const { recorded, handOver, find } = await answered({ sourceType: 'simulation' });
  await handOver();
  expect(recorded).toEqual([]);
  expect(await find()).toMatchObject({ handOverAt: null });
});

it('does nothing about a call that is let go meanwhile', async () => {
  const { recorded, handOver } = await answered();
  await handOver(newId<RunnerDispatchId>());
  expect(recorded).toEqual([]);
});
