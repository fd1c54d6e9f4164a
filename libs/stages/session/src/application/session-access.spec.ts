import { newId, type Principal, type SessionId } from '#lib/kernel';
import { TOUCH_MS } from '../domain/session.js';
import { sessionWorld } from './fake-session-world.js';

it('a call finds its session, and puts its use on record', async () => {
  const { access, atHome, opened, found, home, uow } = await sessionWorld();
  const session = await opened();
  uow.now += TOUCH_MS + 1;
  const used = await atHome((tx) => access.toUse(tx, home.agent, session.id));
  expect(used).toEqual({ ok: true, value: { ...session, lastUsedAt: uow.now } });
  expect((await found(session.id))?.lastUsedAt).toBe(uow.now);
});

it('a session that rested too long takes no call, and is not woken by it', async () => {
  const { access, atHome, opened, found, home, uow } = await sessionWorld();
  const session = await opened({ idleSeconds: 60 });
  uow.now += 60_000;
  expect(await atHome((tx) => access.toUse(tx, home.agent, session.id))).toMatchObject({
    error: { kind: 'conflict', code: 'session.ended' },
  });
  expect(await found(session.id)).toEqual(session);
});

it('a session with a call in flight does not rest, however long ago it was used', async () => {
  const { access, atHome, opened, end, found, busy, home, uow } = await sessionWorld();
  const session = await opened({ idleSeconds: 60 });
  busy.add(session.id);
  uow.now += 600_000;
  const used = { ...session, lastUsedAt: uow.now };
  expect(await atHome((tx) => access.toUse(tx, home.agent, session.id))).toEqual({ ok: true, value: used });
  expect(await found(session.id)).toEqual(used);
  await end.execute(home.agent, session.id, 'close');
  expect(await atHome((tx) => access.toUse(tx, home.agent, session.id))).toMatchObject({
    error: { code: 'session.ended' },
  });
});

it('an ended session takes no call', async () => {
  const { access, atHome, opened, end, home } = await sessionWorld();
  const { id } = await opened();
  await end.execute(home.agent, id, 'close');
  expect(await atHome((tx) => access.toUse(tx, home.agent, id))).toMatchObject({ error: { code: 'session.ended' } });
});

it('people and agents outside neither use nor change a session', async () => {
  const { access, atHome, opened, found, home, another, stranger, uow } = await sessionWorld();
  const session = await opened();
  uow.now += TOUCH_MS + 1;
  const cases: readonly (readonly [Principal, SessionId, string])[] = [
    [another, session.id, 'resource.not_found'],
    [home.agent, newId<SessionId>(), 'resource.not_found'],
    [{ ...home.agent, onBehalfOf: stranger.personId }, session.id, 'session.not_yours'],
    [stranger, session.id, 'session.not_yours'],
  ];
  for (const [by, id, code] of cases) {
    expect(await atHome((tx) => access.toUse(tx, by, id))).toMatchObject({ error: { code } });
    expect(await atHome((tx) => access.toChange(tx, by, id))).toMatchObject({ error: { code } });
  }
  expect(await found(session.id)).toEqual(session);
});

it('the accountable owner takes part', async () => {
  const { access, atHome, opened, home } = await sessionWorld();
  const session = await opened();
  expect((await atHome((tx) => access.toChange(tx, home.owner, session.id))).ok).toBe(true);
});
