import {
  expectStatus,
  testApi,
  type Answer,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { confirm, outcome, waits, type WaitingChange } from '../support/change-requests.js';
import { enrolTotp, steppedUp, type TestTotp } from '../support/second-factors.js';
import { verifiedBy } from '../support/verified-by.js';

const ROUTES = { channels: { production: 'C0PROD', '': 'C0REST' }, on_duty: [] as string[] };
const RESTORED = { reason: 'The backup of noon was restored', last_published: null };

describe('T44: one admin changes the log’s proofs, or the recipients of notices', () => {
  let api: TestApi;
  let tenant: TestTenant;
  let ben: TestPerson;
  let asAda: HttpAs;
  let asBen: HttpAs;
  let totp: TestTotp;

  beforeAll(async () => {
    api = await testApi();
    tenant = await api.tenant();
    asAda = api.http(tenant.admin.token);
    ben = await api.person(tenant, 'PlatformAdmin', 'SecurityReviewer');
    totp = await enrolTotp(api, ben);
    asBen = api.http(ben.token);
    await sequence();
  }, 60_000);
  afterAll(() => api.close());

  const sequence = (): Promise<unknown> => api.installation.audit.log.sequence.execute(tenant.id);
  const keys = async (): Promise<number> =>
    (expectStatus(await asBen.get('/v1/audit/keys'), 200).body.items as unknown[]).length;
  const epoch = async (): Promise<unknown> => {
    await sequence();
    return expectStatus(await asBen.get('/v1/audit/checkpoint'), 200).body.epoch;
  };
  const routes = async (): Promise<unknown> => {
    const { channels, on_duty } = expectStatus(await asBen.get('/v1/slack'), 200).body;
    return { channels, on_duty };
  };
  const entriesOf = async (action: string): Promise<readonly Record<string, unknown>[]> =>
    expectStatus(await asBen.get(`/v1/audit/entries?action=${action}`), 200).body.items as Record<string, unknown>[];

  async function confirmed(change: WaitingChange): Promise<void> {
    const { id, change_digest } = change;
    expect(outcome(await asAda.post(`/v1/change-requests/${id}/confirm`, { change_digest }))).toEqual([
      403,
      'change.own',
    ]);
    expectStatus(await confirm(asBen, totp, change), 200);
  }

  async function proved({ id }: WaitingChange): Promise<void> {
    const pack = expectStatus(await asBen.post(`/v1/change-requests/${id}/evidence`, {}), 200).text;
    const report = await verifiedBy(asBen, pack);
    expect(report).toMatchObject({ outcome: 'verified', subject: { id } });
    expect(report.passed.at(-2)).toContain('and carried out on that word');
    expect(report.passed.at(-1)).toContain('Known as it was confirmed');
  }

  it('T44 another signing key waits for a second person', async () => {
    const before = await keys();
    const change = waits(await asAda.post('/v1/audit/keys'));
    expect(change).toMatchObject({ kind: 'audit_key', state: 'open', requested_by: { id: tenant.admin.id } });
    expect(change.loosens).toEqual([
      'checkpoints are signed with a new key, which nobody who verifies evidence has yet',
    ]);
    expect(await keys()).toBe(before);
    await confirmed(change);
    expect(await keys()).toBe(before + 1);
    await proved(change);
    const [entry] = await entriesOf('audit_key.rotated');
    expect(entry).toMatchObject({ payload: { change_id: change.id, requested_by: tenant.admin.id } });
  });

  it('T44 a key that was asked for in place of another is void once that one signs no longer', async () => {
    const [first, second] = [await asAda.post('/v1/audit/keys'), await asAda.post('/v1/audit/keys')].map(waits) as [
      WaitingChange,
      WaitingChange,
    ];
    await confirmed(first);
    const { id, change_digest } = second;
    const step_up_id = await steppedUp(asBen, totp, { kind: 'change_confirm', change_id: id, change_digest });
    const answer = await asBen.post(`/v1/change-requests/${id}/confirm`, { change_digest, step_up_id });
    expect([answer.status, answer.body.code]).toEqual([409, 'change.closed']);
  });

  it('T44 a new epoch waits for a second person, and ends nothing before', async () => {
    expect(await epoch()).toBe(1);
    const change = waits(await asAda.post('/v1/audit/epochs', RESTORED));
    expect(change).toMatchObject({ kind: 'audit_epoch', state: 'open', change: RESTORED });
    expect(change.loosens).toEqual([
      'epoch 1 of the audit log ends: checkpoints kept outside say nothing of what follows',
      'each earlier grant and approval is refused, each run and automation is paused, and each execution of a hook ends',
    ]);
    expect(await epoch()).toBe(1);
    await confirmed(change);
    expect(await epoch()).toBe(2);
    await proved(change);
  });

  it('T44 the operator says on the server that a backup was restored, and the log names them', async () => {
    const waiting = waits(await asAda.post('/v1/audit/epochs', RESTORED));
    const command = { reason: RESTORED.reason, lastPublished: null };
    expect(await api.installation.audit.startEpoch.executeAsOperator(tenant.id, command)).toBe(3);
    expect(await epoch()).toBe(3);
    const [entry] = await entriesOf('audit_epoch.started');
    expect(entry).toMatchObject({ header: { actor: { kind: 'system', id: 'operator' }, level: 'critical' } });
    const { id, change_digest } = waiting;
    const step_up_id = await steppedUp(asBen, totp, { kind: 'change_confirm', change_id: id, change_digest });
    const answer = await asBen.post(`/v1/change-requests/${id}/confirm`, { change_digest, step_up_id });
    expect([answer.status, answer.body.code]).toEqual([409, 'change.closed']);
    expect(await epoch()).toBe(3);
  });

  it('T44 the recipients of undecided requests: a change waits if a role is told later, or no longer', async () => {
    const autonomy = async (escalation: string): Promise<Answer> => {
      const etag = (await asAda.get('/v1/autonomy')).headers.etag;
      const document = `autonomy:\n  mode: plan_only\n  environments:\n    production: { mode: plan_only${escalation} }\n`;
      return asAda.put('/v1/autonomy', document, etag === undefined ? {} : { 'if-match': etag });
    };
    const told = 'PlatformAdmin';
    await confirmed(expectStatus(await autonomy(`, escalation: { after_minutes: 30, to: [${told}] }`), 202).body);
    const which = 'of undecided requests in production';
    for (const [escalation, what] of [
      ['', `${told} are no longer notified ${which}`],
      [
        `, escalation: { after_minutes: 60, to: [${told}] }`,
        `${told} are notified after 1 hour, not 30 minutes, ${which}`,
      ],
    ] as const) {
      const { body: change } = expectStatus(await autonomy(escalation), 202);
      expect(change).toMatchObject({ kind: 'autonomy', state: 'open', loosens: [what] });
    }
    expectStatus(await autonomy(`, escalation: { after_minutes: 10, to: [${told}] }`), 200);
  });

  it('T44 a further recipient in Slack is set at once, and a removed channel or person waits', async () => {
    expectStatus(await asAda.put('/v1/slack/routes', ROUTES), 200);
    const elsewhere = { channels: { production: 'C0MINE', '': 'C0REST' }, on_duty: [] };
    const change = waits(await asAda.put('/v1/slack/routes', elsewhere));
    expect(change).toMatchObject({
      kind: 'slack_routes',
      loosens: ['the channel C0PROD no longer hears of production, C0MINE does'],
    });
    expect(await routes()).toEqual(ROUTES);
    await confirmed(change);
    expect(await routes()).toEqual(elsewhere);
    await proved(change);

    const onDuty = { ...elsewhere, on_duty: [ben.id] };
    const instead = waits(await asAda.put('/v1/slack/routes', onDuty));
    await confirmed(instead);
    const off = waits(await asAda.put('/v1/slack/routes', elsewhere));
    expect(off.loosens[0]).toMatch(/ is on duty no longer, and is told nothing directly$/);
    expect(off.loosens[0]).not.toContain(ben.id);
    expectStatus(await asAda.put('/v1/slack/routes', onDuty), 200);
    expect(await routes()).toEqual(onDuty);
  });
});
