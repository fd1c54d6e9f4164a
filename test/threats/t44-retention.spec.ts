import { expectStatus, testApi, type HttpAs, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { enrolTotp, steppedUp, type TestTotp } from '../support/second-factors.js';
import { verifiedBy } from '../support/verified-by.js';

const RULE = { basic: 30, detailed: 90, full: 365, full_with_evidence: 730, critical: null };
const FOR_EVER = { basic: null, detailed: null, full: null, full_with_evidence: null, critical: null };

describe('T44: one admin keeps evidence less long', () => {
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
  }, 60_000);
  afterAll(() => api.close());

  const put = (keep_days: object) => asAda.put('/v1/audit/retention', { keep_days });
  const kept = async (): Promise<unknown> => expectStatus(await asBen.get('/v1/audit/retention'), 200).body.keep_days;

  it('T44 waits for a second person, is carried out by the confirmation, and leaves evidence that verifies', async () => {
    const change = expectStatus(await put(RULE), 202).body as { id: string; change_digest: string; loosens: string[] };
    expect(change).toMatchObject({ kind: 'audit_retention', state: 'open', requested_by: { id: tenant.admin.id } });
    expect(change.loosens[0]).toBe('payloads of the level basic are erased after 30 days, and were kept for ever');
    expect(await kept()).toEqual(FOR_EVER);
    const word = { change_digest: change.change_digest };
    const own = await asAda.post(`/v1/change-requests/${change.id}/confirm`, word);
    expect([own.status, own.body.code]).toEqual([403, 'change.own']);
    const step_up_id = await steppedUp(asBen, totp, { kind: 'change_confirm', change_id: change.id, ...word });
    expectStatus(await asBen.post(`/v1/change-requests/${change.id}/confirm`, { ...word, step_up_id }), 200);
    expect(await kept()).toEqual(RULE);
    const pack = expectStatus(await asBen.post(`/v1/change-requests/${change.id}/evidence`, {}), 200).text;
    expect(await verifiedBy(asBen, pack)).toMatchObject({ outcome: 'verified', subject: { id: change.id } });
  });

  it('T44 lets one admin keep payloads longer at once', async () => {
    expectStatus(await put({ ...RULE, full: 400 }), 200);
    expect(await kept()).toEqual({ ...RULE, full: 400 });
  });

  it.each([
    ['audit.retention_out_of_range', { ...RULE, basic: 29 }],
    ['audit.retention_out_of_range', { ...RULE, critical: 729 }],
    ['audit.retention_not_monotonic', { ...RULE, detailed: 366 }],
    ['audit.retention_not_monotonic', { ...RULE, basic: null }],
  ])('T44 refuses with %s', async (code, keep_days) => {
    const answer = await put(keep_days);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
  });
});
