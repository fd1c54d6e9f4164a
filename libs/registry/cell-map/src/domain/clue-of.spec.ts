import { routingHintOf } from '#lib/formats';
import { newId, type TenantId } from '#lib/kernel';
import { clueInBody, clueOf, type Clue, type RequestHead } from './clue-of.js';

const tenant = newId<TenantId>();
const other = newId<TenantId>();
const byHint = (id = tenant): Clue => ({ by: 'hint', hint: routingHintOf(id) });
const token = (kind = 'a', id = tenant): string => `cs_${kind}_${'r'.repeat(43)}${routingHintOf(id)}${'c'.repeat(6)}`;
const jws = (claims: object): string =>
  `eyJhbGciOiJFZERTQSJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'s'.repeat(20)}`;
const clue = (target: string, headers: RequestHead['headers'] = {}, method = 'GET') =>
  clueOf({ method, target, headers });
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const cookie = (value: string) => ({ cookie: `theme=dark; __Host-countersign=${value}` });

describe('the clue in the head of a request', () => {
  it.each<[string, Clue | 'body' | null, string, RequestHead['headers'], string?]>([
    ['a token', byHint(), '/v1/me', bearer(token())],
    ['a token in any case of Bearer', byHint(), '/v1/me', { authorization: `bearer  ${token('p')}` }],
    ['a token without a hint', null, '/v1/me', bearer(`cs_p_${'r'.repeat(49)}`)],
    ['a token with a hint that is too long', null, '/v1/me', bearer(`${token()}x`)],
    ['a token of four thousand characters', null, '/v1/me', bearer(`cs_p_${'r'.repeat(4_000)}`)],
    ['a cookie', byHint(), '/inbox', cookie(token('s'))],
    [
      'the first of two cookies, as the API reads them',
      byHint(),
      '/inbox',
      {
        cookie: `__Host-countersign=${token('s')}; __Host-countersign=${token('s', other)}`,
      },
    ],
    ['a cookie of a similar name', null, '/inbox', { cookie: `x__Host-countersign=${token('s')}` }],
    ['a header that hides the cookie', null, '/v1/me', { ...cookie(token('s')), authorization: 'Basic eA==' }],
    ['the proof of a runner', byHint(), '/v1/runner/hello', { 'countersign-runner-proof': jws({ tenant }) }, 'POST'],
    ['a proof without a tenant', null, '/v1/runner/hello', { 'countersign-runner-proof': jws({ tenant: 7 }) }, 'POST'],
    ['a proof that is no JSON', null, '/v1/runner/hello', { 'countersign-runner-proof': 'eyJh.!.x' }, 'POST'],
    [
      'an access token by its audience',
      byHint(),
      '/v1/me',
      bearer(jws({ aud: ['x', `https://c.example/tenants/${tenant}`] })),
    ],
    [
      'an access token for an MCP endpoint',
      { by: 'slug', slug: 'acme' },
      '/t/acme/mcp',
      bearer(jws({ aud: 'https://c.example/t/acme/mcp' })),
    ],
    ['an access token without an audience, by the path', { by: 'slug', slug: 'acme' }, '/t/acme/mcp', bearer(jws({}))],
    ['a token before the path, since the cell of the token refuses', byHint(), '/t/acme/mcp', bearer(token())],
    [
      'the metadata of an MCP endpoint',
      { by: 'slug', slug: 'acme' },
      '/.well-known/oauth-protected-resource/t/acme/mcp',
      {},
    ],
    ['a webhook of an automation', { by: 'slug', slug: 'acme' }, '/hooks/acme/automations/1', {}, 'POST'],
    [
      'a slug with an encoded letter, as the API decodes it',
      { by: 'slug', slug: 'acme' },
      '/hooks/a%63me/automations/1',
      {},
      'POST',
    ],
    ['a slug with an encoded slash', null, '/hooks/acme%2Fother/automations/1', {}, 'POST'],
    ['a slug of a parent folder', null, '/hooks/../automations/1', {}, 'POST'],
    ['a slug of seventy characters', null, `/hooks/${'a'.repeat(70)}/automations/1`, {}, 'POST'],
    ['a path with a broken encoding', null, '/hooks/%E0%A4%A/automations/1', {}, 'POST'],
    ['a sign-in at a tenant', { by: 'slug', slug: 'acme' }, '/sign-in?tenant=acme', cookie(token('s'))],
    ['a sign-in without a tenant, by the cookie', byHint(), '/sign-in', cookie(token('s'))],
    ['a passkey of a tenant', { by: 'slug', slug: 'acme' }, '/v1/sign-in/passkey/options?tenant=acme', {}, 'POST'],
    [
      'a return from an issuer, by the state and not the cookie',
      byHint(),
      `/sign-in/callback/${tenant}/okta?state=${tenant}.k1.abc&code=x`,
      cookie(token('s', other)),
    ],
    [
      'a return with a state of nobody',
      null,
      `/sign-in/callback/${tenant}/okta?state=guess&code=x`,
      cookie(token('s')),
    ],
    [
      'a return from Slack, by the state',
      byHint(),
      `/slack/oauth/callback?code=x&state=${'r'.repeat(43)}${routingHintOf(tenant)}`,
      cookie(token('s', other)),
    ],
    ['a host of its own', { by: 'host', host: 'acme.example' }, '/', { host: 'ACME.example:8443' }],
    ['nothing', null, '/', {}],
    ['an exchange, which has its tenant in the body', 'body', '/v1/enrolment', bearer(token('p', other)), 'POST'],
    ['an exchange whose path is encoded', 'body', '/v1/enrolmen%74', {}, 'POST'],
    ['a path that every object has', null, '/constructor', {}, 'POST'],
    ['an exchange by another method', null, '/v1/enrolment', {}, 'GET'],
  ])('%s', (_name, expected, target, headers, method = 'GET') => {
    expect(clue(target, headers, method)).toEqual(expected);
  });
});

