import { digestText, err, newId, ok, type AutonomyRevisionId, type Result } from '#lib/kernel';
import type { AutonomyInForce } from '#lib/autonomy';
import type { MayConnect } from '#lib/connection';
import type { EmergencyOverride } from '#lib/formats';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import { ChangeIncidentSettings } from './change-incident-settings.js';
import { channelOf, FakeDestinationWorld } from './fake-destination-world.js';

const PAGER_DUTY = { secret: 'pagerduty@1', url: 'https://events.pagerduty.com/v2/enqueue' };
const wanted = (more: Partial<IncidentSettings> = {}): IncidentSettings => ({
  destinations: { security: ['C1', 's@example.com'] },
  reviewDays: 5,
  pagerDuty: null,
  ...more,
});

let world: FakeDestinationWorld;
let rule: FakeTwoPersonRule;
let changing: ChangeIncidentSettings;
let override: EmergencyOverride | undefined;
let verdict: Awaited<ReturnType<MayConnect>>;
let resolved: Result<string>;
beforeEach(() => {
  world = new FakeDestinationWorld();
  rule = new FakeTwoPersonRule(world.uow);
  [override, verdict, resolved] = [undefined, 'public', ok('0123456789abcdef')];
  const autonomy = (): AutonomyInForce => ({
    revisionId: newId<AutonomyRevisionId>(),
    number: 1,
    digest: digestText('autonomy', '{}'),
    document: { autonomy: { mode: 'plan_only' }, ...(override && { emergency_override: override }) },
  });
  changing = new ChangeIncidentSettings({
    uow: world.uow,
    settings: world.settings,
    vault: { resolve: () => Promise.resolve(resolved) },
    mayConnect: () => Promise.resolve(verdict),
    autonomy: { current: () => Promise.resolve(autonomy()) },
    checks: world.checks,
    testing: world.testing,
    reaches: {
      channelOf,
      addressForms: () => ['the id of a Slack channel (C012AB3CD)', 'a mail address (ops@example.com)'],
    },
    twoPersonRule: rule,
    audit: world.audit,
  });
});

const put = (settings: IncidentSettings, by = world.admin) => changing.execute(by, settings);
/** Expects the refusal, and that the settings and the record stay. */
async function refuses(settings: IncidentSettings, error: object): Promise<void> {
  const before = await world.inForce();
  const entries = world.audited.filter(({ action }) => action === 'incident_settings.changed').length;
  expect(await put(settings)).toMatchObject({ ok: false, error });
  expect(await world.inForce()).toEqual(before);
  expect(world.audited.filter(({ action }) => action === 'incident_settings.changed')).toHaveLength(entries);
  expect(rule.waitingIn(world.tenant)).toEqual([]);
}

describe('incident settings that are put', () => {
  it('are in force and on record, after a test message to each new address', async () => {
    const settings = wanted({ reviewDays: 3, pagerDuty: PAGER_DUTY });
    expect(await put(settings)).toMatchObject({ ok: true, value: { outcome: 'done', value: settings, alone: false } });
    expect(await world.inForce()).toEqual(settings);
    expect(world.tested).toEqual(['C1', 's@example.com']);
    expect(world.audited.at(-1)).toMatchObject({
      action: 'incident_settings.changed',
      actor: { kind: 'person', id: world.admin.personId },
      level: 'full',
      subject: { type: 'tenant', id: world.tenant.tenantId },
      payload: {
        destinations: settings.destinations,
        review_days: 3,
        pagerduty: { url: PAGER_DUTY.url, routed_by: 'pagerduty@1' },
      },
    });
    expect(rule.movedIn(world.tenant)).toMatchObject([{ kind: 'incident_settings' }]);
    expect(await changing.read(world.tenant.tenantId)).toEqual(settings);
  });

  it('wait for a second person if they notify fewer people, and then come into force as their author’s', async () => {
    await put(wanted());
    rule.secondAdmin = true;
    const fewer = wanted({ destinations: { security: ['C1'] } });
    expect(await put(fewer, { ...world.admin, reason: 'The mailbox is gone.' })).toMatchObject({
      ok: true,
      value: { outcome: 'waits' },
    });
    expect(await world.inForce()).toEqual(wanted());
    const [change] = rule.waitingIn(world.tenant);
    expect(change).toMatchObject({
      kind: 'incident_settings',
      subject: { type: 'tenant', id: world.tenant.tenantId },
      payload: { destinations: fewer.destinations, review_days: 5, pagerduty: null },
      base: { destinations: wanted().destinations },
      loosens: ['s@example.com is no longer notified of incidents, as security'],
    });
    if (change === undefined) throw new Error('no change waits');
    const confirmed = sampleConfirmation(change, world.admin, world.tenant.owner);
    const carried = await world.inTx((tx) => changing.carryOut(tx, confirmed, changing.payload.parse(change.payload)));
    expect(carried).toMatchObject({ ok: true, value: { outcome: 'done' } });
    expect(await world.inForce()).toEqual(fewer);
    expect(world.audited.at(-1)).toMatchObject({
      actor: { id: world.tenant.owner.personId },
      payload: { requested_by: world.admin.personId },
    });
  });

  it('are not carried out over other settings than they were confirmed against, nor to an address that is refused meanwhile', async () => {
    await put(wanted());
    rule.secondAdmin = true;
    await put(wanted({ reviewDays: 9, pagerDuty: PAGER_DUTY }), { ...world.admin, reason: 'We are few.' });
    const [change] = rule.waitingIn(world.tenant);
    if (change === undefined) throw new Error('no change waits');
    const carry = () =>
      world.inTx((tx) =>
        changing.carryOut(
          tx,
          sampleConfirmation(change, world.admin, world.tenant.owner),
          changing.payload.parse(change.payload),
        ),
      );
    verdict = 'refused';
    expect(await carry()).toMatchObject({ ok: false, error: { code: 'incident.address_not_allowed' } });
    verdict = 'public';
    await put(wanted({ reviewDays: 4 }));
    expect(await carry()).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    expect(await world.inForce()).toMatchObject({ reviewDays: 4, pagerDuty: null });
  });
});

