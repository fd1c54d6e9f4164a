import { err, newId, ok, type Failure, type IncidentId, type Result, type Tx } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { PageAction } from '../domain/page-event.js';
import { sampleOpen } from './fake-incident.js';
import { fakeIncidents } from './fake-incidents.js';
import type { Page, Pager } from './incident.ports.js';

const PAGER_DUTY = { secret: 'pagerduty@1', url: 'https://events.example/v2/enqueue' };
const TAKEN = { status: 202, retryAfterSeconds: null, body: '' };
const REFUSED = { status: 400, retryAfterSeconds: null, body: 'invalid event' };
const UNKNOWN: Failure = {
  kind: 'not_found',
  code: 'secret.unknown',
  message: 'There is no such secret.',
  action: 'Store it.',
};

/** An incident with a trigger that waits for PagerDuty. */
async function paged() {
  const { uow, home, other } = fakeWorld();
  const sent: { readonly url: string; readonly event: unknown }[] = [];
  const pager = {
    answer: (): Awaited<ReturnType<Pager['send']>> => TAKEN,
    key: ok('the key') as Result<string>,
    reads: [] as unknown[],
  };
  const { parts, incidents, settings, pages, audit, outbox } = fakeIncidents(uow, home, {
    vault: {
      resolve: (_tx, reference, use) => {
        pager.reads.push([reference, use]);
        return Promise.resolve(pager.key);
      },
    },
    pager: {
      send: (_tenantId, url, event) => {
        sent.push({ url, event });
        return Promise.resolve().then(() => pager.answer());
      },
    },
  });
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const incident = sampleOpen();
  const configure = (pagerDuty: typeof PAGER_DUTY | null): Promise<void> =>
    inTx((tx) => settings.save(tx, { destinations: {}, reviewDays: 5, pagerDuty }, home.admin.personId));
  const pageOf = async (action: PageAction): Promise<Page> => {
    const found = (await inTx((tx) => pages.of(tx, incident.id))).find((page) => page.action === action);
    if (found === undefined) throw new Error(`no page ${action}`);
    return found;
  };
  await configure(PAGER_DUTY);
  await inTx(async (tx) => {
    await incidents.insert(tx, incident);
    incidents.runs.of(tx).set(incident.id, { runId: newId(), runState: 'executing' });
    await pages.write(tx, incident.id, 'trigger');
    await pages.write(tx, incident.id, 'acknowledge');
  });
  return {
    uow,
    pager,
    sent,
    incident,
    configure,
    pageOf,
    admin: home.admin,
    elsewhere: other,
    send: async (action: PageAction = 'trigger', tenantId = home.tenantId) =>
      parts.sendPages.execute(tenantId, (await pageOf(action)).id),
    resend: parts.resendPages,
    count: async () => (await inTx((tx) => incidents.lock(tx, incident.id)))?.eventCount,
    timeline: (id: IncidentId = incident.id) => inTx((tx) => incidents.events(tx, id)),
    audited: () => audit.of(home),
    notices: () => outbox.of(home),
  };
}

