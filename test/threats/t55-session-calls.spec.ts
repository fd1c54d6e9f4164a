import type { PersonId } from '#lib/kernel';
import {
  assignByHand,
  expectStatus,
  operatorToken,
  testApi,
  type Answer,
  type HttpAs,
  type TestAgent,
  type TestApi,
  type TestTenant,
} from '../support/api.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
`;
const READ = { tool: 'query_assets', arguments: {} };
const REMOVE = { tool: 'shell', arguments: { command: 'rm build/old' } };

interface Browser {
  readonly id: PersonId;
  readonly page: Record<string, string>;
}

let api: TestApi;
let tenant: TestTenant;
let bot: TestAgent;
let agent: HttpAs;
let owner: Browser;
let lead: Browser;
/** The owner's own token, on the machine of the agent. */
let ownerToken: string;

/** A SRELead who is signed in to a browser. */
async function signedIn(name: string): Promise<Browser> {
  const person = { email: `${name}@example.com`, display_name: name };
  const added = await api.http(tenant.admin.token).post('/v1/people', person);
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, id));
  return { id, page: await pageOf(api, cookie) };
}

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', SHELL_CATALOG), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  [owner, lead] = [await signedIn('ada'), await signedIn('bo')];
  const token = { name: 'laptop', scopes: ['read', 'run', 'review'] };
  ownerToken = expectStatus(await api.http().post('/v1/tokens', token, owner.page), 201).body.token as string;
  bot = await api.agent(tenant, { id: owner.id, email: '', token: ownerToken });
  agent = api.http(bot.token);
}, 60_000);
afterAll(() => api.close());

/** A session in which each call asks a person, because of its level. */
const session = async (environment: string, more: object = {}): Promise<string> => {
  const body = { environment, preset: 'levels', level: 'MANUAL', calls_per_turn: 64, agent_ids: [bot.id], ...more };
  return expectStatus(await api.http().post('/v1/sessions', body, owner.page), 201).body.id as string;
};

const asked = async (id: string, call: object, as = agent): Promise<Answer> => {
  const answer = expectStatus(await as.post(`/v1/sessions/${id}/tool-calls`, call), 201);
  expect(answer.body.outcome).toBe('pending');
  return answer;
};

const detailOf = async ({ body }: Answer): Promise<Answer['body']> =>
  expectStatus(await api.http().get(`/v1/approval-requests/${String(body.request_id)}`, lead.page), 200)
    .body as unknown;

/** An approval by somebody in a browser, or by a token. @returns ok, or the codes of the refusal. */
async function approval(answer: Answer, by: Browser | string, more: object = {}): Promise<string> {
  const { subject } = (await detailOf(answer)) as { subject: { digest: string } };
  const review = { verdict: 'approve', subject_digest: subject.digest, ...more };
  const path = `/v1/approval-requests/${String(answer.body.request_id)}/reviews`;
  const { status, body } =
    typeof by === 'string' ? await api.http(by).post(path, review) : await api.http().post(path, review, by.page);
  if (status === 201) return 'ok';
  const reasons = (body.reasons ?? []) as readonly { code: string }[];
  return [body.code as string, ...reasons.map(({ code }) => code)].join(' ');
}

const outcomeOf = async ({ body }: Answer): Promise<unknown> =>
  expectStatus(await agent.get(`/v1/tool-calls/${String(body.id)}`), 200).body.outcome;

describe('T03: the answer about a call of a session', () => {
  it('comes from the owner of the agent outside production, and from another person in production', async () => {
    expect(await approval(await asked(await session('development'), READ), owner)).toBe('ok');
    const answer = await asked(await session('production'), READ);
    expect(await approval(answer, owner)).toMatch(/^policy\.denied review\./);
    expect(await outcomeOf(answer)).toBe('pending');
    expect(await approval(answer, lead)).toBe('ok');
    expect(await outcomeOf(answer)).toBe('allowed');
  });

  it('never comes from the person who made the call', async () => {
    const answer = await asked(await session('development'), READ, api.http(ownerToken));
    expect(await approval(answer, owner)).toMatch(/^policy\.denied review\./);
    expect(await approval(answer, lead)).toBe('ok');
  });
});

describe('T55: an agent that answers for itself', () => {
  it('does not with its own token, a delegation, or the token of its owner or of an admin', async () => {
    const answer = await asked(await session('development'), READ);
    const delegation = await api.delegation(bot, { id: owner.id, email: '', token: ownerToken }, 'read', 'run');
    const codes: Record<string, string> = {};
    for (const [name, token] of Object.entries({ own: bot.token, delegation, owner: ownerToken }))
      codes[name] = await approval(answer, token);
    expect(codes).toEqual({
      own: 'credential.scope_missing',
      delegation: 'credential.scope_missing',
      owner: 'policy.denied review.browser_only',
    });
    expect(await outcomeOf(answer)).toBe('pending');
  });

  it('does not by an "always" with a token', async () => {
    const id = await session('development');
    const answer = await asked(id, { tool: 'shell', arguments: { command: 'rm build/other' } });
    expect(await approval(answer, ownerToken, { always: true })).toBe('policy.denied review.browser_only');
    expect(expectStatus(await agent.get(`/v1/sessions/${id}/trusts`), 200).body.items).toEqual([]);
    expect(await outcomeOf(answer)).toBe('pending');
  });

  it('does not by a session that asks less, opened or changed by a token', async () => {
    const loose = { environment: 'development', preset: 'levels', level: 'FULL_AUTO' };
    expect(expectStatus(await agent.post('/v1/sessions', loose), 403).body.code).toBe('session.opened_looser');
    const byOwner = await api.http(ownerToken).post('/v1/sessions', { ...loose, agent_ids: [bot.id] });
    expect(expectStatus(byOwner, 403).body.code).toBe('session.opened_looser');
    const id = await session('development');
    for (const token of [bot.token, ownerToken]) {
      const changed = await api.http(token).patch(`/v1/sessions/${id}`, { level: 'FULL_AUTO' });
      expect(expectStatus(changed, 403).body.code).toBe('session.loosened_by_token');
    }
  });
});

describe('T11: the words of an agent about a call', () => {
  it('stand beside the call as its own, and change nothing of what people are told about it', async () => {
    const words = 'This only reads. Approve it.';
    const detail = (await detailOf(await asked(await session('development'), { ...REMOVE, reason: words }))) as {
      headline: string;
      risk: string;
      call: Record<string, unknown>;
    };
    expect(detail.headline).toBe('shell executes in development (Tier 2, DESTRUCTIVE): rm build/old');
    expect(detail).toMatchObject({
      risk: 'high',
      call: { category: 'terminal-write', impact: detail.headline, said_by_the_requester: { reason: words } },
    });
    const { said_by_the_requester: _, ...told } = detail.call;
    expect(JSON.stringify({ ...detail, call: told })).not.toContain(words);
  });
});

describe('T09: an agent that floods people with calls', () => {
  it('is refused after sixty requests in ten minutes, with the time to wait, and its further call is not kept', async () => {
    const flooding = await api.agent(tenant, { id: owner.id, email: '', token: ownerToken });
    const as = api.http(flooding.token);
    const id = await session('development', { agent_ids: [flooding.id] });
    const path = `/v1/sessions/${id}/tool-calls`;
    const removal = (file: number) => ({ tool: 'shell', arguments: { command: `rm build/${String(file)}` } });
    for (let file = 0; file < 60; file += 1) expectStatus(await as.post(path, removal(file)), 201);
    const refused = expectStatus(await as.post(path, removal(60)), 429);
    expect(refused.body.code).toBe('approval.flood');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await as.get(`${path}?limit=100`)).body.items).toHaveLength(60);
  }, 60_000);
});
