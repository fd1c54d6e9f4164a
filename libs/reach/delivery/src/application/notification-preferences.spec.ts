import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { EVERYTHING } from '../domain/preferences.js';
import { ChannelRegistry } from './channel-registry.js';
import type { Channel } from './delivery.ports.js';
import { FakePreferenceStore } from './fake-preference-store.js';
import { SetNotificationPreferences } from './notification-preferences.js';

const channel = (name: string, chosen: boolean): Channel => ({
  name,
  title: name,
  chosen,
  address: /^\w+$/,
  edits: false,
  destinations: () => Promise.resolve([]),
  reached: () => Promise.resolve([]),
  prepare: () => Promise.resolve({ kind: 'delivered' }),
});

const NO_COMMENTS = { requests: true, reminders: true, comments: false };

function setting() {
  const { uow, home } = fakeWorld();
  const audit = new FakeAuditSink(uow);
  const channels = new ChannelRegistry([channel('slack', false), channel('email', true), channel('push', true)]);
  const preferences = new SetNotificationPreferences(uow, new FakePreferenceStore(uow), channels, audit);
  return { preferences, owner: home.owner, audited: () => audit.of(home) };
}

describe('the kinds of messages that a person gets', () => {
  it('are all kinds on each channel of the person, until the person sets them', async () => {
    const { preferences, owner } = setting();
    expect(await preferences.mine(owner)).toEqual({ email: EVERYTHING, push: EVERYTHING });
  });

  it('are set for the channels that are named, and audited with those before', async () => {
    const { preferences, owner, audited } = setting();
    const after = { email: NO_COMMENTS, push: EVERYTHING };
    expect(await preferences.execute(owner, { email: NO_COMMENTS })).toEqual({ ok: true, value: after });
    expect(await preferences.mine(owner)).toEqual(after);
    expect(audited()).toMatchObject([
      {
        action: 'notification_preferences.set',
        subject: { type: 'person', id: owner.personId },
        payload: { before: { email: EVERYTHING, push: EVERYTHING }, after },
      },
    ]);
  });

  it.each(['slack', 'pager'])('are not set for a channel that belongs to nobody alone: %s', async (name) => {
    const { preferences, owner, audited } = setting();
    const refused = await preferences.execute(owner, { email: NO_COMMENTS, [name]: NO_COMMENTS });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'notification_preferences.channel', errors: [{ pointer: `/${name}` }] },
    });
    expect(await preferences.mine(owner)).toEqual({ email: EVERYTHING, push: EVERYTHING });
    expect(audited()).toEqual([]);
  });
});
