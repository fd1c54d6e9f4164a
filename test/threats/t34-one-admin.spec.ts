import { readFileSync } from 'node:fs';
import type { ChangeKind, ChangeRequestId, PersonId } from '#lib/kernel';
import type { NoticeToTell } from '#lib/delivery';
import {
  expectStatus,
  operatorToken,
  testApi,
  type Answer,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { localSlack, type LocalSlack } from '../support/local-slack.js';
import { verifiedBy } from '../support/verified-by.js';
import { auditedOf, enrolTotp, steppedUp, type TestTotp } from '../support/second-factors.js';

let api: TestApi;
let slack: LocalSlack;
beforeAll(async () => {
  slack = await localSlack({});
  api = await testApi({ config: { slackUrl: slack.url } });
}, 60_000);
afterAll(async () => {
  await api.close();
  await slack.close();
});

interface Decided {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
}

/** Kinds of changes, by name. The kinds of the audit log and of Slack routes are in t44-*.spec.ts. */
const ALL_KINDS = [
  'agent_owner',
  'autonomy',
  'enrolment',
  'environment',
  'executor',
  'factor_reset',
  'incident_settings',
  'person_enabled',
  'role_assignment',
  'secret_binding',
  'sign_in',
  'slack_app',
  'slack_workspace',
  'tool_catalog',
] as const satisfies readonly ChangeKind[];

const CARRIED_OUT =
  /^Asked for by .*, confirmed by .*, who is somebody else, and carried out on that word: exactly this change, \d+ actions?\.$/;
const NOTHING_DONE = /^Asked for by .*; (open|rejected|withdrawn|expired|voided), and nothing of it was carried out\.$/;

/** Assembles and verifies the evidence of changes. @returns the kinds of those that were carried out. */
async function provedKinds(auditor: HttpAs, decided: readonly Decided[]): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  for (const { id, kind, state } of decided) {
    const pack = expectStatus(await auditor.post(`/v1/change-requests/${id}/evidence`, {}), 200).text;
    expect(pack).not.toContain(slack.workspace.botToken);
    const report = await verifiedBy(auditor, pack);
    expect(report).toMatchObject({ failure: null, subject: { type: 'change_request', id } });
    const said = report.passed.at(state === 'applied' ? -2 : -1);
    expect(said).toMatch(state === 'applied' ? CARRIED_OUT : NOTHING_DONE);
    if (state === 'applied') expect(report.passed.at(-1)).toMatch(/^Known as it was confirmed: ./);
    if (state === 'applied') kinds.add(kind);
  }
  return kinds;
}

const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];

const document = (approvers = 'SRELead', override = ''): string => `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [${approvers}]
${override}`;

const breakGlass = `emergency_override:
  enabled: true
  allowed_roles: [SRELead]
`;

const catalog = readFileSync('catalog/adr-009.yaml', 'utf8');

const tool = (risk: string, description = 'Restarts a service.') => ({
  description,
  risk,
  idempotent: true,
  scope: 'asset',
  parameters: {
    type: 'object',
    properties: { service: { type: 'string', maxLength: 100 } },
    required: ['service'],
    additionalProperties: false,
  },
  identity_fields: ['/service'],
});

/** A tenant that ada set up alone; then came ben, with a second factor. */
interface Pair {
  readonly tenant: TestTenant;
  readonly ada: TestPerson;
  readonly ben: TestPerson;
  readonly asAda: HttpAs;
  readonly asBen: HttpAs;
  readonly totp: TestTotp;
  /** Ada's own proof, which confirms no change of hers. */
  readonly adas: TestTotp;
}

async function pair(): Promise<Pair> {
  const tenant = await api.tenant();
  const asAda = api.http(tenant.admin.token);
  expectStatus(await asAda.put('/v1/tools', catalog), 200);
  for (const role of ['SRELead', 'SRELead']) await api.person(tenant, role);
  expectStatus(await asAda.put('/v1/autonomy', document()), 200);
  const ben = await api.person(tenant, 'PlatformAdmin');
  const totp = await enrolTotp(api, ben);
  const adas = await enrolTotp(api, tenant.admin);
  return { tenant, ada: tenant.admin, ben, asAda, asBen: api.http(ben.token), totp, adas };
}

interface Change {
  readonly id: string;
  readonly what: string;
  readonly reason: string;
  readonly change_digest: string;
  readonly loosens: readonly string[];
  readonly detail: Record<string, unknown>;
}

const waits = (answer: Answer): Change => expectStatus(answer, 202).body as Change;

const operationOf = ({ id, change_digest }: Change) => ({ kind: 'change_confirm', change_id: id, change_digest });

/** Confirms with a fresh proof. */
async function confirm(by: HttpAs, totp: TestTotp, change: Change): Promise<Answer> {
  const step_up_id = await steppedUp(by, totp, operationOf(change));
  return by.post(`/v1/change-requests/${change.id}/confirm`, { change_digest: change.change_digest, step_up_id });
}

const etag = async (by: HttpAs): Promise<Record<string, string>> => ({
  'if-match': String((await by.get('/v1/autonomy')).headers.etag),
});

const stateOf = async (by: HttpAs, { id }: Change): Promise<unknown> =>
  (await by.get(`/v1/change-requests/${id}`)).body.state as unknown;

const riskOf = async (by: HttpAs, name: string): Promise<unknown> =>
  (await by.get(`/v1/tools/${name}`)).body.versions[0].definition.risk as unknown;

