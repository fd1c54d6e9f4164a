import { expectStatus, testApi, type HttpAs, type TestApi } from '../support/api.js';

let api: TestApi;
let agent: HttpAs;

beforeAll(async () => {
  api = await testApi();
  const tenant = await api.tenant();
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
});
afterAll(() => api.close());

describe('POST /v1/shell/classify', () => {
  it('answers the verdict on a line, with each part and its place', async () => {
    const answer = expectStatus(
      await agent.post('/v1/shell/classify', { command: 'ls | xargs rm -rf', shell: 'bash' }),
      200,
    );
    expect(answer.body).toMatchObject({
      shell: 'bash',
      tier: 3,
      class: 'DESTRUCTIVE',
      allow_listed: 'blocked',
      network: false,
      parts: [
        { start: 0, end: 2, program: 'ls', tier: 1, class: 'READ_ONLY' },
        { start: 5, program: 'xargs' },
        { start: 11, end: 17, program: 'rm', tier: 3, reasons: expect.arrayContaining([]) as unknown },
      ],
    });
  });

  it('judges for every shell if none is named, and denies a line that cannot be read', async () => {
    const verdicts = await Promise.all(
      ['ls !(a)', 'ls (', 'ls\r', `ls ${'x'.repeat(17_000)}`].map((command) =>
        agent.post('/v1/shell/classify', { command }),
      ),
    );
    for (const answer of verdicts) {
      expect(expectStatus(answer, 200).body).toMatchObject({ shell: 'unknown', tier: 3 });
    }
  });

  it.each([
    ['no command', {}],
    ['an unknown shell', { command: 'ls', shell: 'fish' }],
    ['an unknown member', { command: 'ls', cwd: '/' }],
    ['a command of more than 64 K characters', { command: 'x'.repeat(65_537) }],
  ])('refuses a body with %s', async (_what, body) => {
    expect((await agent.post('/v1/shell/classify', body)).body).toMatchObject({ status: 422, code: 'request.invalid' });
  });

  it('needs a credential', async () => {
    expect((await api.http().post('/v1/shell/classify', { command: 'ls' })).status).toBe(401);
  });
});
