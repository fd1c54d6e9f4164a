import { newId } from '#lib/kernel';
import { fakeAuditLog } from './fake-audit-log.js';
import { FollowEntries } from './follow-entries.js';

/** The log of a tenant with a session. */
function followed() {
  const log = fakeAuditLog();
  const { uow, home, entries } = log;
  const session = { type: 'session', id: newId() };
  const following = new FollowEntries(uow, entries);
  const follow = (from: Parameters<FollowEntries['execute']>[2], limit = 10, { tenantId } = home) =>
    following.execute(tenantId, session, from, limit);
  return {
    ...log,
    follow,
    inSession: (action: string) => {
      uow.now += 1_000;
      return log.record({ action, within: [session], payload: { of: action } });
    },
    actions: async (...of: Parameters<typeof follow>) => (await follow(...of)).map(({ header }) => header.action),
  };
}

describe('the entries within a thing', () => {
  it('are read oldest first with their payloads, and no entry of another thing or tenant', async () => {
    const { inSession, record, follow, other } = followed();
    const first = await inSession('thing.first');
    await record({ action: 'thing.outside' });
    await record({ action: 'thing.other', within: [{ type: 'session', id: newId() }] });
    const second = await inSession('thing.second');
    expect(await follow(0)).toMatchObject([
      { header: { id: first, action: 'thing.first' }, payload: { of: 'thing.first' } },
      { header: { id: second, action: 'thing.second' }, payload: { of: 'thing.second' } },
    ]);
    expect(await follow(0, 10, other)).toEqual([]);
  });

  it('go on after an entry, or from a moment, up to the limit', async () => {
    const { inSession, actions, uow } = followed();
    const first = { id: await inSession('thing.first'), occurredAt: uow.now };
    await inSession('thing.second');
    const moment = uow.now;
    await inSession('thing.third');
    expect(await actions(first)).toEqual(['thing.second', 'thing.third']);
    expect(await actions(moment)).toEqual(['thing.second', 'thing.third']);
    expect(await actions(0, 2)).toEqual(['thing.first', 'thing.second']);
  });

  it('stay after their payloads are erased', async () => {
    const { inSession, follow, entries, uow, home } = followed();
    const erased = await inSession('thing.first');
    await uow.run(home.tenantId, (tx) => {
      entries.erase(tx, [erased]);
      return Promise.resolve();
    });
    const [entry] = await follow(0);
    expect(entry).toMatchObject({ header: { id: erased }, payload: undefined });
  });
});