describe('an event for PagerDuty', () => {
  it('goes to the address of the settings, with the key of the vault, once', async () => {
    const world = await paged();
    await world.send();
    await world.send();
    expect(world.pager.reads).toEqual([['pagerduty@1', { purpose: 'incidents' }]]);
    expect(world.sent).toMatchObject([
      {
        url: PAGER_DUTY.url,
        event: {
          routing_key: 'the key',
          event_action: 'trigger',
          dedup_key: world.incident.id,
          client_url: `https://countersign.example/incidents/${world.incident.id}`,
          payload: { summary: `Break-glass in production by name of ${world.incident.invokedBy}` },
        },
      },
    ]);
    expect(await world.pageOf('trigger')).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
    expect([await world.timeline(), world.audited()]).toEqual([[], []]);
  });

  it('waits for the one before it, and is unknown to other tenants', async () => {
    const world = await paged();
    await world.send('acknowledge');
    await world.send('trigger', world.elsewhere.tenantId);
    expect(world.sent).toEqual([]);
    await world.send('trigger');
    await world.send('acknowledge');
    expect(world.sent).toMatchObject([
      { event: { event_action: 'trigger' } },
      { event: { event_action: 'acknowledge' } },
    ]);
  });

  it.each([
    ['after an answer that may change', () => ({ ...REFUSED, status: 503, body: 'busy' }), 2_000, 'answered 503: busy'],
    ['as late as PagerDuty asks', () => ({ ...REFUSED, status: 429, retryAfterSeconds: 30 }), 30_000, 'answered 429'],
    [
      'after a connection that failed',
      () => {
        throw new Error('connection reset');
      },
      2_000,
      'connection reset',
    ],
  ])('is sent again %s', async (_when, answer, delay, error) => {
    const world = await paged();
    world.pager.answer = answer;
    await world.send();
    const later = await world.pageOf('trigger');
    expect(later).toMatchObject({ state: 'pending', attempts: 1 });
    expect(later.lastError).toContain(error);
    world.pager.answer = () => TAKEN;
    world.uow.now += delay - 1;
    await world.send();
    expect(world.sent).toHaveLength(1);
    world.uow.now += 1;
    await world.send();
    expect(await world.pageOf('trigger')).toMatchObject({ state: 'sent', attempts: 2 });
    expect(await world.timeline()).toEqual([]);
  });

  it('that PagerDuty refuses is an entry of the timeline and the audit log, without a notice', async () => {
    const world = await paged();
    world.pager.answer = () => REFUSED;
    await world.send();
    expect(await world.pageOf('trigger')).toMatchObject({ state: 'failed', attempts: 1 });
    const text = 'PagerDuty did not take the event "trigger": PagerDuty answered 400: invalid event';
    expect(await world.timeline()).toMatchObject([
      { seq: 2, kind: 'page_failed', text, data: { page_action: 'trigger', attempts: 1 }, actor: { kind: 'system' } },
    ]);
    expect(await world.count()).toBe(2);
    expect(world.audited()).toMatchObject([{ action: 'incident.page_failed', level: 'critical' }]);
    expect(world.notices()).toEqual([]);
  });

  it('fails without a call if PagerDuty was switched off, or its key is gone', async () => {
    const world = await paged();
    await world.configure(null);
    await world.send();
    await world.configure(PAGER_DUTY);
    world.pager.key = err(UNKNOWN);
    await world.send('acknowledge');
    expect(world.sent).toEqual([]);
    expect(await world.pageOf('trigger')).toMatchObject({
      state: 'failed',
      lastError: 'PagerDuty was switched off since.',
    });
    expect(await world.pageOf('acknowledge')).toMatchObject({ state: 'failed', lastError: UNKNOWN.message });
    expect(await world.count()).toBe(3);
  });

  it('that failed is listed, and sent again for an admin, with all later ones', async () => {
    const world = await paged();
    world.pager.answer = () => REFUSED;
    await world.send();
    world.pager.answer = () => TAKEN;
    await world.send('acknowledge');
    const trigger = await world.pageOf('trigger');
    const page = { limit: 10, after: null };
    expect(await world.resend.failed(world.admin, page)).toEqual([trigger]);
    expect(await world.resend.failed(world.elsewhere.admin, page)).toEqual([]);
    expect(await world.resend.execute(world.elsewhere.admin, trigger.id)).toMatchObject({
      error: { code: 'resource.not_found' },
    });
    expect(await world.resend.execute(world.admin, trigger.id)).toMatchObject({ ok: true });
    expect(await world.resend.execute(world.admin, trigger.id)).toMatchObject({
      error: { code: 'incident_page.not_failed' },
    });
    expect(world.audited().slice(1)).toMatchObject([
      {
        action: 'incident_page.retried',
        subject: { type: 'incident', id: world.incident.id },
        payload: { page_id: trigger.id, page_action: 'trigger', attempts: 1 },
      },
    ]);
    await world.send('trigger');
    await world.send('acknowledge');
    expect(world.sent).toHaveLength(4);
  });
});
