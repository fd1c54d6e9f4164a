import { expectStatus, testApi, type Answer, type HttpAs, type TestApi } from '../support/api.js';
import {
  confirm,
  autonomyWith,
  BREAK_GLASS,
  inForce,
  outcome,
  provedKinds,
  toolOf,
  twoAdminsWithRules,
  waits,
  type TwoAdmins,
} from '../support/change-requests.js';
import { auditedOf } from '../support/second-factors.js';
import { verifiedBy } from '../support/verified-by.js';

let api: TestApi;
let two: TwoAdmins;
beforeAll(async () => {
  api = await testApi();
  two = await twoAdminsWithRules(api);
}, 60_000);
afterAll(() => api.close());

const riskOf = async (by: HttpAs, name: string): Promise<unknown> =>
  (await by.get(`/v1/tools/${name}`)).body.versions[0].definition.risk as unknown;

describe('T34: one admin loosens a guardrail', () => {
  it('a lowered risk waits, and a second person carries it out', async () => {
    const { asAda, asBen, totp, ada, ben } = two;
    const created = waits(await asAda.put('/v1/tools/restart', toolOf('state_change_prod')));
    expect(created.loosens).toEqual(['restart: agents can call it']);
    expect(outcome(await asAda.get('/v1/tools/restart'))).toEqual([404, 'resource.not_found']);
    expectStatus(await confirm(asBen, totp, created), 200);

    const lowered = waits(await asAda.put('/v1/tools/restart', toolOf('read_only')));
    expect(lowered.loosens).toContain('restart: risk goes down from state_change_prod to read_only');
    expect(lowered.detail).toMatchObject({
      tools: [{ name: 'restart', before: { risk: 'state_change_prod' }, after: { risk: 'read_only' } }],
    });
    expect(await riskOf(asAda, 'restart')).toBe('state_change_prod');
    const applied = expectStatus(await confirm(asBen, totp, lowered), 200).body;
    expect(applied).toMatchObject({
      state: 'applied',
      requested_by: { id: ada.id },
      closed_by: { id: ben.id },
      mfa_method: 'totp',
      confirmers: [],
      you: { may_confirm: false, why_not: { code: 'change.closed' } },
    });
    expect(await riskOf(asAda, 'restart')).toBe('read_only');
    const { versions } = (await asAda.get('/v1/tools/restart')).body;
    expect(versions[0].created_by).toBe(ada.id);
    const [record] = (await auditedOf(api, 'tool.updated', ben.id)).slice(-1);
    expect(record).toMatchObject({ change_id: lowered.id, requested_by: ada.id, guarded: true });
  });

  it('says why: without a reason nothing waits, and with one the confirmer, the record and the evidence have it', async () => {
    const { tenant, asAda, asBen, ada } = two;
    const wanted = { method: 'PUT', url: '/v1/tools/rename', payload: toolOf('read_only') } as const;
    const send = (reason?: string) =>
      api.app.inject({
        ...wanted,
        headers: {
          authorization: `Bearer ${tenant.admin.token}`,
          ...(reason === undefined ? {} : { 'countersign-reason': reason }),
        },
      });
    const before = (await asBen.get('/v1/change-requests')).text;
    const none = await send();
    expect([none.statusCode, none.json<{ code: string }>().code]).toEqual([422, 'change.reason_missing']);
    for (const reason of ['too short', '%E0%A4%A', encodeURIComponent('x'.repeat(1_001)), ' '.repeat(20)]) {
      const refused = await send(reason);
      expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([422, 'change.reason_invalid']);
    }
    expect((await asBen.get('/v1/change-requests')).text).toBe(before);
    const asked = await send(encodeURIComponent('Für den Notdienst; password=hunter2hunter2'));
    expect(asked.statusCode).toBe(202);
    const { id, reason } = asked.json<{ id: string; reason: string }>();
    expect(reason).toBe('Für den Notdienst; password=[masked]');
    expect((await asBen.get(`/v1/change-requests/${id}`)).body.reason).toBe(reason);
    const record = (await auditedOf(api, 'change.requested', ada.id)).at(-1);
    expect(record).toMatchObject({ reason });
    const pack = expectStatus(await asBen.post(`/v1/change-requests/${id}/evidence`, {}), 200).text;
    const report = await verifiedBy(asBen, pack);
    expect(report.failure).toBeNull();
    expect(report.passed.join('\n')).toContain(`gave as the reason: ${JSON.stringify(reason)}`);
    expectStatus(await asAda.post(`/v1/change-requests/${id}/withdraw`), 200);
  });

  it('a tool that was removed does not come back looser unseen', async () => {
    const { asAda, asBen, totp } = two;
    const created = waits(await asAda.put('/v1/tools/reboot', toolOf('state_change_prod')));
    expectStatus(await confirm(asBen, totp, created), 200);
    expectStatus(await asAda.delete('/v1/tools/reboot'), 200);
    const again = waits(await asAda.put('/v1/tools/reboot', toolOf('read_only')));
    expect(again.loosens).toContain('reboot: risk goes down from state_change_prod to read_only');
  });

  it('a looser autonomy document waits as a whole; one that tightens is in force at once', async () => {
    const { asAda, asBen, totp } = two;
    const before = (await asAda.get('/v1/autonomy')).text;
    const looser = before.replace('[SRELead]', '[SRELead, PlatformAdmin]');
    const change = waits(await asAda.put('/v1/autonomy', looser, await inForce(asAda)));
    expect(change.loosens.join('\n')).toMatch(
      /^production, .*approvals: 1 of SRELead becomes 1 of PlatformAdmin or SRELead$/m,
    );
    expect(change.detail.diff).toContain('+      allowed_approvers: [SRELead, PlatformAdmin]');
    expect((await asAda.get('/v1/autonomy')).text).toBe(before);
    expectStatus(await confirm(asBen, totp, change), 200);
    expect((await asAda.get('/v1/autonomy')).text).toBe(looser);

    const tighter = expectStatus(await asAda.put('/v1/autonomy', before, await inForce(asAda)), 200).body;
    expect(tighter).toMatchObject({ changed: true, loosening: [] });
    expect(tighter).not.toHaveProperty('guarded');
  });

  it('break-glass waits before it is on, and before more people have it', async () => {
    const { asAda, asBen, totp } = two;
    const on = waits(await asAda.put('/v1/autonomy', autonomyWith('SRELead', BREAK_GLASS), await inForce(asAda)));
    expect(on.loosens).toEqual(['break-glass is switched on, for SRELead']);
    expectStatus(await confirm(asBen, totp, on), 200);
    const wider = BREAK_GLASS.replace('[SRELead]', '[SRELead, PlatformAdmin]');
    const more = waits(await asAda.put('/v1/autonomy', autonomyWith('SRELead', wider), await inForce(asAda)));
    expect(more.loosens).toEqual(['PlatformAdmin may break the glass']);
    expectStatus(await asAda.put('/v1/autonomy', autonomyWith(), await inForce(asAda)), 200);
  });

  it('larger batches and older simulations wait, though no cell of the matrix changes', async () => {
    const { asAda, asBen, totp } = two;
    const limits = (percent: number, minutes: number): string =>
      `${autonomyWith()}      max_batch_percent: ${String(percent)}\n      simulation_valid_minutes: ${String(minutes)}\n`;
    expectStatus(await asAda.put('/v1/autonomy', limits(10, 60), await inForce(asAda)), 200);
    const raised = waits(await asAda.put('/v1/autonomy', limits(20, 90), await inForce(asAda)));
    expect(raised.loosens).toEqual([
      'production, the largest batch in percent: 10 becomes 20',
      'production, the minutes a simulation is good for: 60 becomes 90',
    ]);
    expectStatus(
      await confirm(asBen, totp, waits(await asAda.put('/v1/autonomy', autonomyWith(), await inForce(asAda)))),
      200,
    );
  });

  it('a freeze that goes, or covers less, waits; another does not', async () => {
    const { asAda, asBen, totp } = two;
    const frozen = (until: string): string =>
      `${autonomyWith()}freezes:\n  - name: year-end\n    time_zone: Europe/Berlin\n    from: 2099-12-24T18:00\n    until: ${until}\n`;
    expectStatus(await asAda.put('/v1/autonomy', frozen('2099-12-31T18:00'), await inForce(asAda)), 200);
    const shorter = waits(await asAda.put('/v1/autonomy', frozen('2099-12-27T18:00'), await inForce(asAda)));
    expect(shorter.loosens).toEqual(['freeze year-end covers less, or something else']);
    const gone = waits(await asAda.put('/v1/autonomy', autonomyWith(), await inForce(asAda)));
    expect(gone.loosens).toEqual(['freeze year-end is removed']);
    expectStatus(await confirm(asBen, totp, gone), 200);
  });

  it('an executor’s address and audience wait, another secret does not', async () => {
    const { asAda, asBen, totp } = two;
    const path = '/v1/environments/staging/executors/fleet';
    const executor = { kind: 'http', url: 'https://tools.example.com/fleet', audience: 'fleet' };
    const added = waits(await asAda.put(path, executor));
    expect(added.loosens).toEqual([
      'tools are carried out by https://tools.example.com/fleet, where nothing carried them out',
    ]);
    expectStatus(await confirm(asBen, totp, added), 200);
    const moved = waits(
      await asAda.put(path, { ...executor, url: 'https://elsewhere.example.com/fleet', audience: 'other' }),
    );
    expect(moved.loosens).toHaveLength(2);
    expectStatus(
      await asAda.put('/v1/secrets/fleet-token', {
        value: 'a long bearer token',
        binding: { purpose: 'executor_token', executors: ['staging/fleet'] },
      }),
      200,
    );
    expectStatus(await asAda.put(path, { ...executor, secret: 'fleet-token@1' }), 200);
    expect(outcome(await confirm(asBen, totp, moved))).toEqual([409, 'change.closed']);
    expect((await asAda.get(`/v1/change-requests/${moved.id}`)).body).toMatchObject({ state: 'voided' });
  });

  it('a wider binding of a secret waits, a narrower one does not', async () => {
    const { asAda, asBen, totp } = two;
    const binding = { purpose: 'tool_arguments', executors: ['staging/fleet'], tools: ['restart'] };
    expectStatus(await asAda.put('/v1/secrets/web-root', { value: 'a root password', binding }), 200);
    const path = '/v1/secrets/web-root/binding';
    const wider = { binding: { ...binding, executors: ['staging/fleet', 'production/fleet'] } };
    const asked = waits(await asAda.put(path, wider));
    expect(asked.loosens).toEqual(['it may be sent to the executor production/fleet']);
    // Nor with the next version of its value.
    const smuggled = await asAda.put('/v1/secrets/web-root', { value: 'another', binding: wider.binding });
    expect(outcome(smuggled)).toEqual([409, 'secret.binding_widens']);
    expectStatus(await confirm(asBen, totp, asked), 200);
    const listed = (await asAda.get('/v1/secrets')).body.items as {
      name: string;
      version: number;
      binding: unknown;
    }[];
    expect(listed.filter(({ name }) => name === 'web-root')).toMatchObject([
      { version: 1, binding: { executors: ['production/fleet', 'staging/fleet'] } },
    ]);
    expectStatus(await asAda.put(path, { binding: null }), 200);
    expect(waits(await asAda.put(path, { binding })).loosens).toEqual([
      'calls of restart may get it, at staging/fleet',
    ]);
  });

  it('an environment waits before it stops being production, and becomes it at once', async () => {
    const { asAda, asBen, totp } = two;
    const made = expectStatus(await asAda.post('/v1/environments', { name: 'edge', production: true }), 201).body;
    const path = `/v1/environments/${String(made.id)}`;
    const flag = waits(await asAda.patch(path, { production: false }, { 'if-match': '"1"' }));
    expect((await asAda.get(path)).body.production).toBe(true);
    expectStatus(await confirm(asBen, totp, flag), 200);
    expect((await asAda.get(path)).body).toMatchObject({ production: false, version: 2 });
    expectStatus(await asAda.patch(path, { production: true }, { 'if-match': '"2"' }), 200);
  });

  it('a looser way to sign in waits, and a stricter one does not', async () => {
    const { asAda, asBen, totp } = two;
    const put = async (minutes: number): Promise<Answer> => {
      const { body, headers } = expectStatus(await asAda.get('/v1/issuers'), 200);
      const ifMatch = body.revision === 0 ? {} : { 'if-match': headers.etag ?? '' };
      return asAda.put('/v1/issuers', { reauthenticate_after_minutes: minutes, issuers: [] }, ifMatch);
    };
    expectStatus(await put(60), 200);
    const longer = waits(await put(600));
    expect(longer.loosens).toHaveLength(1);
    expectStatus(await confirm(asBen, totp, longer), 200);
    expect((await asAda.get('/v1/issuers')).body).toMatchObject({ reauthenticate_after_minutes: 600, revision: 2 });
  });

  it('incidents wait before fewer are told of them, or later; more are told at once', async () => {
    const { asAda, asBen, totp, adas } = two;
    const put = (destinations: Record<string, string[]>, review_days = 5): Promise<Answer> =>
      asAda.put('/v1/incident-settings', { destinations, review_days });
    const told = async (): Promise<unknown> => (await asAda.get('/v1/incident-settings')).body.destinations as unknown;
    expectStatus(await put({ security: ['C012AB3CD'] }), 200);
    const both = { security: ['C012AB3CD', 'security@example.com'] };
    expect(expectStatus(await put(both, 3), 200).body).not.toHaveProperty('guarded');
    const silent = waits(await put({}, 3));
    expect(silent.loosens).toEqual([
      'C012AB3CD is no longer notified of incidents, as security',
      'security@example.com is no longer notified of incidents, as security',
    ]);
    expect(await told()).toEqual(both);
    const later = waits(await put(both, 30));
    expect(later.loosens).toEqual(['a review is overdue after 30 days, not 3']);
    expect(outcome(await confirm(asAda, adas, silent))).toEqual([403, 'change.own']);
    expectStatus(await confirm(asBen, totp, silent), 200);
    expect(await told()).toEqual({});
    expect(outcome(await confirm(asBen, totp, later))).toEqual([409, 'change.closed']);
  });

  it('nothing waits if nothing changes, and a dry run opens nothing', async () => {
    const { asAda } = two;
    expectStatus(await asAda.put('/v1/tools/restart', toolOf('read_only')), 200);
    expectStatus(await asAda.put('/v1/tools/restart', toolOf('read_only', 'Restarts one service.')), 200);
    const open = async (): Promise<number> =>
      (await asAda.get('/v1/change-requests?state=open')).body.items.length as number;
    const before = await open();
    const dry = await asAda.put('/v1/autonomy?dry_run=true', autonomyWith('SRELead', BREAK_GLASS));
    expect(expectStatus(dry, 200).body.loosening).toEqual(['break-glass is switched on, for SRELead']);
    expect(await open()).toBe(before);
  });

  it('leaves evidence for each kind that proves author, confirmer and effect offline', async () => {
    expect(await provedKinds(two.asAda)).toEqual([
      'autonomy',
      'environment',
      'executor',
      'incident_settings',
      'secret_binding',
      'sign_in',
      'tool_catalog',
    ]);
  }, 60_000);
});
