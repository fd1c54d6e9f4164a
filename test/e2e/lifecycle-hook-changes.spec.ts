import { expectStatus, testApi, type Answer, type HttpAs, type TestApi } from '../support/api.js';
import { putCurrent } from '../support/put-current.js';
import { enrolTotp, steppedUp, type TestTotp } from '../support/second-factors.js';

jest.setTimeout(60_000);

let api: TestApi;
let ada: HttpAs;
let ben: HttpAs;
let totp: TestTotp;

beforeAll(async () => {
  api = await testApi();
  const tenant = await api.tenant();
  ada = api.http(tenant.admin.token);
  const second = await api.person(tenant, 'PlatformAdmin', 'SecurityReviewer');
  ben = api.http(second.token);
  totp = await enrolTotp(api, second);
}, 60_000);
afterAll(() => api.close());

const LOG = '{name: log, event: tool.execute, action: {type: log, message: "{{toolName}}"}}';
const command = (line: string, more = ''): string =>
  `{name: tell, event: agent.error, action: {type: command, command: "${line}"}${more}}`;

const put = (...hooks: readonly string[]): Promise<Answer> =>
  putCurrent(ada, '/v1/lifecycle-hooks', {
    source: `runner: {pool: builders, environment: staging}\nhooks: [${hooks.join(', ')}]`,
  });

const inForce = async (): Promise<readonly (readonly [name: string, enabled: boolean])[]> =>
  (expectStatus(await ada.get('/v1/lifecycle-hooks'), 200).body.items as { name: string; enabled: boolean }[]).map(
    ({ name, enabled }) => [name, enabled],
  );

async function confirmed(answer: Answer): Promise<readonly string[]> {
  const { id, change_digest, loosens } = expectStatus(answer, 202).body as {
    id: string;
    change_digest: string;
    loosens: string[];
  };
  const step_up_id = await steppedUp(ben, totp, { kind: 'change_confirm', change_id: id, change_digest });
  expectStatus(await ben.post(`/v1/change-requests/${id}/confirm`, { change_digest, step_up_id }), 200);
  return loosens;
}

it('T34: a command hook that is new, changed or switched on takes two people, and all else one', async () => {
  expectStatus(await put(LOG), 200);
  expect(await inForce()).toEqual([['log', true]]);
  expect(await confirmed(await put(LOG, command('notify -- {{error}}')))).toEqual([
    'tell executes notify -- {{error}} on runners of builders in staging for agent.error of *',
  ]);
  expect(await inForce()).toEqual([
    ['log', true],
    ['tell', true],
  ]);
  // The same once more loosens nothing; nor does another message of the log.
  expectStatus(await put(LOG.replace('toolName', 'agentId'), command('notify -- {{error}}')), 200);
  for (const other of [command('notify {{error}}'), command('page'), command('notify -- {{error}}', ', matcher: "a*"')])
    expectStatus(await put(LOG, other), 202);
  // Off is at once, on takes two.
  const enabled = '/v1/lifecycle-hooks/tell/enabled';
  expectStatus(await ada.put(enabled, { enabled: false }), 200);
  expect(await inForce()).toContainEqual(['tell', false]);
  expectStatus(await ada.put('/v1/lifecycle-hooks/log/enabled', { enabled: true }), 200);
  await confirmed(await ada.put(enabled, { enabled: true }));
  expect(await inForce()).toContainEqual(['tell', true]);
  // A command that is off, and the removal of one, change nothing that runs.
  expectStatus(await put(LOG, command('page', ', enabled: false')), 200);
  expectStatus(await put(LOG), 200);
  expect(await inForce()).toEqual([['log', true]]);
});

it('a document with a mistake is refused with its place, and the hooks in force stay', async () => {
  const refused = expectStatus(await put(command('notify | sh')), 422).body;
  expect(refused.code).toBe('lifecycle_hook.invalid');
  expect(refused.errors).toMatchObject([{ code: 'lifecycle_hook.shell_syntax', line: 2 }]);
  expectStatus(await putCurrent(ada, '/v1/lifecycle-hooks', { source: 'hooks: [' }), 400);
  expect(await inForce()).toEqual([['log', true]]);
});

