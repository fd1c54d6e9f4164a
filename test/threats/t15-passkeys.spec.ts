import { testApi, type Answer, type HttpAs, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { auditedOf, enrolPasskey, prove, SITE, startStepUp } from '../support/second-factors.js';
import { softwareAuthenticator, type Behaviour, type SoftwareAuthenticator } from '../support/virtual-authenticator.js';

let api: TestApi;
let tenant: TestTenant;
let ada: TestPerson;
let http: HttpAs;
let passkey: SoftwareAuthenticator;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
}, 60_000);
afterAll(() => api.close());

beforeEach(async () => {
  ada = await api.person(tenant, 'SRELead');
  http = api.http(ada.token);
  passkey = await enrolPasskey(api, ada);
});

const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];

const WRONG: readonly (readonly [string, Partial<Behaviour>])[] = [
  ['another origin', { origin: 'https://countersign.example.net' }],
  ['the same host on another port', { origin: 'http://localhost:8421' }],
  ['another relying party', { rpId: 'example.net' }],
  ['no user verification', { userVerified: false }],
];

describe('T15: WebAuthn from a wrong origin, with a reused challenge, or a counter gone back', () => {
  it('is the preferred method, and proves an operation', async () => {
    const { id, methods, challenge } = await startStepUp(http);
    expect(methods).toEqual(['passkey', 'recovery_code']);
    const answer = await prove(http, id, { method: 'passkey', assertion: passkey.assert(challenge) });
    expect([answer.status, answer.body]).toMatchObject([200, { id, method: 'passkey' }]);
  });

  it.each([...WRONG, ['another key', { forged: true }] as const])(
    'refuses %s, and takes no other answer to that challenge',
    async (_what, behaviour) => {
      const { id, challenge } = await startStepUp(http);
      const assertion = passkey.assert(challenge, behaviour);
      expect(outcome(await prove(http, id, { method: 'passkey', assertion }))).toEqual([403, 'mfa.passkey_refused']);
      const right = { method: 'passkey', assertion: passkey.assert(challenge) };
      expect(outcome(await prove(http, id, right))).toEqual([409, 'mfa.challenge_spent']);
    },
  );

  it('refuses an answer to another challenge, and one that was used', async () => {
    const first = await startStepUp(http);
    const proof = { method: 'passkey', assertion: passkey.assert(first.challenge) };
    expect(outcome(await prove(http, first.id, proof))).toEqual([200, undefined]);
    expect(outcome(await prove(http, first.id, proof))).toEqual([409, 'mfa.already_proved']);
    const second = await startStepUp(http);
    expect(outcome(await prove(http, second.id, proof))).toEqual([403, 'mfa.passkey_refused']);
  });

  it('accepts an answer once if it comes several times at the same moment', async () => {
    const { id, challenge } = await startStepUp(http);
    const proof = { method: 'passkey', assertion: passkey.assert(challenge) };
    const answers = await Promise.all([1, 2, 3].map(() => prove(http, id, proof)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('refuses a challenge after five minutes', async () => {
    const { id, challenge } = await startStepUp(http);
    await api.db.owner.query(`update step_up set expires_at = clock_timestamp() where id = $1`, [id]);
    const proof = { method: 'passkey', assertion: passkey.assert(challenge) };
    expect(outcome(await prove(http, id, proof))).toEqual([409, 'mfa.step_up_expired']);
  });

  it('refuses a counter that went back or stood still, and records it', async () => {
    for (const counter of [41, 41, 7]) {
      const { id, challenge } = await startStepUp(http);
      const answer = await prove(http, id, { method: 'passkey', assertion: passkey.assert(challenge, { counter }) });
      expect(outcome(answer)).toEqual(
        counter === 41 && (await recorded()).length === 0 ? [200, undefined] : [403, 'mfa.passkey_counter'],
      );
    }
    expect(await recorded()).toMatchObject([
      { counter: 41, expected_above: 41 },
      { counter: 7, expected_above: 41 },
    ]);
    const { id, challenge } = await startStepUp(http);
    const onwards = { method: 'passkey', assertion: passkey.assert(challenge, { counter: 42 }) };
    expect(outcome(await prove(http, id, onwards))).toEqual([200, undefined]);
  });

  it('does not trust a counter without a signature', async () => {
    const { id, challenge } = await startStepUp(http);
    const assertion = passkey.assert(challenge, { counter: 0, forged: true });
    expect(outcome(await prove(http, id, { method: 'passkey', assertion }))).toEqual([403, 'mfa.passkey_refused']);
    expect(await recorded()).toEqual([]);
  });

  it('refuses another person’s passkey', async () => {
    const ben = await api.person(tenant, 'SRELead');
    const bens = await enrolPasskey(api, ben);
    const { id, challenge } = await startStepUp(http);
    const proof = { method: 'passkey', assertion: bens.assert(challenge) };
    expect(outcome(await prove(http, id, proof))).toEqual([403, 'mfa.passkey_refused']);
  });

  it.each(WRONG)('registers no passkey from %s, and takes one answer to a challenge', async (_what, behaviour) => {
    const newcomer = api.http((await api.person(tenant, 'SRELead')).token);
    const fresh = softwareAuthenticator(SITE);
    const { options } = (await newcomer.post('/v1/factors/passkeys/options', {})).body as {
      options: { challenge: string };
    };
    const register = (override: Partial<Behaviour>) =>
      newcomer.post('/v1/factors/passkeys', { registration: fresh.register(options.challenge, override) });
    expect(outcome(await register(behaviour))).toEqual([403, 'mfa.passkey_refused']);
    expect(outcome(await register({}))).toEqual([409, 'mfa.challenge_spent']);
    expect((await newcomer.get('/v1/factors')).body.items).toEqual([]);
  });
});

const recorded = () => auditedOf(api, 'factor.counter_went_back', ada.id);