describe('incident settings are refused', () => {
  it('with an address of no channel, at its place, before any message is sent', async () => {
    await refuses(wanted({ destinations: { 'on/duty~': ['C1', 'somewhere'] } }), {
      kind: 'unprocessable',
      code: 'incident.address_unknown',
      action: 'Name the id of a Slack channel (C012AB3CD) or a mail address (ops@example.com).',
      errors: [{ pointer: '/destinations/on~1duty~0/1', code: 'incident.address_unknown' }],
    });
    expect(world.tested).toEqual([]);
  });

  it.each<[string, Awaited<ReturnType<MayConnect>>, string | null]>([
    ['https://events.pagerduty.com/v2/enqueue', 'public', null],
    ['http://events.pagerduty.com/v2/enqueue', 'public', 'incident.address_not_allowed'],
    ['http://pager.internal/', 'allowed', null],
    ['https://pager.internal/', 'refused', 'incident.address_not_allowed'],
  ])('with a PagerDuty at %s, which is %s: %s', async (url, answer, code) => {
    verdict = answer;
    const settings = wanted({ pagerDuty: { secret: 'pagerduty@1', url } });
    if (code === null) expect(await put(settings)).toMatchObject({ ok: true });
    else await refuses(settings, { code, errors: [{ pointer: '/pagerduty/url' }] });
  });

  it('with a routing key that is not there', async () => {
    resolved = err({ kind: 'unprocessable', code: 'secret.unknown', message: 'There is no such secret.' });
    await refuses(wanted({ pagerDuty: PAGER_DUTY }), { code: 'secret.unknown' });
  });

  describe('while break-glass is on', () => {
    beforeEach(async () => {
      await put(wanted({ destinations: { security: ['C1'], managers: ['C2'] } }));
      override = { enabled: true, allowed_roles: ['SRELead'], notifies: ['security', 'board'] };
    });

    it('if they silence a destination that it names', async () => {
      const needed = { kind: 'conflict', code: 'incident.destination_needed' };
      await refuses(wanted({ destinations: { managers: ['C2'] } }), needed);
      world.errors.set('C9', 'channel_not_found');
      await refuses(wanted({ destinations: { security: ['C9'], managers: ['C2'] } }), {
        ...needed,
        message: expect.stringContaining('C9: channel_not_found') as string,
        errors: [{ pointer: '/destinations/security' }],
      });
    });

    it('an address may go if its destination has another that answers, is named no more, or was silent before', async () => {
      expect(await put(wanted({ destinations: { security: ['C3'], managers: [] } }))).toMatchObject({ ok: true });
      world.errors.set('C3', 'is_archived');
      await world.testing.testAll(world.admin);
      expect(await put(wanted({ destinations: {} }))).toMatchObject({ ok: true });
      await put(wanted());
      override = { enabled: false, notifies: ['security'] };
      expect(await put(wanted({ destinations: {} }))).toMatchObject({ ok: true });
    });
  });
});