describe('T34: one admin loosens a guardrail', () => {
  let two: Pair;
  beforeAll(async () => {
    two = await pair();
  }, 60_000);

  describe('with a second admin', () => {
    it('a lowered risk waits, and a second person carries it out', async () => {
      const { asAda, asBen, totp, ada, ben } = two;
      const created = waits(await asAda.put('/v1/tools/restart', tool('state_change_prod')));
      expect(created.loosens).toEqual(['restart: agents can call it']);
      expect(outcome(await asAda.get('/v1/tools/restart'))).toEqual([404, 'resource.not_found']);
      expectStatus(await confirm(asBen, totp, created), 200);

      const lowered = waits(await asAda.put('/v1/tools/restart', tool('read_only')));
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
      const wanted = { method: 'PUT', url: '/v1/tools/rename', payload: tool('read_only') } as const;
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
      const created = waits(await asAda.put('/v1/tools/reboot', tool('state_change_prod')));
      expectStatus(await confirm(asBen, totp, created), 200);
      expectStatus(await asAda.delete('/v1/tools/reboot'), 200);
      const again = waits(await asAda.put('/v1/tools/reboot', tool('read_only')));
      expect(again.loosens).toContain('reboot: risk goes down from state_change_prod to read_only');
    });

    it('a looser autonomy document waits as a whole; one that tightens is in force at once', async () => {
      const { asAda, asBen, totp } = two;
      const before = (await asAda.get('/v1/autonomy')).text;
      const looser = before.replace('[SRELead]', '[SRELead, PlatformAdmin]');
      const change = waits(await asAda.put('/v1/autonomy', looser, await etag(asAda)));
      expect(change.loosens.join('\n')).toMatch(
        /^production, .*approvals: 1 of SRELead becomes 1 of PlatformAdmin or SRELead$/m,
      );
      expect(change.detail.diff).toContain('+      allowed_approvers: [SRELead, PlatformAdmin]');
      expect((await asAda.get('/v1/autonomy')).text).toBe(before);
      expectStatus(await confirm(asBen, totp, change), 200);
      expect((await asAda.get('/v1/autonomy')).text).toBe(looser);

      const tighter = expectStatus(await asAda.put('/v1/autonomy', before, await etag(asAda)), 200).body;
      expect(tighter).toMatchObject({ changed: true, loosening: [] });
      expect(tighter).not.toHaveProperty('guarded');
    });

    it('break-glass waits before it is on, and before more people have it', async () => {
      const { asAda, asBen, totp } = two;
      const on = waits(await asAda.put('/v1/autonomy', document('SRELead', breakGlass), await etag(asAda)));
      expect(on.loosens).toEqual(['break-glass is switched on, for SRELead']);
      expectStatus(await confirm(asBen, totp, on), 200);
      const wider = breakGlass.replace('[SRELead]', '[SRELead, PlatformAdmin]');
      const more = waits(await asAda.put('/v1/autonomy', document('SRELead', wider), await etag(asAda)));
      expect(more.loosens).toEqual(['PlatformAdmin may break the glass']);
      expectStatus(await asAda.put('/v1/autonomy', document(), await etag(asAda)), 200);
    });

    it('larger batches and older simulations wait, though no cell of the matrix changes', async () => {
      const { asAda, asBen, totp } = two;
      const limits = (percent: number, minutes: number): string =>
        `${document()}      max_batch_percent: ${String(percent)}\n      simulation_valid_minutes: ${String(minutes)}\n`;
      expectStatus(await asAda.put('/v1/autonomy', limits(10, 60), await etag(asAda)), 200);
      const raised = waits(await asAda.put('/v1/autonomy', limits(20, 90), await etag(asAda)));
      expect(raised.loosens).toEqual([
        'production, the largest batch in percent: 10 becomes 20',
        'production, the minutes a simulation is good for: 60 becomes 90',
      ]);
      expectStatus(
        await confirm(asBen, totp, waits(await asAda.put('/v1/autonomy', document(), await etag(asAda)))),
        200,
      );
    });

    it('a freeze that goes, or covers less, waits; another does not', async () => {
      const { asAda, asBen, totp } = two;
      const frozen = (until: string): string =>
        `${document()}freezes:\n  - name: year-end\n    time_zone: Europe/Berlin\n    from: 2099-12-24T18:00\n    until: ${until}\n`;
      expectStatus(await asAda.put('/v1/autonomy', frozen('2099-12-31T18:00'), await etag(asAda)), 200);
      const shorter = waits(await asAda.put('/v1/autonomy', frozen('2099-12-27T18:00'), await etag(asAda)));
      expect(shorter.loosens).toEqual(['freeze year-end covers less, or something else']);
      const gone = waits(await asAda.put('/v1/autonomy', document(), await etag(asAda)));
      expect(gone.loosens).toEqual(['freeze year-end is removed']);
      expectStatus(await confirm(asBen, totp, gone), 200);
    });

    it('a role waits; taking one away does not', async () => {
      const { tenant, asAda, asBen, totp } = two;
      const carl = await api.person(tenant);
      const change = waits(await asAda.post(`/v1/people/${carl.id}/roles`, { role: 'SecurityReviewer' }));
      expect((await asAda.get(`/v1/people/${carl.id}`)).body.roles).toEqual([]);
      expectStatus(await confirm(asBen, totp, change), 200);
      expect((await asAda.get(`/v1/people/${carl.id}`)).body.roles).toMatchObject([
        { role: 'SecurityReviewer', assigned_by: tenant.admin.id },
      ]);
      expectStatus(await asAda.delete(`/v1/people/${carl.id}/roles/SecurityReviewer`), 204);
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

    it('somebody’s second factors wait before they are reset', async () => {
      const { tenant, asAda, asBen, totp } = two;
      const dana = await api.person(tenant, 'SRELead');
      await enrolTotp(api, dana);
      const reset = waits(await asAda.post(`/v1/people/${dana.id}/factors/reset`, { reason: 'called from home' }));
      expect((await api.http(dana.token).get('/v1/factors')).body.items).toHaveLength(1);
      expectStatus(await confirm(asBen, totp, reset), 200);
      expect((await api.http(dana.token).get('/v1/factors')).body.items).toEqual([]);
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

    it('a further enrolment token opens nothing before it is confirmed', async () => {
      const { tenant, asAda, asBen, totp, adas } = two;
      const dana = await api.person(tenant, 'SRELead');
      const asked = await asAda.post(`/v1/people/${dana.id}/enrolment`);
      const change = waits(asked);
      expect(change.loosens).toEqual([
        `anybody with the token becomes ${dana.email}, who holds SRELead`,
        `every credential that ${dana.email} has ends once it is used`,
      ]);
      const enrolment_token = asked.body.enrolment_token as string;
      const stored = await api.db.owner.query(
        'select row_to_json(c)::text as row from change_request c where id = $1',
        [change.id],
      );
      expect(stored.rows[0].row).not.toContain(enrolment_token);
      const exchange = (): Promise<Answer> =>
        api.http().post('/v1/enrolment', { enrolment_token, name: 'test', scopes: ['read', 'review'] });
      expect(outcome(await exchange())).toEqual([401, 'enrolment.refused']);
      expectStatus(await api.http(dana.token).get('/v1/me'), 200);
      expect(outcome(await confirm(asAda, adas, change))).toEqual([403, 'change.own']);
      expectStatus(await confirm(asBen, totp, change), 200);
      expectStatus(await exchange(), 201);
      expect((await api.http(dana.token).get('/v1/me')).status).toBe(401);
    });

    it('so does the first token of a person with a role; without a role it is good at once', async () => {
      const { asAda, asBen, totp } = two;
      const added = await asAda.post('/v1/people', { email: 'first@example.com', display_name: 'First' });
      const path = `/v1/people/${String(expectStatus(added, 201).body.id)}`;
      expectStatus(await asAda.post(`${path}/enrolment`), 201);
      expectStatus(await confirm(asBen, totp, waits(await asAda.post(`${path}/roles`, { role: 'SRELead' }))), 200);
      expect(waits(await asAda.post(`${path}/enrolment`)).loosens).toEqual([
        'anybody with the token becomes First, who holds SRELead',
      ]);
    });

    describe('a first enrolment taken before a role', () => {
      const invited = async (name: string): Promise<string> => {
        const added = await two.asAda.post('/v1/people', {
          email: `${name.toLowerCase()}@example.com`,
          display_name: name,
        });
        return `/v1/people/${String(expectStatus(added, 201).body.id)}`;
      };
      const taken = async (path: string): Promise<string> =>
        expectStatus(await two.asAda.post(`${path}/enrolment`), 201).body.enrolment_token as string;
      const exchange = (enrolment_token: string, ...scopes: string[]): Promise<Answer> =>
        api.http().post('/v1/enrolment', { enrolment_token, name: 'test', scopes });
      const assigned = async (path: string): Promise<Change> =>
        waits(await two.asAda.post(`${path}/roles`, { role: 'SRELead' }));

      it('opens nothing once the role is assigned, and the change says so', async () => {
        const { asBen, totp, ben } = two;
        const path = await invited('Paula');
        const token = await taken(path);
        const change = await assigned(path);
        expect(change.loosens).toEqual([
          'Paula, who has not enrolled yet, gets everything that the role SRELead allows, including approvals that count',
        ]);
        expectStatus(await confirm(asBen, totp, change), 200);
        expect(outcome(await exchange(token, 'read', 'review'))).toEqual([401, 'enrolment.refused']);
        const [record] = (await auditedOf(api, 'role.assigned', ben.id)).slice(-1);
        expect(record).toMatchObject({ role: 'SRELead', voided_enrolments: 1 });
      });

      it('makes the role another change once it is used', async () => {
        const { asBen, totp } = two;
        const path = await invited('Petra');
        const token = await taken(path);
        const change = await assigned(path);
        expectStatus(await exchange(token, 'read'), 201);
        expect(outcome(await confirm(asBen, totp, change))).toEqual([409, 'change.closed']);
        const day =
          /^Petra, who enrolled on \d{4}-\d{2}-\d{2} with a token that First Admin made, gets everything that the role SRELead allows/;
        expect((await assigned(path)).loosens).toEqual([expect.stringMatching(day)]);
      });

      it('waits while the role does, and is decided on after it', async () => {
        const { asAda, asBen, totp } = two;
        const path = await invited('Polly');
        const change = await assigned(path);
        const asked = await asAda.post(`${path}/enrolment`);
        const enrolment = waits(asked);
        expect(enrolment.loosens).toEqual(['anybody with the token becomes Polly, who holds SRELead']);
        const token = asked.body.enrolment_token as string;
        expect(outcome(await confirm(asBen, totp, enrolment))).toEqual([409, 'enrolment.role_waits']);
        expectStatus(await confirm(asBen, totp, change), 200);
        expect(outcome(await exchange(token, 'read', 'review'))).toEqual([401, 'enrolment.refused']);
        expectStatus(await confirm(asBen, totp, enrolment), 200);
        expectStatus(await exchange(token, 'read', 'review'), 201);
      });

      it('waits no longer for a role that was withdrawn', async () => {
        const { asAda } = two;
        const path = await invited('Priya');
        const change = await assigned(path);
        waits(await asAda.post(`${path}/enrolment`));
        expectStatus(await asAda.post(`/v1/change-requests/${change.id}/withdraw`), 200);
        await taken(path);
      });
    });

    it('somebody who holds a role waits before they are let back in, and is kept out at once', async () => {
      const { tenant, asAda, asBen, totp, adas } = two;
      const dora = await api.person(tenant, 'SRELead');
      const path = `/v1/people/${dora.id}`;
      expectStatus(await asAda.patch(path, { disabled: true }), 200);
      const back = waits(await asAda.patch(path, { disabled: false }));
      expect(back.loosens).toEqual([`${dora.email} may come back in, and holds SRELead`]);
      expect((await asAda.get(path)).body.disabled_at).not.toBeNull();
      expect(outcome(await confirm(asAda, adas, back))).toEqual([403, 'change.own']);
      expectStatus(await confirm(asBen, totp, back), 200);
      expect((await asAda.get(path)).body).toMatchObject({ disabled_at: null });
      const [record] = (await auditedOf(api, 'person.changed', two.ben.id)).slice(-1);
      expect(record).toMatchObject({ change_id: back.id, requested_by: two.ada.id, disabled: false });
    });

    it('an agent waits before somebody else answers for it, and is disabled at once', async () => {
      const { tenant, asAda, asBen, totp, adas } = two;
      const [olga, pete] = [await api.person(tenant, 'SRELead'), await api.person(tenant)];
      const { id } = await api.agent(tenant, olga);
      const path = `/v1/agents/${id}`;
      const moved = waits(await asAda.patch(path, { owner_id: pete.id }));
      expect(moved.loosens).toEqual([
        expect.stringMatching(new RegExp(`^${olga.email} no longer answers for .*, and may review what it asks for`)),
      ]);
      expect((await asAda.get(path)).body.owner_id).toBe(olga.id);
      expect(outcome(await confirm(asAda, adas, moved))).toEqual([403, 'change.own']);
      expectStatus(await asAda.patch(path, { disabled: true, description: 'out of service' }), 200);
      expectStatus(await confirm(asBen, totp, moved), 200);
      expect((await asAda.get(path)).body).toMatchObject({ owner_id: pete.id, description: 'out of service' });
      const [record] = (await auditedOf(api, 'agent.changed', two.ben.id)).slice(-1);
      expect(record).toMatchObject({ change_id: moved.id, requested_by: two.ada.id });
    });

    it('incidents wait before fewer are told of them, or later; more are told at once', async () => {
      const { asAda, asBen, totp, adas } = two;
      const put = (destinations: Record<string, string[]>, review_days = 5): Promise<Answer> =>
        asAda.put('/v1/incident-settings', { destinations, review_days });
      const told = async (): Promise<unknown> =>
        (await asAda.get('/v1/incident-settings')).body.destinations as unknown;
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

    it('a Slack app waits, its secrets nowhere to be read, and going without is at once', async () => {
      const { asAda, asBen, totp, adas } = two;
      const secrets = { client_secret: 'c1'.repeat(16), signing_secret: 's1'.repeat(16) };
      const app = { client_id: '1.1', ...secrets };
      const entered = waits(await asAda.put('/v1/slack/app', app));
      expect(entered.loosens).toEqual([
        'anybody who knows the signing secret can press buttons in Slack as anybody who links their account from then on',
      ]);
      expect((await asAda.get('/v1/slack')).body.app).toBeNull();
      const { rows } = await api.db.owner.query<{ row: string }>(
        `select row_to_json(c)::text as row from change_request c where id = $1
         union all select row_to_json(a)::text from audit_entry a where a.subject_id = $1::text
         union all select row_to_json(w)::text from slack_app_waiting w where w.change_id = $1`,
        [entered.id],
      );
      const spelt =
        rows.map(({ row }) => row).join('\n') + JSON.stringify(await asBen.get(`/v1/change-requests/${entered.id}`));
      expect(rows.length).toBeGreaterThanOrEqual(3);
      for (const secret of Object.values(secrets))
        for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
          expect(spelt).not.toContain(form);
      const kept = async (): Promise<readonly unknown[]> =>
        (await api.db.owner.query<object>('select 1 from slack_app_waiting where change_id = $1', [entered.id])).rows;
      expect(await kept()).toHaveLength(1);
      expect(outcome(await confirm(asAda, adas, entered))).toEqual([403, 'change.own']);
      expectStatus(await confirm(asBen, totp, entered), 200);
      expect(await kept()).toHaveLength(0);
      expect((await asAda.get('/v1/slack')).body.app).toEqual({ client_id: '1.1' });
      expect(expectStatus(await asAda.put('/v1/slack/app', app), 200).body).not.toHaveProperty('guarded');
      const other = waits(await asAda.put('/v1/slack/app', { ...app, client_secret: 'c2'.repeat(16) }));
      expect(other.loosens).toEqual(['Slack is installed as the app 1.1, with other credentials than before']);
      expectStatus(await asBen.post(`/v1/change-requests/${other.id}/reject`, { comment: 'no' }), 200);
      expect((await api.db.owner.query('select 1 from slack_app_waiting')).rows).toEqual([]);
      expectStatus(await asAda.delete('/v1/slack/installation'), 204);
    });

    it('a workspace of Slack waits, the bot’s token nowhere to be read; the same one again does not', async () => {
      const { ada, ben, asAda, asBen, totp, adas } = await pair();
      const { clientId, clientSecret, signingSecret, teamId } = slack.workspace;
      const app = { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret };
      expectStatus(await confirm(asBen, totp, waits(await asAda.put('/v1/slack/app', app))), 200);
      const install = async (): Promise<string> => {
        const { redirect_to: address } = expectStatus(await asAda.get('/v1/slack/install'), 200).body;
        const consented = await fetch(String(address), { redirect: 'manual' });
        const back = new URL(consented.headers.get('location') ?? '');
        const finished = expectStatus(await api.http().get(`${back.pathname}${back.search}`), 303);
        return new URL(String(finished.headers.location)).pathname;
      };
      const installed = async (): Promise<unknown> => (await asAda.get('/v1/slack')).body.installation as unknown;

      const [, id = ''] = /^\/changes\/(.+)$/.exec(await install()) ?? [];
      const change = expectStatus(await asBen.get(`/v1/change-requests/${id}`), 200).body as Change;
      expect(change.reason).toBe('Because a test asks for it.');
      expect(change).toMatchObject({ kind: 'slack_workspace', state: 'open', requested_by: { id: ada.id } });
      expect(change.loosens[0]).toContain('can press buttons as anybody who links their account there');
      expect(JSON.stringify(change)).not.toContain(slack.workspace.botToken);
      expect(await installed()).toBeNull();
      expect(outcome(await confirm(asAda, adas, change))).toEqual([403, 'change.own']);
      expectStatus(await confirm(asBen, totp, change), 200);
      expect(await installed()).toMatchObject({ team_id: teamId });
      const [record] = (await auditedOf(api, 'slack.installed', ben.id)).slice(-1);
      expect(record).toMatchObject({ change_id: id, requested_by: ada.id });
      expect([...(await provedKinds(asAda, [{ id, kind: 'slack_workspace', state: 'applied' }]))]).toHaveLength(1);

      expect(await install()).toBe('/settings/slack');
      expectStatus(await asAda.delete('/v1/slack/installation'), 204);
      expect(await install()).toMatch(/^\/changes\//);
    });

    it('secrets that were swapped while they waited are not entered', async () => {
      const { asAda, asBen, totp } = two;
      const app = (letter: string) => ({
        client_id: '2.2',
        client_secret: letter.repeat(32),
        signing_secret: letter.repeat(32),
      });
      const first = waits(await asAda.put('/v1/slack/app', app('a')));
      const second = waits(await asAda.put('/v1/slack/app', app('b')));
      await api.db.owner.query(
        `update slack_app_waiting mine set key_id = other.key_id, nonce = other.nonce, ciphertext = other.ciphertext
         from slack_app_waiting other where mine.change_id = $1 and other.change_id = $2`,
        [first.id, second.id],
      );
      expect((await confirm(asBen, totp, first)).status).toBe(500);
      expect(await stateOf(asAda, first)).toBe('open');
      expect((await asAda.get('/v1/slack')).body.app).toEqual({ client_id: '1.1' });
    });

    it('nothing waits if nothing changes, and a dry run opens nothing', async () => {
      const { asAda } = two;
      expectStatus(await asAda.put('/v1/tools/restart', tool('read_only')), 200);
      expectStatus(await asAda.put('/v1/tools/restart', tool('read_only', 'Restarts one service.')), 200);
      const open = async (): Promise<number> =>
        (await asAda.get('/v1/change-requests?state=open')).body.items.length as number;
      const before = await open();
      const dry = await asAda.put('/v1/autonomy?dry_run=true', document('SRELead', breakGlass));
      expect(expectStatus(dry, 200).body.loosening).toEqual(['break-glass is switched on, for SRELead']);
      expect(await open()).toBe(before);
    });
  });

  describe('the second person', () => {
    const proposed = async (pair: Pair, name: string): Promise<Change> =>
      waits(await pair.asAda.put(`/v1/tools/${name}`, tool('read_only')));

    it('is not the author, with a second factor or without', async () => {
      const { asAda, adas } = two;
      const change = await proposed(two, 'own_one');
      expect(outcome(await confirm(asAda, adas, change))).toEqual([403, 'change.own']);
      expect(outcome(await asAda.post(`/v1/change-requests/${change.id}/reject`, { comment: 'no' }))).toEqual([
        403,
        'change.own',
      ]);
      expect((await asAda.get(`/v1/change-requests/${change.id}`)).body.you).toMatchObject({
        may_confirm: false,
        why_not: { code: 'change.own' },
      });
      expect(await stateOf(asAda, change)).toBe('open');
    });

    it('proves a second factor for this very change', async () => {
      const { asBen, totp } = two;
      const change = await proposed(two, 'proved_one');
      const other = await proposed(two, 'other_one');
      const body = { change_digest: change.change_digest };
      const path = `/v1/change-requests/${change.id}/confirm`;
      const without = await asBen.post(path, body);
      expect(outcome(without)).toEqual([403, 'mfa.required']);
      expect(without.body.operation).toEqual(operationOf(change));
      const elsewhere = await steppedUp(asBen, totp, operationOf(other));
      expect(outcome(await asBen.post(path, { ...body, step_up_id: elsewhere }))).toEqual([403, 'mfa.other_operation']);
      const wrong = await asBen.post(path, { change_digest: other.change_digest, step_up_id: elsewhere });
      expect(outcome(wrong)).toEqual([409, 'change.other_digest']);
      expect(await stateOf(asBen, change)).toBe('open');
    });

    it('has one at all', async () => {
      const { tenant, asAda } = two;
      const eve = await api.person(tenant, 'PlatformAdmin');
      const change = waits(await asAda.put('/v1/tools/unproved', tool('read_only')));
      const answer = await api
        .http(eve.token)
        .post(`/v1/change-requests/${change.id}/confirm`, { change_digest: change.change_digest });
      expect(outcome(answer)).toEqual([403, 'mfa.not_enrolled']);
    });

    it('held the role before the change was opened, despite a later assignment or enrolment', async () => {
      const { tenant, asAda, asBen, totp } = two;
      const change = await proposed(two, 'late_one');
      const late = await api.person(tenant, 'PlatformAdmin');
      const lateTotp = await enrolTotp(api, late);
      expect(outcome(await confirm(api.http(late.token), lateTotp, change))).toEqual([403, 'change.role_too_new']);
      const lists = await api.http(late.token).get('/v1/change-requests?confirmable=true');
      expect(expectStatus(lists, 200).body.items).not.toContainEqual(expect.objectContaining({ id: change.id }));
      const plain = await api.person(tenant, 'SRELead');
      const refused = await api
        .http(plain.token)
        .post(`/v1/change-requests/${change.id}/confirm`, { change_digest: change.change_digest });
      expect(refused.status).toBe(403);
      expect(expectStatus(await asBen.get('/v1/change-requests?confirmable=true'), 200).body.items).toContainEqual(
        expect.objectContaining({ id: change.id, you: { may_confirm: true, why_not: null } }),
      );
      expectStatus(await confirm(asBen, totp, change), 200);
      expect(await stateOf(asAda, change)).toBe('applied');
    });

    it('is not a person whom the author had enrolled again, who may be the author', async () => {
      const { tenant, asAda, ben } = await twoAdmins();
      const cleo = await api.person(tenant, 'PlatformAdmin');
      const cleos = await enrolTotp(api, cleo);
      const asked = await asAda.post(`/v1/people/${ben.id}/enrolment`);
      expectStatus(await confirm(api.http(cleo.token), cleos, waits(asked)), 200);
      const again = asked.body.enrolment_token as string;
      const scopes = ['read', 'review', 'admin'];
      const minted = await api.http().post('/v1/enrolment', { enrolment_token: again, name: 'ada', scopes });
      const asIfBen = { ...ben, token: expectStatus(minted, 201).body.token as string };
      const totp = await enrolTotp(api, asIfBen);
      const change = waits(await asAda.put('/v1/tools/restart', tool('read_only')));
      expect(outcome(await confirm(api.http(asIfBen.token), totp, change))).toEqual([403, 'change.reenrolled']);
      expect((await asAda.get(`/v1/change-requests/${change.id}`)).body.confirmers).toMatchObject([{ id: cleo.id }]);
    });

    it('is not the beneficiary, if another person could confirm', async () => {
      const { tenant, ada, asAda } = two;
      const fred = await api.person(tenant, 'PlatformAdmin');
      const totp = await enrolTotp(api, fred);
      const change = waits(await asAda.post(`/v1/people/${fred.id}/roles`, { role: 'SecurityReviewer' }));
      expect(outcome(await confirm(api.http(fred.token), totp, change))).toEqual([403, 'change.beneficiary']);
      expect(await stateOf(asAda, change)).toBe('open');
      expect(ada.id).not.toBe(fred.id);
    });

    it('may reject, and the author may withdraw; then it is over', async () => {
      const { asAda, asBen, totp } = two;
      const rejected = await proposed(two, 'rejected_one');
      expect(outcome(await asBen.post(`/v1/change-requests/${rejected.id}/withdraw`))).toEqual([403, 'change.not_own']);
      const body = expectStatus(
        await asBen.post(`/v1/change-requests/${rejected.id}/reject`, { comment: 'why?' }),
        200,
      ).body;
      expect(body).toMatchObject({ state: 'rejected', closed_reason: 'why?' });
      expect(outcome(await confirm(asBen, totp, rejected))).toEqual([409, 'change.closed']);
      const withdrawn = await proposed(two, 'withdrawn_one');
      expectStatus(await asAda.post(`/v1/change-requests/${withdrawn.id}/withdraw`), 200);
      expect(outcome(await confirm(asBen, totp, withdrawn))).toEqual([409, 'change.closed']);
      expect(outcome(await asAda.get('/v1/tools/withdrawn_one'))).toEqual([404, 'resource.not_found']);
    });
  });

  describe('a change request', () => {
    it('is void as soon as its base changes, and says why', async () => {
      const { asAda, asBen, totp } = two;
      const looser = waits(await asAda.put('/v1/autonomy', document('SRELead', breakGlass), await etag(asAda)));
      expect(looser.what).toMatch(/^A change to revision \d+ of the autonomy document$/);
      const between = `# another\n${document()}`;
      const put = expectStatus(await asBen.put('/v1/autonomy', between, await etag(asBen)), 200).body;
      const seen = (await asAda.get(`/v1/change-requests/${looser.id}`)).body;
      expect(seen).toMatchObject({ state: 'voided', closed_by: null });
      expect(seen.closed_reason).toContain(`Revision ${String(put.revision)} came into force`);
      expect(outcome(await confirm(asBen, totp, looser))).toEqual([409, 'change.closed']);
      expect((await asAda.get('/v1/autonomy')).text).toBe(between);
    });

    it('is void, too, if it would loosen something else by now', async () => {
      const { asAda, asBen, totp } = two;
      const looser = waits(await asAda.put('/v1/autonomy', document('SRELead, PlatformAdmin'), await etag(asAda)));
      const added = waits(await asAda.put('/v1/tools/newcomer', tool('state_change_prod')));
      expectStatus(await confirm(asBen, totp, added), 200);
      expect(outcome(await confirm(asBen, totp, looser))).toEqual([409, 'change.base_changed']);
    });

    it('is carried out once if two people confirm at the same moment', async () => {
      const { tenant, asAda, asBen, totp } = two;
      const gina = await api.person(tenant, 'PlatformAdmin');
      const ginas = await enrolTotp(api, gina);
      const change = waits(await asAda.put('/v1/tools/raced', tool('read_only')));
      const answers = await Promise.all([confirm(asBen, totp, change), confirm(api.http(gina.token), ginas, change)]);
      expect(answers.map(outcome).sort()).toEqual([
        [200, undefined],
        [409, 'change.closed'],
      ]);
      expect((await asAda.get('/v1/tools/raced')).body.versions).toHaveLength(1);
    });

    it('gives the proof back if it cannot be carried out, and stays open', async () => {
      const { tenant, asAda, asBen, totp } = two;
      const hugo = await api.person(tenant);
      const change = waits(await asAda.post(`/v1/people/${hugo.id}/roles`, { role: 'SRELead' }));
      expectStatus(await asAda.patch(`/v1/people/${hugo.id}`, { disabled: true }), 200);
      const step_up_id = await steppedUp(asBen, totp, operationOf(change));
      const body = { change_digest: change.change_digest, step_up_id };
      expect(outcome(await asBen.post(`/v1/change-requests/${change.id}/confirm`, body))).toEqual([
        409,
        'identity.person_disabled',
      ]);
      expect(await stateOf(asAda, change)).toBe('open');
      expectStatus(await asAda.patch(`/v1/people/${hugo.id}`, { disabled: false }), 200);
      expectStatus(await asBen.post(`/v1/change-requests/${change.id}/confirm`, body), 200);
    });

    it('expires, whether or not it was recorded yet', async () => {
      const { tenant, asAda, asBen, totp } = two;
      const change = waits(await asAda.put('/v1/tools/too_late', tool('read_only')));
      // Three days later, by the clock of the database.
      await api.db.owner.query(
        `update change_request set opened_at = opened_at - interval '73 hours', expires_at = expires_at - interval '73 hours' where id = $1`,
        [change.id],
      );
      expect(outcome(await confirm(asBen, totp, change))).toEqual([409, 'change.expired']);
      expect(await api.installation.changes.expireChanges.execute(tenant.id, change.id as ChangeRequestId)).toBe(true);
      expect(await stateOf(asAda, change)).toBe('expired');
      expect(await auditedOf(api, 'change.expired', 'change-expiry' as PersonId)).toHaveLength(1);
    });

    it('is notified, and recorded with its author and its confirmer', async () => {
      const { asAda, asBen, totp, ada, ben } = two;
      const change = waits(await asAda.put('/v1/tools/recorded', tool('read_only')));
      const told = await noticeOf(two.tenant, change);
      expect(told).toMatchObject({
        title: 'Waits for a second person: Tools: recorded',
        url: expect.stringContaining(change.id),
      });
      expect(told?.lines).toContain('It loosens: recorded: agents can call it');
      expect(told?.people).toContain(ben.id);
      expect(told?.people).not.toContain(ada.id);
      expectStatus(await confirm(asBen, totp, change), 200);
      const { rows } = await api.db.owner.query(
        `select payload from outbox_message where topic = 'change_request.changed' and payload ->> 'change_id' = $1`,
        [change.id],
      );
      expect(rows).toHaveLength(2);
      expect((await noticeOf(two.tenant, change))?.people).toEqual([ada.id]);
      const [asked] = (await auditedOf(api, 'change.requested', ada.id)).slice(-1);
      expect(asked).toMatchObject({
        kind: 'tool_catalog',
        loosens: change.loosens,
        change_digest: change.change_digest,
      });
      const [decided] = (await auditedOf(api, 'change.confirmed', ben.id)).slice(-1);
      expect(decided).toMatchObject({
        requested_by: ada.id,
        mfa: { method: 'totp' },
        change_digest: change.change_digest,
      });
    });

    it('leaves evidence for each kind that proves author, confirmer and effect offline', async () => {
      const { items } = expectStatus(await two.asAda.get('/v1/change-requests?limit=200'), 200).body as {
        items: Decided[];
      };
      const kinds = await provedKinds(two.asAda, items);
      expect([...kinds].sort()).toEqual(ALL_KINDS.filter((kind) => kind !== 'slack_workspace'));
    }, 60_000);
  });

  describe('without a second person', () => {
    it('is applied at once, and says so', async () => {
      const tenant = await api.tenant();
      const alone = api.http(tenant.admin.token);
      const added = expectStatus(await alone.put('/v1/tools/restart', tool('read_only')), 200).body;
      expect(added).toMatchObject({ guarded: false });
      expect(added.guardrail_warning).toContain('nobody else could confirm');
      const [record] = await auditedOf(api, 'change.applied_alone', tenant.admin.id);
      expect(record).toMatchObject({ kind: 'tool_catalog', loosens: ['restart: agents can call it'] });
      expect(expectStatus(await alone.put('/v1/tools/restart', tool('read_only')), 200).body).not.toHaveProperty(
        'guarded',
      );
    });

    it('is so for every kind: an enrolment, somebody let back in, an agent’s owner, destinations of incidents, a Slack app', async () => {
      const tenant = await api.tenant();
      const alone = api.http(tenant.admin.token);
      const [olga, pete] = [await api.person(tenant, 'SRELead'), await api.person(tenant)];
      const agent = await api.agent(tenant, olga);
      expectStatus(await alone.put('/v1/incident-settings', { destinations: { security: ['C012AB3CD'] } }), 200);
      const app = { client_id: '1.1', client_secret: 'c'.repeat(32), signing_secret: 's'.repeat(32) };
      const again = expectStatus(await alone.post(`/v1/people/${olga.id}/enrolment`), 201);
      expectStatus(await alone.patch(`/v1/people/${olga.id}`, { disabled: true }), 200);
      const answers = [
        again,
        expectStatus(await alone.patch(`/v1/agents/${agent.id}`, { owner_id: pete.id }), 200),
        expectStatus(await alone.patch(`/v1/people/${olga.id}`, { disabled: false }), 200),
        expectStatus(await alone.put('/v1/incident-settings', { destinations: {} }), 200),
        expectStatus(await alone.put('/v1/slack/app', app), 200),
      ];
      for (const { body } of answers) expect(body).toMatchObject({ guarded: false });
      const records = await auditedOf(api, 'change.applied_alone', tenant.admin.id);
      expect(records.map(({ kind }) => kind).sort()).toEqual([
        'agent_owner',
        'enrolment',
        'incident_settings',
        'person_enabled',
        'role_assignment',
        'slack_app',
      ]);
    });

    it('makes a second admin alone, and waits once a person of another hand came in', async () => {
      const tenant = await api.tenant();
      const alone = api.http(tenant.admin.token);
      const added = expectStatus(
        await alone.post('/v1/people', { email: 'second@example.com', display_name: 'Second' }),
        201,
      ).body;
      const assigned = await alone.post(`/v1/people/${String(added.id)}/roles`, { role: 'PlatformAdmin' });
      expect(expectStatus(assigned, 201).body).toMatchObject({ guarded: false, roles: [{ role: 'PlatformAdmin' }] });
      expectStatus(await alone.put('/v1/tools/before', tool('read_only')), 200);
      const { enrolment_token } = expectStatus(await alone.post(`/v1/people/${String(added.id)}/enrolment`), 201).body;
      expectStatus(await api.http().post('/v1/enrolment', { enrolment_token, name: 'test', scopes: ['read'] }), 201);
      // Still one hand: the token was the author's.
      expectStatus(await alone.put('/v1/tools/between', tool('read_only')), 200);
      const printed = await operatorToken(api, tenant.id, added.id as PersonId);
      const exchange = { enrolment_token: printed, name: 'test', scopes: ['read'] };
      expectStatus(await api.http().post('/v1/enrolment', exchange), 201);
      waits(await alone.put('/v1/tools/after', tool('read_only')));
    });

    it('is not applied alone if another admin was just removed', async () => {
      const pair = await twoAdmins();
      expectStatus(await pair.asAda.delete(`/v1/people/${pair.ben.id}/roles/PlatformAdmin`), 204);
      waits(await pair.asAda.put('/v1/tools/restart', tool('read_only')));
      const other = await twoAdmins();
      expectStatus(await other.asAda.patch(`/v1/people/${other.ben.id}`, { disabled: true }), 200);
      waits(await other.asAda.put('/v1/tools/restart', tool('read_only')));
      await api.db.owner.query(
        `update person set disabled_at = disabled_at - interval '73 hours', created_at = created_at - interval '73 hours' where id = $1`,
        [other.ben.id],
      );
      expectStatus(await other.asAda.put('/v1/tools/restart', tool('read_only')), 200);
    });

    it('lets the beneficiary confirm, if there is no other person', async () => {
      const { asAda, ben } = await twoAdmins();
      const totp = await enrolTotp(api, ben);
      const change = waits(await asAda.post(`/v1/people/${ben.id}/roles`, { role: 'SRELead' }));
      expectStatus(await confirm(api.http(ben.token), totp, change), 200);
    });
  });
});

/** The notices of it. */
const noticeOf = (tenant: TestTenant, { id }: Change): Promise<NoticeToTell | null> =>
  api.database.uow.run(tenant.id, (tx) => api.installation.changes.changeNotices.read(tx, { change_id: id }));

/** A tenant with two admins and nothing else. */
async function twoAdmins(): Promise<{ tenant: TestTenant; asAda: HttpAs; ben: TestPerson }> {
  const tenant = await api.tenant();
  return { tenant, asAda: api.http(tenant.admin.token), ben: await api.person(tenant, 'PlatformAdmin') };
}
