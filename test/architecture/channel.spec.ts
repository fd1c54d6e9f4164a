import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { FakeJobQueue } from '../../libs/foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { unasked } from '../../libs/foundation/kernel/src/fake-unasked.js';
import { ChannelRegistry } from '../../libs/reach/delivery/src/application/channel-registry.js';
import type { Channel, NoticeSource } from '../../libs/reach/delivery/src/application/delivery.ports.js';
import { FakeOutboxRepository } from '../../libs/reach/delivery/src/application/fake-outbox.repository.js';
import { fakeIncidents } from '../../libs/reach/incident/src/application/fake-incidents.js';
import { destinationNamed } from '../../libs/reach/incident/src/domain/destination.js';
import type { IncidentSettings } from '../../libs/reach/incident/src/domain/incident-settings.js';
import { channelView } from '../../apps/api/src/delivery/delivery-views.js';
import { destinationView } from '../../apps/api/src/incident/incident-views.js';
import { incidentSettingsSchema } from '#lib/api-schemas';
import { createDelivery } from '#lib/delivery';
import { newId, ok, tightening, type PersonPrincipal, type TwoPersonRule } from '#lib/kernel';

jest.mock('../../apps/web/src/api/attendance.js', () => ({ isAttended: () => false }));
// Required, not imported: tests are compiled without the types of a browser.
const { Preferences } = jest.requireActual<{ readonly Preferences: FunctionComponent }>(
  '../../apps/web/src/settings/notification-preferences.js',
);
const { queryOf } = jest.requireActual<{
  readonly queryOf: (path: string) => { readonly queryKey: readonly unknown[] };
}>('../../apps/web/src/api/query.js');

const tested: string[] = [];

/** A channel that only this test has. */
const pager: Channel = {
  name: 'pager',
  title: 'the pager of the ward',
  missing: 'an aerial',
  address: /^pager-[a-z]+$/,
  chosen: false,
  edits: false,
  named: {
    form: 'a pager (pager-ops)',
    accepts: (address) => address.startsWith('pager-'),
    test: (_tenantId, address) => {
      tested.push(address);
      return Promise.resolve(null);
    },
  },
  destinations: (_tx, { addresses }) =>
    Promise.resolve(addresses.map((address) => ({ to: { channel: 'pager', address, showing: 'subject' } }))),
  reached: (_tx, people) => Promise.resolve(people),
  prepare: () => Promise.resolve({ kind: 'delivered' }),
};
const channels = new ChannelRegistry([pager]);
const channelOf = (address: string): string | null => channels.naming(address)?.name ?? null;

/** Nothing waits: the test is about channels. */
const alone: TwoPersonRule = {
  admit: (_tx, authority) =>
    Promise.resolve(ok({ outcome: 'admitted', admitted: tightening(authority as PersonPrincipal) })),
  demandReason: () => Promise.resolve(),
  waiting: () => Promise.resolve([]),
  outdate: () => Promise.resolve(),
};

describe('a channel that is only registered', () => {
  const { uow, home } = fakeWorld();
  const admin: PersonPrincipal = { ...home.admin, scopes: ['admin'] };
  const wanted = (address: string): IncidentSettings => ({
    destinations: { 'security-team': [address] },
    reviewDays: 5,
    pagerDuty: null,
  });
  const outbox = new FakeOutboxRepository(uow, new FakeJobQueue(uow));
  const notice: NoticeSource<'incident.changed'> = {
    read: () =>
      Promise.resolve({
        id: 'incident',
        title: 'An incident',
        lines: [],
        done: null,
        words: null,
        url: 'https://countersign.example/',
        environment: null,
        people: [],
        always: true,
        alsoTo: ['pager-ops'],
      }),
  };
  const delivery = createDelivery({
    ...{ uow, outbox, channels, audit: unasked(), mailer: null },
    transactions: { enclose: (tenantId, work) => uow.run(tenantId, (tx) => work({ tx, broken: false })) },
    rows: { preferences: unasked({ of: () => Promise.resolve(new Map()) }), subscriptions: unasked() },
    onDuty: unasked({ list: () => Promise.resolve([]) }),
    reading: {
      directory: unasked({ ofMessage: () => Promise.resolve(null) }),
      notices: unasked({ 'incident.changed': notice }),
      requests: unasked(),
    },
    mayConnect: () => Promise.resolve(false),
  });
  const { parts, settings } = fakeIncidents(uow, home, {
    autonomy: { current: () => Promise.resolve(null) },
    reaches: { channelOf, addressForms: () => channels.addressForms, test: () => Promise.resolve(null) },
    twoPersonRule: alone,
  });
  const change = parts.changeIncidentSettings;
  const destinations = () => uow.run(home.tenantId, async (tx) => (await settings.read(tx)).destinations);

  it('is named in the settings of incidents, and an address of no channel is refused', async () => {
    expect(incidentSettingsSchema.safeParse({ destinations: { 'security-team': ['pager-ops'] } }).success).toBe(true);
    expect(await change.execute(admin, wanted('C012AB3CD'))).toMatchObject({
      error: {
        code: 'incident.address_unknown',
        action: 'Name a pager (pager-ops).',
        errors: [{ pointer: '/destinations/security-team/0', code: 'incident.address_unknown' }],
      },
    });
    expect((await change.execute(admin, wanted('pager-ops'))).ok).toBe(true);
    expect(await destinations()).toEqual({ 'security-team': ['pager-ops'] });
  });

  it('gets the test messages of its addresses, and is shown with them', async () => {
    expect(await delivery.testAddress.test(home.tenantId, 'pager-ops')).toBeNull();
    expect(tested).toEqual(['pager-ops']);
    const destination = destinationNamed('security-team', await destinations(), new Map(), channelOf);
    expect(destinationView(destination).addresses).toMatchObject([{ address: 'pager-ops', channel: 'pager' }]);
  });

  it('gets the messages of incidents', async () => {
    await uow.run(home.tenantId, (tx) =>
      outbox.write(tx, { topic: 'incident.changed', payload: { incident_id: newId(), event: 'opened' } }),
    );
    const listed = (state: 'pending' | 'delivered') =>
      uow.run(home.tenantId, (tx) => outbox.list(tx, state, { after: null, limit: 10 }));
    const [written] = await listed('pending');
    expect(await delivery.deliverOutbox.execute(home.tenantId, written?.id ?? '')).toBeNull();
    expect((await listed('delivered')).map(({ destination }) => destination).sort()).toEqual([
      null,
      'pager:pager-ops:subject',
    ]);
  });

  it('is shown on pages by its title', () => {
    const queries = new QueryClient();
    const told = { requests: true, reminders: true, comments: true };
    queries.setQueryData(queryOf('/v1/notification-channels').queryKey, { items: channels.all.map(channelView) });
    queries.setQueryData(queryOf('/v1/notification-preferences').queryKey, { pager: told });
    const client = { client: queries, children: createElement(Preferences) };
    const page = renderToStaticMarkup(createElement(QueryClientProvider, client));
    expect(page).toMatch(/<legend[^>]*>the pager of the ward<\/legend>.*this installation lacks an aerial\./);
  });

  it('is named as a way to reach the people who are always told', async () => {
    const reaching = await uow.run(home.tenantId, (tx) => channels.reaching(tx, [admin.personId]));
    expect(reaching).toEqual(new Map([[admin.personId, ['pager']]]));
  });
});
