import type { ChangeRequestId, PersonId } from '#lib/kernel';
import type { NoticeToTell } from '#lib/delivery';
import {
  expectStatus,
  operatorToken,
  testApi,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import {
  confirm,
  autonomyWith,
  BREAK_GLASS,
  inForce,
  operationOf,
  outcome,
  stateOf,
  toolOf,
  twoAdminsWithRules,
  waits,
  type TwoAdmins,
  type WaitingChange,
} from '../support/change-requests.js';
import { auditedOf, enrolTotp, steppedUp } from '../support/second-factors.js';

let api: TestApi;
let two: TwoAdmins;
beforeAll(async () => {
  api = await testApi();
  two = await twoAdminsWithRules(api);
}, 60_000);
afterAll(() => api.close());

describe('T34: one admin and the second person', () => {
  describe('the second person', () => {
    const proposed = async (pair: TwoAdmins, name: string): Promise<WaitingChange> =>
      waits(await pair.asAda.put(`/v1/tools/${name}`, toolOf('read_only')));

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
      expect(without.body.details.operation).toEqual(operationOf(change));
      const elsewhere = await steppedUp(asBen, totp, operationOf(other));
      expect(outcome(await asBen.post(path, { ...body, step_up_id: elsewhere }))).toEqual([403, 'mfa.other_operation']);
      const wrong = await asBen.post(path, { change_digest: other.change_digest, step_up_id: elsewhere });
      expect(outcome(wrong)).toEqual([409, 'change.other_digest']);
      expect(await stateOf(asBen, change)).toBe('open');
    });

    it('has one at all', async () => {
      const { tenant, asAda } = two;
      const eve = await api.person(tenant, 'PlatformAdmin');
      const change = waits(await asAda.put('/v1/tools/unproved', toolOf('read_only')));
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

    it('is not a person with a new enrolment by the author: that may be the author', async () => {
      const { tenant, asAda, ben } = await bareAdmins();
      const cleo = await api.person(tenant, 'PlatformAdmin');
      const cleos = await enrolTotp(api, cleo);
      const asked = await asAda.post(`/v1/people/${ben.id}/enrolment`);
      expectStatus(await confirm(api.http(cleo.token), cleos, waits(asked)), 200);
      const again = asked.body.enrolment_token as string;
      const scopes = ['read', 'review', 'admin'];
      const minted = await api.http().post('/v1/enrolment', { enrolment_token: again, name: 'ada', scopes });
      const asIfBen = { ...ben, token: expectStatus(minted, 201).body.token as string };
      const totp = await enrolTotp(api, asIfBen);
      const change = waits(await asAda.put('/v1/tools/restart', toolOf('read_only')));
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
      const looser = waits(await asAda.put('/v1/autonomy', autonomyWith('SRELead', BREAK_GLASS), await inForce(asAda)));
      expect(looser.what).toMatch(/^A change to revision \d+ of the autonomy document$/);
      const between = `# another\n${autonomyWith()}`;
      const put = expectStatus(await asBen.put('/v1/autonomy', between, await inForce(asBen)), 200).body;
      const seen = (await asAda.get(`/v1/change-requests/${looser.id}`)).body;
      expect(seen).toMatchObject({ state: 'voided', closed_by: null });
      expect(seen.closed_reason).toContain(`Revision ${String(put.revision)} came into force`);
      expect(outcome(await confirm(asBen, totp, looser))).toEqual([409, 'change.closed']);
      expect((await asAda.get('/v1/autonomy')).text).toBe(between);
    });

    it('is void, too, if it would loosen something else by now', async () => {
      const { asAda, asBen, totp } = two;
      const looser = waits(
        await asAda.put('/v1/autonomy', autonomyWith('SRELead, PlatformAdmin'), await inForce(asAda)),
      );
      const added = waits(await asAda.put('/v1/tools/newcomer', toolOf('state_change_prod')));
      expectStatus(await confirm(asBen, totp, added), 200);
      expect(outcome(await confirm(asBen, totp, looser))).toEqual([409, 'change.base_changed']);
    });

    it('is carried out once if two people confirm at the same moment', async () => {
      const { tenant, asAda, asBen, totp } = two;
      const gina = await api.person(tenant, 'PlatformAdmin');
      const ginas = await enrolTotp(api, gina);
      const change = waits(await asAda.put('/v1/tools/raced', toolOf('read_only')));
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
      const change = waits(await asAda.put('/v1/tools/too_late', toolOf('read_only')));
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
      const change = waits(await asAda.put('/v1/tools/recorded', toolOf('read_only')));
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
  });

  describe('without a second person', () => {
    it('is applied at once, and says so', async () => {
      const tenant = await api.tenant();
      const alone = api.http(tenant.admin.token);
      const added = expectStatus(await alone.put('/v1/tools/restart', toolOf('read_only')), 200).body;
      expect(added).toMatchObject({ guarded: false });
      expect(added.guardrail_warning).toContain('nobody else could confirm');
      const [record] = await auditedOf(api, 'change.applied_alone', tenant.admin.id);
      expect(record).toMatchObject({ kind: 'tool_catalog', loosens: ['restart: agents can call it'] });
      expect(expectStatus(await alone.put('/v1/tools/restart', toolOf('read_only')), 200).body).not.toHaveProperty(
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
      expectStatus(await alone.put('/v1/tools/before', toolOf('read_only')), 200);
      const { enrolment_token } = expectStatus(await alone.post(`/v1/people/${String(added.id)}/enrolment`), 201).body;
      expectStatus(await api.http().post('/v1/enrolment', { enrolment_token, name: 'test', scopes: ['read'] }), 201);
      // Still one hand: the token was the author's.
      expectStatus(await alone.put('/v1/tools/between', toolOf('read_only')), 200);
      const printed = await operatorToken(api, tenant.id, added.id as PersonId);
      const exchange = { enrolment_token: printed, name: 'test', scopes: ['read'] };
      expectStatus(await api.http().post('/v1/enrolment', exchange), 201);
      waits(await alone.put('/v1/tools/after', toolOf('read_only')));
    });

    it('is not applied alone if another admin was just removed', async () => {
      const pair = await bareAdmins();
      expectStatus(await pair.asAda.delete(`/v1/people/${pair.ben.id}/roles/PlatformAdmin`), 204);
      waits(await pair.asAda.put('/v1/tools/restart', toolOf('read_only')));
      const other = await bareAdmins();
      expectStatus(await other.asAda.patch(`/v1/people/${other.ben.id}`, { disabled: true }), 200);
      waits(await other.asAda.put('/v1/tools/restart', toolOf('read_only')));
      await api.db.owner.query(
        `update person set disabled_at = disabled_at - interval '73 hours', created_at = created_at - interval '73 hours' where id = $1`,
        [other.ben.id],
      );
      expectStatus(await other.asAda.put('/v1/tools/restart', toolOf('read_only')), 200);
    });

    it('lets the beneficiary confirm, if there is no other person', async () => {
      const { asAda, ben } = await bareAdmins();
      const totp = await enrolTotp(api, ben);
      const change = waits(await asAda.post(`/v1/people/${ben.id}/roles`, { role: 'SRELead' }));
      expectStatus(await confirm(api.http(ben.token), totp, change), 200);
    });
  });
});

/** The notices of it. */
const noticeOf = (tenant: TestTenant, { id }: WaitingChange): Promise<NoticeToTell | null> =>
  api.database.uow.run(tenant.id, (tx) =>
    api.installation.changes.changeNotices.read(tx, { change_id: id as ChangeRequestId }),
  );

/** A tenant with two admins and nothing else. */
async function bareAdmins(): Promise<{ tenant: TestTenant; asAda: HttpAs; ben: TestPerson }> {
  const tenant = await api.tenant();
  return { tenant, asAda: api.http(tenant.admin.token), ben: await api.person(tenant, 'PlatformAdmin') };
}
