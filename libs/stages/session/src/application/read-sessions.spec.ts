import { newId, type SessionId } from '#lib/kernel';
import { sessionWorld } from './fake-session-world.js';

const page = { limit: 9, after: null };
const all = { state: null, agentId: null };
const missing = { ok: false, error: { kind: 'not_found', code: 'resource.not_found' } };

it('an agent reads its own sessions, and learns nothing of others', async () => {
  const { read, opened, home, another } = await sessionWorld();
  const own = await opened();
  const theirs = await opened({ agentIds: [another.agentId] });
  expect(await read.get(home.agent, own.id)).toEqual({ ok: true, value: own });
  expect(await read.get(home.agent, theirs.id)).toEqual(await read.get(home.agent, newId<SessionId>()));
  expect(await read.get(home.agent, theirs.id)).toMatchObject(missing);
  expect(await read.list(home.agent, all, page)).toEqual([own]);
  expect(await read.list(home.agent, { ...all, agentId: another.agentId }, page)).toEqual([]);
  expect(await read.list(home.agent, { ...all, agentId: home.agent.agentId }, page)).toEqual([own]);
});

it('people read all sessions of their tenant, and none of another', async () => {
  const { read, opened, stranger, another, other } = await sessionWorld();
  const sessions = [await opened(), await opened({ agentIds: [another.agentId] })];
  expect(await read.list(stranger, all, page)).toHaveLength(2);
  expect(await read.list(stranger, { ...all, agentId: another.agentId }, page)).toEqual([sessions[1]]);
  for (const { id } of sessions) {
    expect((await read.get(stranger, id)).ok).toBe(true);
    expect(await read.get(other.admin, id)).toMatchObject(missing);
  }
  expect(await read.list(other.admin, all, page)).toEqual([]);
});
