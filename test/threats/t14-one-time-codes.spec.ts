import { generateSync } from 'otplib';
import { testApi, type Answer, type HttpAs, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { auditedOf, enrolTotp, prove, startStepUp, type TestTotp } from '../support/second-factors.js';

let api: TestApi;
let tenant: TestTenant;
let ada: TestPerson;
let http: HttpAs;
let totp: TestTotp;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
}, 60_000);
afterAll(() => api.close());

beforeEach(async () => {
  ada = await api.person(tenant, 'SRELead');
  http = api.http(ada.token);
  totp = await enrolTotp(api, ada);
});

const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];

/** Begins a step-up and sends this code. */
const tryCode = async (code: string, method = 'totp'): Promise<Answer> => {
  const { id } = await startStepUp(http);
  return prove(http, id, { method, code });
};

/** A code of no time step near now. */
const wrongCode = (): string => {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => totp.code(steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ?? '';
};

/** Ends the lockout by the clock. */
const unlock = () =>
  api.db.owner.query(
    `update factor_lockout set locked_until = clock_timestamp() - interval '1 second' where person_id = $1`,
    [ada.id],
  );

describe('T14: one-time codes replayed, shared or guessed', () => {
  it('accepts a code once, and none of an earlier step after it', async () => {
    const code = totp.code(1);
    const earlier = totp.code();
    expect(outcome(await tryCode(code))).toEqual([200, undefined]);
    expect(outcome(await tryCode(code))).toEqual([403, 'mfa.code_wrong']);
    const wrong = await tryCode(earlier);
    expect(outcome(wrong)).toEqual([403, 'mfa.code_wrong']);
    expect(wrong.body).toMatchObject({ action: expect.stringMatching(/^Wait for the next code/) });
  });

  it('does not accept the code again that confirmed the app', async () => {
    const newcomer = api.http((await api.person(tenant, 'SRELead')).token);
    const { id, secret } = (await newcomer.post('/v1/factors/totp', {})).body as { id: string; secret: string };
    const code = generateSync({ secret });
    expect(outcome(await newcomer.post(`/v1/factors/totp/${id}/confirm`, { code }))).toEqual([200, undefined]);
    const stepUp = await startStepUp(newcomer);
    expect(outcome(await prove(newcomer, stepUp.id, { method: 'totp', code }))).toEqual([403, 'mfa.code_wrong']);
  });

  it('accepts a code once if it comes several times at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const code = await totp.freshCode();
      const stepUps = await Promise.all([1, 2, 3].map(() => startStepUp(http)));
      const answers = await Promise.all(stepUps.map(({ id }) => prove(http, id, { method: 'totp', code })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    }
  });

  it('accepts no code of another person, and lets no person prove another’s step-up', async () => {
    const ben = await api.person(tenant, 'SRELead');
    const bens = await enrolTotp(api, ben);
    const { id } = await startStepUp(http);
    expect(outcome(await prove(http, id, { method: 'totp', code: await bens.freshCode() }))).toEqual([
      403,
      'mfa.code_wrong',
    ]);
    const asBen = await prove(api.http(ben.token), id, { method: 'totp', code: await bens.freshCode() });
    expect(outcome(asBen)).toEqual([404, 'resource.not_found']);
    expect(outcome(await prove(http, id, { method: 'totp', code: await totp.freshCode() }))).toEqual([200, undefined]);
  });

  it('locks after five wrong codes, for longer each time, for every code; the right one afterwards starts anew', async () => {
    const wrong = wrongCode();
    for (let guess = 1; guess <= 5; guess += 1) {
      expect(outcome(await tryCode(wrong))).toEqual([403, 'mfa.code_wrong']);
    }
    const locked = await tryCode(await totp.freshCode());
    expect(outcome(locked)).toEqual([429, 'mfa.locked']);
    expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect(outcome(await tryCode(totp.recoveryCodes[0] ?? '', 'recovery_code'))).toEqual([429, 'mfa.locked']);

    await unlock();
    expect((await tryCode(wrong)).body).toMatchObject({ code: 'mfa.code_wrong', details: { locked_seconds: 60 } });
    await unlock();
    expect((await tryCode(wrong)).body).toMatchObject({ code: 'mfa.code_wrong', details: { locked_seconds: 120 } });
    await unlock();
    expect(outcome(await tryCode(await totp.freshCode()))).toEqual([200, undefined]);
    expect(outcome(await tryCode(wrong))).toEqual([403, 'mfa.code_wrong']);
    expect(outcome(await tryCode(await totp.freshCode()))).toEqual([200, undefined]);
    const payloads = await auditedOf(api, 'factor.locked', ada.id);
    expect(payloads.map((payload) => payload.locked_seconds)).toEqual([30, 60, 120]);
  });

  it('counts guesses that come at the same moment one after another', async () => {
    const wrong = wrongCode();
    const stepUps = await Promise.all(Array.from({ length: 12 }, () => startStepUp(http)));
    const answers = await Promise.all(stepUps.map(({ id }) => prove(http, id, { method: 'totp', code: wrong })));
    const codes = answers.map(({ body }) => body.code as string);
    expect(codes.filter((code) => code === 'mfa.code_wrong')).toHaveLength(5);
    expect(codes.filter((code) => code === 'mfa.locked')).toHaveLength(7);
  });

  it('takes other text for a wrong code', async () => {
    for (const code of ['12345', '1234567', 'abcdef', '١٢٣٤٥٦']) {
      expect(outcome(await tryCode(code))).toEqual([403, 'mfa.code_wrong']);
    }
  });

  it('accepts each recovery code once, also at the same moment, in any spelling', async () => {
    const [first = '', second = ''] = totp.recoveryCodes;
    expect(totp.recoveryCodes).toHaveLength(10);
    expect(outcome(await tryCode(first.toLowerCase().replaceAll('-', ' '), 'recovery_code'))).toEqual([200, undefined]);
    const again = await tryCode(first, 'recovery_code');
    expect(outcome(again)).toEqual([403, 'mfa.code_wrong']);
    expect(again.body).toMatchObject({ action: expect.stringMatching(/another recovery code/) });
    const stepUps = await Promise.all([1, 2, 3].map(() => startStepUp(http)));
    const proof = { method: 'recovery_code', code: second };
    const answers = await Promise.all(stepUps.map(({ id }) => prove(http, id, proof)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect((await http.get('/v1/factors')).body.recovery_codes_left).toBe(8);
  });

  it('keeps no secret and no recovery code that could be read: not in the database, not in the audit log', async () => {
    const [first = ''] = totp.recoveryCodes;
    expect(outcome(await tryCode(await totp.freshCode()))).toEqual([200, undefined]);
    expect(outcome(await tryCode(first, 'recovery_code'))).toEqual([200, undefined]);
    const forms = [totp.secret, ...totp.recoveryCodes].flatMap((secret) => {
      const bare = secret.replaceAll('-', '');
      return [secret, bare, Buffer.from(secret).toString('hex'), Buffer.from(bare).toString('hex')];
    });
    for (const table of ['factor', 'recovery_code', 'step_up', 'audit_entry', 'idempotency_record']) {
      const { rows } = await api.db.owner.query<{ row: string }>(`select to_jsonb(t)::text as row from "${table}" t`);
      const stored = rows.map(({ row }) => row).join('\n');
      expect([table, forms.filter((form) => stored.includes(form))]).toEqual([table, []]);
    }
  });
});
