import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Provider, { errors, type Configuration, type JWK } from 'oidc-provider';
import type { IssuerConfig, IssuerPerson } from './issuer-config.js';
import { choosePage, problemPage, signedOutPage, signOutPage, STYLES } from './pages.js';

/** The client that Countersign is at this issuer. */
export const CLIENT_ID = 'countersign';
const MAX_FORM_BYTES = 4_096;
const DAY_SECONDS = 86_400;

export interface RunningIssuer {
  readonly server: Server;
  /** Replaces the keys that it signs with, at once. */
  readonly provider: Provider;
}

/** A key pair for signing, as the issuer keeps it: new at every start. */
function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' };
}

/**
 * An OpenID Connect issuer for demonstrations and tests: it asks for the person and believes the answer. The protocol is
 * oidc-provider's; the pages are ours. PKCE is required, also of a confidential client.
 *
 * @param url its issuer identifier: the address at which it will listen.
 */
export function createIssuer(url: string, config: Pick<IssuerConfig, 'people' | 'clientUrl'>): RunningIssuer {
  const provider = new Provider(url, configurationOf(config));
  provider.Client.prototype.redirectUriAllowed = (uri) => isRedirectUri(config.clientUrl, uri);
  const protocol = provider.callback();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', url).pathname;
    if (path === '/styles.css') answer(response, 200, 'text/css; charset=utf-8', STYLES);
    else if (path.startsWith('/interaction/')) {
      interact(provider, config.people, request, response, path).catch((error: unknown) => {
        const known = error instanceof errors.OIDCProviderError;
        answer(
          response,
          known ? 400 : 500,
          HTML,
          problemPage(known ? (error.error_description ?? error.message) : 'Try again.'),
        );
      });
    } else void protocol(request, response);
  });
  return { server, provider };
}

/** Countersign has one address for each issuer of each tenant. Tenants are founded later than this client is registered. */
const isRedirectUri = (clientUrl: string, uri: string): boolean =>
  uri.startsWith(clientUrl) && /^\/sign-in\/callback\/[0-9a-f-]{36}\/[a-z0-9-]+$/.test(uri.slice(clientUrl.length));

const HTML = 'text/html; charset=utf-8';

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

/** Somebody is asked who they are, and answers by pressing a button. There is nothing to consent to: the client is our own. */
async function interact(
  provider: Provider,
  people: readonly IssuerPerson[],
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const { prompt, params, grantId, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'consent') {
    const accountId = session?.accountId;
    if (accountId === undefined) throw new errors.InvalidRequest('nobody is signed in');
    const grant =
      (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
      new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
    return;
  }
  if (request.method !== 'POST') {
    answer(response, 200, HTML, choosePage(people, path));
    return;
  }
  const sub = (await formOf(request)).get('sub');
  const person = people.find((one) => one.sub === sub);
  if (person === undefined) {
    answer(response, 400, HTML, choosePage(people, path));
    return;
  }
  await provider.interactionFinished(
    request,
    response,
    { login: { accountId: person.sub } },
    { mergeWithLastSubmission: false },
  );
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let form = '';
  // A request without an encoding gives buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    form += chunk.toString('utf8');
    if (form.length > MAX_FORM_BYTES) throw new errors.InvalidRequest('the form is too large');
  }
  return new URLSearchParams(form);
}

function configurationOf({ people, clientUrl }: Pick<IssuerConfig, 'people' | 'clientUrl'>): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        // One must be named; isRedirectUri decides.
        redirect_uris: [`${clientUrl}/sign-in/callback/`],
        post_logout_redirect_uris: [`${clientUrl}/welcome`],
        id_token_signed_response_alg: 'ES256',
        application_type: 'native',
      },
    ],
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'offline_access'],
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => {
      const person = people.find((one) => one.sub === sub);
      if (person === undefined) return undefined;
      const { name, email, groups } = person;
      return { accountId: sub, claims: () => ({ sub, name, email, email_verified: true, groups }) };
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = signOutPage(form);
        },
        postLogoutSuccessSource: (context) => {
          context.body = signedOutPage();
        },
      },
      // Access tokens for the API of one tenant, as RFC 8707 asks for them.
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => {
          if (!resource.startsWith(`${clientUrl}/tenants/`)) throw new errors.InvalidTarget();
          return {
            audience: resource,
            scope: '',
            accessTokenFormat: 'jwt',
            accessTokenTTL: 300,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
        useGrantedResource: () => true,
      },
    },
    renderError: (context, out) => {
      context.type = 'html';
      context.body = problemPage(out.error_description ?? out.error);
    },
    ttl: {
      Session: DAY_SECONDS,
      Grant: DAY_SECONDS,
      Interaction: 600,
      AccessToken: 300,
      AuthorizationCode: 60,
      IdToken: 600,
    },
  };
}
