import { expectStatus, testApi, type Answer, type TestApi } from '../support/api.js';
import {
  confirm,
  outcome,
  provedKinds,
  twoAdmins,
  waits,
  type TwoAdmins,
  type WaitingChange,
} from '../support/change-requests.js';
import { auditedOf, enrolTotp } from '../support/second-factors.js';

let api: TestApi;
let two: TwoAdmins;
beforeAll(async () => {
  api = await testApi();
  two = await twoAdmins(api);
}, 60_000);
afterAll(() => api.close());

describe('T34: one admin loosens the rights of people and agents', () => {
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

  it('somebody’s second factors wait before they are reset', async () => {
    const { tenant, asAda, asBen, totp } = two;
    const dana = await api.person(tenant, 'SRELead');
    await enrolTotp(api, dana);
    const reset = waits(await asAda.post(`/v1/people/${dana.id}/factors/reset`, { reason: 'called from home' }));
    expect((await api.http(dana.token).get('/v1/factors')).body.items).toHaveLength(1);
    expectStatus(await confirm(asBen, totp, reset), 200);
    expect((await api.http(dana.token).get('/v1/factors')).body.items).toEqual([]);
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
    const stored = await api.db.owner.query('select row_to_json(c)::text as row from change_request c where id = $1', [
      change.id,
    ]);
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
    const assigned = async (path: string): Promise<WaitingChange> =>
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

  it('leaves evidence for each kind that proves author, confirmer and effect offline', async () => {
    expect(await provedKinds(two.asAda)).toEqual([
      'agent_owner',
      'enrolment',
      'factor_reset',
      'person_enabled',
      'role_assignment',
    ]);
  }, 60_000);
});
