import { actorOf, newId, type SessionId } from '#lib/kernel';
import { callExecutor } from './call-journal.js';
import { executionWorld } from './fake-execution-world.js';
import { LEASE_MARGIN_MS } from './fake-tool-calls.js';

type World = Awaited<ReturnType<typeof executionWorld>>;

const FAULT = { code: 'tool_call.restored', message: 'Epoch 2 began.' };
const restore = ({ atHome, restore: use }: Pick<World, 'atHome' | 'restore'>) =>
  atHome((tx) => use.execute(tx, { reason: FAULT.message }));

describe('a restore from a backup', () => {
  it('T30: lets no call leave, and leaves the effect of the others open', async () => {
    const world = await executionWorld({ idempotent: true });
    const sessionId = newId<SessionId>();
    const [waiting, left] = [await world.allowed(), await world.allowed('agent', { sessionId })];
    await world.take(world.agent, left.id);
    await restore(world);
    world.uow.now += 30_000 + LEASE_MARGIN_MS;
    for (const call of [waiting, left]) await world.work(call);
    expect(world.dispatcher.orders).toEqual([]);
    expect(await world.find(waiting)).toMatchObject({ state: 'denied', decidedAs: 'cancelled', denial: FAULT });
    expect(await world.find(left)).toMatchObject({ state: 'unknown', error: FAULT });
    const actor = actorOf(callExecutor(world.home.tenantId));
    const session = { type: 'session', id: sessionId };
    expect(world.audited().slice(-2)).toMatchObject([
      { action: 'tool_call.cancelled', actor, subject: { id: waiting.id }, payload: { state: 'denied', ...FAULT } },
      {
        ...{ action: 'tool_call.unknown', actor, subject: { id: left.id }, within: [session] },
        payload: { state: 'unknown', error: FAULT },
      },
    ]);
  });

  it('ends the output of a call that its agent makes, with the text that was held back', async () => {
    const world = await executionWorld();
    const call = await world.allowed('agent');
    await world.take(world.agent, call.id);
    await world.append.execute(world.agent, call.id, 1, [{ stream: 'stdout', text: 'a tok' }]);
    await restore(world);
    expect(await world.output.execute(world.agent, call.id, 0)).toMatchObject({
      value: { open: false, chunks: [{ text: 'a ' }, { text: 'tok' }] },
    });
  });
});