it('the first of two people who read the hooks changes them, and the second is told', async () => {
  const read = expectStatus(await ada.get('/v1/lifecycle-hooks'), 200);
  expect(read.headers.etag).toBe(read.body.etag);
  const asRead = { 'if-match': String(read.body.etag) };
  const source = (message: string) =>
    `hooks: [{name: log, event: tool.execute, action: {type: log, message: ${message}}}]`;
  const first = expectStatus(await ada.put('/v1/lifecycle-hooks', { source: source('one') }, asRead), 200);
  const second = await ada.put('/v1/lifecycle-hooks', { source: source('two') }, asRead);
  expect(expectStatus(second, 412).body.code).toBe('request.if_match_failed');
  const blind = await ada.put('/v1/lifecycle-hooks', { source: source('three') });
  expect(expectStatus(blind, 428).body.code).toBe('request.if_match_required');
  // A hook that is switched changes the document, too.
  expectStatus(await ada.put('/v1/lifecycle-hooks/log/enabled', { enabled: false }), 200);
  const third = await ada.put(
    '/v1/lifecycle-hooks',
    { source: source('four') },
    { 'if-match': String(first.headers.etag) },
  );
  expect(third.status).toBe(412);
  expectStatus(await put(LOG), 200);
});

it('hooks are checked without a change, with the commands that would wait', async () => {
  const before = expectStatus(await ada.get('/v1/lifecycle-hooks'), 200).body.source;
  const checked = (source: string) => ada.post('/v1/lifecycle-hooks/validate', { source });
  const source = `runner: {pool: builders, environment: staging}\nhooks: [${LOG}, ${command('notify -- {{error}}')}]`;
  expect(expectStatus(await checked(source), 200).body).toEqual({
    loosens: ['tell executes notify -- {{error}} on runners of builders in staging for agent.error of *'],
  });
  expect(expectStatus(await checked(`hooks: [${LOG}]`), 200).body).toEqual({ loosens: [] });
  const refused = expectStatus(await checked(source.replace('notify', 'notify |')), 422).body;
  expect(refused.errors).toMatchObject([{ code: 'lifecycle_hook.shell_syntax', line: 2 }]);
  expect(expectStatus(await ada.get('/v1/lifecycle-hooks'), 200).body.source).toBe(before);
});

it('neither an agent nor a person without the role reads or changes hooks', async () => {
  const tenant = await api.tenant();
  const agent = api.http((await api.agent(tenant, tenant.admin)).token);
  const lead = api.http((await api.person(tenant, 'SRELead')).token);
  for (const other of [agent, lead]) {
    expectStatus(await other.get('/v1/lifecycle-hooks'), 403);
    expectStatus(await other.get('/v1/lifecycle-hooks/executions'), 403);
    expectStatus(await other.put('/v1/lifecycle-hooks', { source: 'hooks: []' }), 403);
    expectStatus(await other.post('/v1/lifecycle-hooks/validate', { source: 'hooks: []' }), 403);
    expectStatus(await other.put('/v1/lifecycle-hooks/log/enabled', { enabled: false }), 403);
  }
});

it('T47: an agent reports at most sixty errors in a minute', async () => {
  const tenant = await api.tenant();
  const agent = api.http((await api.agent(tenant, tenant.admin)).token);
  const other = api.http((await api.agent(tenant, tenant.admin)).token);
  let refused: Answer | null = null;
  // The minute may change once in between.
  for (let count = 0; count < 130 && refused === null; count += 1) {
    const answer = await agent.post('/v1/agent-errors', { error: 'lost' });
    if (answer.status !== 204) refused = answer;
  }
  expect(refused?.status).toBe(429);
  expectStatus(await other.post('/v1/agent-errors', { error: 'lost' }), 204);
});