describe('the clue in the body of an exchange', () => {
  const app = { by: 'slack', app: 'A1', team: 'T1' } as const;
  it.each<[string, Clue | null, string, string]>([
    ['an invitation', byHint(), '/v1/enrolment', JSON.stringify({ enrolment_token: token('e') })],
    [
      'an invitation at its page',
      byHint(),
      '/v1/enrolment/passkey/options',
      JSON.stringify({ enrolment_token: token('e') }),
    ],
    [
      'an invitation without a hint',
      null,
      '/v1/enrolment',
      JSON.stringify({ enrolment_token: `cs_e_${'r'.repeat(49)}` }),
    ],
    [
      'a runner',
      byHint(),
      '/v1/runner/enrol',
      JSON.stringify({ token: `csr_${'r'.repeat(43)}${routingHintOf(tenant)}` }),
    ],
    ['a grant', byHint(), '/v1/grants/redeem', JSON.stringify({ grant: jws({ tenant }) })],
    [
      'a click in Slack',
      app,
      '/slack/interactions',
      `payload=${encodeURIComponent(JSON.stringify({ api_app_id: 'A1', team: { id: 'T1' } }))}`,
    ],
    ['an event of Slack', app, '/slack/events', JSON.stringify({ api_app_id: 'A1', team_id: 'T1' })],
    ['a command of Slack', app, '/slack/commands', 'api_app_id=A1&team_id=T1&text=help'],
    ['a challenge of Slack, which names no team', null, '/slack/events', JSON.stringify({ type: 'url_verification' })],
    ['no JSON', null, '/v1/enrolment', '{'],
    ['null', null, '/v1/grants/redeem', 'null'],
    ['a list', null, '/v1/enrolment', '[1]'],
  ])('%s', (_name, expected, target, body) => {
    expect(clueInBody({ target }, body)).toEqual(expected);
  });
});
