import { sessionWorld } from './fake-session-world.js';

it.each([
  ['close', 'closed'],
  ['cancel', 'cancelled'],
] as const)('%s: the session has ended for good, on record, and those who wait are told', async (event, reason) => {
  const { end, opened, found, ended, audited, home, uow } = await sessionWorld();
  const session = await opened();
  uow.now += 5_000;
  const done = await end.execute(home.owner, session.id, event);
  const after = { ...session, state: 'ended', endedReason: reason, endedAt: uow.now };
  expect(done).toEqual({ ok: true, value: after });
  expect(await found(session.id)).toEqual(after);
  expect(ended).toMatchObject([{ session: after, principal: home.owner, actor: { kind: 'person' }, at: uow.now }]);
  expect(audited()).toMatchObject([
    { action: 'session.ended', subject: { type: 'session', id: session.id }, payload: { reason } },
  ]);
  expect(await end.execute(home.owner, session.id, event)).toMatchObject({ error: { code: 'session.ended' } });
  expect([ended.length, audited().length]).toEqual([1, 1]);
});

it('every open session of an agent ends once it is disabled', async () => {
  const { endOfAgent, end, opened, found, ended, atHome, another, home, uow } = await sessionWorld();
  const own = [await opened(), await opened({ agentIds: [home.agent.agentId, another.agentId] })];
  const [other, before] = [await opened({ agentIds: [another.agentId] }), await opened()];
  await end.execute(home.owner, before.id, 'close');
  const by = { principal: home.admin, at: uow.now };
  await atHome((tx) => endOfAgent.execute(tx, home.agent.agentId, by));
  for (const { id } of own) expect(await found(id)).toMatchObject({ state: 'ended', endedReason: 'cancelled' });
  expect(await found(other.id)).toEqual(other);
  expect(new Set(ended.map(({ session }) => session.id))).toEqual(new Set([before, ...own].map(({ id }) => id)));
  expect(ended.at(-1)).toMatchObject(by);
});

it('people and agents outside end no session', async () => {
  const { end, opened, found, ended, another, stranger } = await sessionWorld();
  const session = await opened();
  expect(await end.execute(another, session.id, 'cancel')).toMatchObject({ error: { code: 'resource.not_found' } });
  expect(await end.execute(stranger, session.id, 'cancel')).toMatchObject({ error: { code: 'session.not_yours' } });
  expect([await found(session.id), ended]).toEqual([session, []]);
});

it('a session ends by itself once it has rested, once, by any number of workers', async () => {
  const { endIdle, opened, found, ended, audited, home, uow } = await sessionWorld();
  const session = await opened({ idleSeconds: 60 });
  uow.now += 59_999;
  expect(await endIdle.execute(home.tenantId, session.id)).toBe(false);
  uow.now += 1;
  const both = await Promise.all([
    endIdle.execute(home.tenantId, session.id),
    endIdle.execute(home.tenantId, session.id),
  ]);
  expect(both.sort()).toEqual([false, true]);
  expect(await found(session.id)).toMatchObject({ state: 'ended', endedReason: 'idle', endedAt: uow.now });
  expect(ended).toHaveLength(1);
  expect(audited()).toMatchObject([
    { action: 'session.ended', actor: { kind: 'system', id: 'session-rest' }, payload: { reason: 'idle' } },
  ]);
});

it('a session with a call in flight does not end by itself, and its rest begins anew', async () => {
  const { endIdle, opened, found, busy, ended, audited, home, uow } = await sessionWorld();
  const session = await opened({ idleSeconds: 60 });
  busy.add(session.id);
  uow.now += 60_000;
  expect(await endIdle.execute(home.tenantId, session.id)).toBe(false);
  expect(await found(session.id)).toEqual({ ...session, lastUsedAt: uow.now });
  busy.clear();
  // An early job is no use of the session.
  uow.now += 59_999;
  expect(await endIdle.execute(home.tenantId, session.id)).toBe(false);
  expect([ended, audited()]).toEqual([[], []]);
  uow.now += 1;
  expect(await endIdle.execute(home.tenantId, session.id)).toBe(true);
});

it('a job in another tenant ends no session', async () => {
  const { endIdle, opened, other } = await sessionWorld();
  const { id } = await opened({ idleSeconds: 60, openedAt: 0 });
  expect(await endIdle.execute(other.tenantId, id)).toBe(false);
});
