import { expectStatus, testApi, type TestApi } from '../support/api.js';

let api: TestApi;
const lines: string[] = [];

beforeAll(async () => {
  api = await testApi({ config: { logLevel: 'trace' }, logTo: { write: (line) => void lines.push(line) } });
});
afterAll(() => api.close());

describe('T32: no secret stands in a log', () => {
  it('in every carrier, and after every failure', async () => {
    const tenant = await api.tenant();
    const person = await api.person(tenant, 'SecurityReviewer');
    const agent = await api.agent(tenant, person);
    const secretValue = 'S3cr3t-value-of-a-tool';
    expectStatus(await api.http(tenant.admin.token).put('/v1/secrets/tool', { value: secretValue }), 200);
    const http = api.http(agent.token);
    await http.get(`/v1/me?access_token=${person.token}`);
    await http.get(`/v1/people/${person.token}`);
    await http.post('/v1/enrolment', { enrolment_token: person.token, name: 'x' });
    await http.post('/v1/people', `not json ${secretValue}`, { 'content-type': 'application/json' });
    await http.get('/v1/me', {
      'x-request-id': person.token,
      cookie: `session=${secretValue}`,
      'user-agent': `agent ${person.token}`,
    });
    await api.http(person.token.slice(0, -1)).get('/v1/me');
    // An unforeseen failure, with the secret in its message.
    await api.db.owner.query('alter table agent rename to agent_away');
    const broken = await api.http(person.token).get('/v1/agents');
    await api.db.owner.query('alter table agent_away rename to agent');
    expect([broken.status, broken.body.code]).toEqual([500, 'internal.unexpected']);
    expect(broken.text).not.toMatch(/agent_away|relation|select/i);

    const log = lines.join('');
    expect(lines.length).toBeGreaterThan(10);
    for (const token of [tenant.admin.token, person.token, agent.token]) expect(log).not.toContain(token.slice(5, 40));
    expect(log).not.toContain(secretValue);
    expect(log).not.toMatch(/"authorization"|"cookie"/i);
  });

  it('and a failure is found there by the request id that its caller was told', () => {
    const failures = lines
      .map((line) => JSON.parse(line) as { level: string; request_id?: string })
      .filter(({ level }) => level === 'error');
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter(({ request_id }) => request_id === undefined)).toEqual([]);
  });
});
