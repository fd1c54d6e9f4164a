import { createHash, randomUUID } from 'node:crypto';
import { freePort } from '../../libs/foundation/database/src/embedded/free-port.js';
import { createIssuer, CLIENT_ID } from '../../apps/issuer/src/create-issuer.js';
import type { IssuerPerson } from '../../apps/issuer/src/issuer-config.js';
import { expectStatus, type Answer, type TestApi, type TestTenant } from './api.js';

/** The development issuer, listening on this machine, in this process. */
export interface TestIssuer {
  readonly url: string;
  /** As the operator would allow it. */
  readonly host: string;
  readonly running: ReturnType<typeof createIssuer>;
  /** Goes to an address at the issuer as a browser of its own, and chooses somebody there. Ends where it is sent back to. */
  choose(location: string, sub: string, browser?: IssuerBrowser): Promise<URL>;
  /** An access token for an API, as a program that somebody uses would get it. */
  accessToken(sub: string, resource: string): Promise<string>;
  close(): Promise<void>;
}

/** The cookies a browser holds for the issuer. */
export type IssuerBrowser = Map<string, string>;

export async function testIssuer(
  people: readonly (Partial<IssuerPerson> & Pick<IssuerPerson, 'sub'>)[],
  clientUrl = 'http://127.0.0.1:8420',
): Promise<TestIssuer> {
  const port = await freePort(0);
  const host = `localhost:${String(port)}`;
  const url = `http://${host}`;
  const everybody = people.map(({ sub, name = sub, email = `${sub}@issuer.example.com`, title = '', groups = [] }) => ({
    sub,
    name,
    email,
    title,
    groups,
  }));
  const running = createIssuer(url, { people: everybody, clientUrl });
  await new Promise<void>((resolve) => running.server.listen(port, 'localhost', resolve));
  return {
    url,
    host,
    running,
    choose: (location, sub, browser = new Map()) => choose(location, sub, browser, clientUrl),
    accessToken: (sub, resource) => accessTokenOf(url, clientUrl, sub, resource),
    close: () =>
      new Promise((resolve) => {
        running.server.close(() => {
          resolve();
        });
        running.server.closeAllConnections();
      }),
  };
}

async function choose(location: string, sub: string, cookies: IssuerBrowser, clientUrl: string): Promise<URL> {
  let next = { url: new URL(location), form: undefined as string | undefined };
  for (let hops = 0; hops < 12; hops += 1) {
    if (next.url.href.startsWith(clientUrl)) return next.url;
    const answer = await fetch(next.url, {
      method: next.form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(next.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(next.form === undefined ? {} : { body: next.form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    const page = await answer.text();
    if (to !== null) next = { url: new URL(to, next.url), form: undefined };
    else if (page.includes('Who are you?')) next = { url: next.url, form: `sub=${encodeURIComponent(sub)}` };
    else throw new Error(`the issuer answered ${String(answer.status)}: ${page}`);
  }
  throw new Error('the issuer redirects without end');
}

async function accessTokenOf(url: string, clientUrl: string, sub: string, resource: string): Promise<string> {
  const verifier = 'v'.repeat(43);
  const redirectUri = `${clientUrl}/sign-in/callback/${randomUUID()}/demo`;
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const back = await choose(`${url}/auth?${query.toString()}`, sub, new Map(), clientUrl);
  const answer = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      resource,
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`the issuer gave no access token: ${back.href}`);
  return token;
}

/** A browser at Countersign: it keeps its cookies. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  #csrf: string | undefined;

  constructor(
    private readonly api: Pick<TestApi, 'http'>,
    private readonly origin = 'http://127.0.0.1:8420',
  ) {}

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.api.http().send(method, path, body, {
      ...(this.cookies.size === 0
        ? {}
        : { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      ...(method === 'GET' ? {} : { origin: this.origin, 'x-countersign-csrf': this.#csrf ?? '' }),
      ...headers,
    });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  /** The current browser session, with its CSRF token. */
  async current(): Promise<Answer> {
    const answer = await this.get('/v1/browser-sessions/current');
    this.#csrf = (answer.body as { csrf_token?: string }).csrf_token;
    return answer;
  }

  /** Begins a sign-in. @returns where it is sent. */
  async begin(query: string): Promise<string> {
    return (
      expectStatus(await this.get(`/sign-in?${query}`, { 'sec-fetch-site': 'same-origin' }), 303).headers.location ?? ''
    );
  }

  /** Comes back from the issuer. */
  comeBack(to: URL): Promise<Answer> {
    return this.get(`${to.pathname}${to.search}`);
  }

  /** Signs in as somebody of the issuer, from beginning to end. @returns the answer to the return. */
  async signIn(
    issuer: TestIssuer,
    tenant: Pick<TestTenant, 'slug'>,
    sub: string,
    browser?: IssuerBrowser,
  ): Promise<Answer> {
    const answer = await this.comeBack(await issuer.choose(await this.begin(`tenant=${tenant.slug}`), sub, browser));
    if (answer.status === 303) await this.current();
    return answer;
  }
}

/** Makes the issuer the tenant's, with a test's own settings. */
export async function registerIssuer(
  api: TestApi,
  tenant: TestTenant,
  issuer: TestIssuer,
  otherwise: Readonly<Record<string, unknown>> = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const admin = api.http(tenant.admin.token);
  const before = expectStatus(await admin.get('/v1/issuers'), 200);
  const described = {
    name: 'demo',
    display_name: 'Demo issuer',
    issuer_url: issuer.url,
    client_id: CLIENT_ID,
    extra_scopes: ['groups'],
    role_mappings: [
      { value: 'sre-leads', role: 'SRELead' },
      { value: 'admins', role: 'PlatformAdmin' },
      { value: 'engineers', role: 'DevOpsEngineer' },
    ],
    ...otherwise,
  };
  const revised = (before.body as { revision: number }).revision > 0;
  const answer = await admin.put(
    '/v1/issuers',
    { ...settings, issuers: [described] },
    revised ? { 'if-match': before.headers.etag ?? '' } : {},
  );
  expectStatus(answer, 200);
}

/** The issuers of an answer in the form of a request: without the server's own facts of each. */
export const describedIn = ({ body }: Answer): object[] =>
  (body as { issuers: { id: string; standing: object | null }[] }).issuers.map(
    ({ id: _id, standing: _standing, ...described }) => described,
  );
