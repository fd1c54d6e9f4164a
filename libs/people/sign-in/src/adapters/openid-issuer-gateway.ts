import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type Configuration,
  type IDToken,
} from 'openid-client';
import {
  createRemoteJWKSet,
  customFetch as joseFetch,
  decodeProtectedHeader,
  errors as joseErrors,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose';
import { performance } from 'node:perf_hooks';
import type { GuardedFetch } from '#lib/dispatch';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import type { IssuerClient, IssuerGateway, SignInChecks } from '../application/sign-in.ports.js';
import { checkClaims, isSubject } from '../domain/check-claims.js';
import type { IssuerClaims } from '../domain/issuer.js';

/** How long an issuer's description of itself is believed. Its keys are asked for again whenever one is unknown. */
const DESCRIPTION_MS = 10 * 60_000;
const MAX_ISSUERS = 1_000;
/** How long after asking for keys an unknown one is not asked for again. */
const KEYS_COOLDOWN_MS = 5_000;
const CLOCK_TOLERANCE_SECONDS = 30;

interface Described {
  readonly configuration: Configuration;
  readonly keys: RemoteJWKSet;
  readonly until: number;
}

/**
 * OpenID Connect by openid-client, and access tokens by jose, over the guarded way out. Signatures are always verified, by
 * an algorithm that the tenant allows: `none` and shared secrets are not among those it can.
 */
export class OpenidIssuerGateway implements IssuerGateway {
  readonly #fetch: GuardedFetch;
  readonly #described = new Map<string, Promise<Described>>();

  constructor(fetch: GuardedFetch) {
    this.#fetch = fetch;
  }

  async check(client: IssuerClient): Promise<Result<void>> {
    const described = await this.#describe(client);
    return described.ok ? ok(undefined) : described;
  }

  async countKeys(client: IssuerClient): Promise<Result<number>> {
    try {
      const { keys } = await this.#ask(client);
      await keys.reload();
      return ok(keys.jwks()?.keys.length ?? 0);
    } catch (error) {
      return err(unreachable(client, error));
    }
  }

  async authorizationUrl(
    client: IssuerClient,
    request: SignInChecks & { readonly redirectUri: string; readonly prompt: 'login' | null },
  ): Promise<Result<string>> {
    const described = await this.#describe(client);
    if (!described.ok) return described;
    const url = buildAuthorizationUrl(described.value.configuration, {
      redirect_uri: request.redirectUri,
      scope: ['openid', 'profile', 'email', ...client.issuer.extraScopes].join(' '),
      state: request.state,
      nonce: request.nonce,
      code_challenge: await calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
      ...(request.maxAgeSeconds === null ? {} : { max_age: String(request.maxAgeSeconds) }),
      ...(request.prompt === null ? {} : { prompt: request.prompt }),
    });
    return ok(url.href);
  }

  async redeem(
    client: IssuerClient,
    callbackUrl: string,
    checks: SignInChecks,
  ): Promise<Result<{ claims: IssuerClaims; idToken: string }>> {
    const described = await this.#describe(client);
    if (!described.ok) return described;
    const { configuration } = described.value;
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(callbackUrl), {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.id_token;
      const claims = tokens.claims();
      if (idToken === undefined || claims === undefined) return err(tokenRefused('there is no ID token'));
      const { alg } = decodeProtectedHeader(idToken);
      if (!client.issuer.algorithms.some((allowed) => allowed === alg))
        return err(tokenRefused('its algorithm is not among those allowed'));
      if (isStale(claims, checks.maxAgeSeconds)) return err(tokenRefused('it tells of a sign-in that is too old'));
      const more = await this.#moreClaims(client, configuration, claims, tokens.access_token);
      const checked = checkClaims(claimsOf(client, more));
      return checked === null ? err(tokenRefused('its subject cannot be kept')) : ok({ claims: checked, idToken });
    } catch (error) {
      return err(failureOf(error));
    }
  }

  async signOutUrl(client: IssuerClient, idToken: string, backTo: string): Promise<string | null> {
    const described = await this.#describe(client);
    if (!described.ok) return null;
    const { configuration } = described.value;
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: backTo }).href;
  }

  async verifyBearer(client: IssuerClient, token: string, audience: string): Promise<Result<string>> {
    const described = await this.#describe(client);
    if (!described.ok) return described;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, described.value.keys, {
        issuer: client.issuer.url,
        audience,
        algorithms: [...client.issuer.algorithms],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub'],
      });
      const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
      if (type !== 'at+jwt' && type !== 'jwt') return err(bearerRefused('ERR_JWT_TYPE'));
      const subject = payload.sub ?? '';
      return isSubject(subject) ? ok(subject) : err(bearerRefused('ERR_JWT_CLAIM_INVALID'));
    } catch (error) {
      if (error instanceof joseErrors.JWKSTimeout) return err(unreachable(client, error));
      return err(bearerRefused(error instanceof joseErrors.JOSEError ? error.code : 'ERR_JWT_INVALID'));
    }
  }

  /** The claims of the userinfo endpoint: most issuers leave them out of the ID token by default. */
  async #moreClaims(
    client: IssuerClient,
    configuration: Configuration,
    claims: IDToken,
    accessToken: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const enough = claims.email !== undefined && claims[client.issuer.rolesClaim] !== undefined;
    if (enough || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
  }

  async #describe(client: IssuerClient): Promise<Result<Described>> {
    const { tenantId, issuer, clientSecret } = client;
    const key = JSON.stringify([tenantId, issuer.url, issuer.clientId, clientSecret]);
    try {
      const known = await this.#described.get(key);
      if (known !== undefined && performance.now() < known.until) return ok(known);
      const asked = this.#ask(client);
      this.#described.delete(key);
      this.#described.set(key, asked);
      const oldest = this.#described.keys().next();
      if (this.#described.size > MAX_ISSUERS && oldest.done !== true) this.#described.delete(oldest.value);
      return ok(await asked);
    } catch (error) {
      this.#described.delete(key);
      return err(unreachable(client, error));
    }
  }

  async #ask({ tenantId, issuer, clientSecret }: IssuerClient): Promise<Described> {
    const fetch = (url: string, options: Parameters<GuardedFetch>[2]): Promise<Response> =>
      this.#fetch(tenantId, url, options);
    const plain = new URL(issuer.url).protocol === 'http:';
    const configuration = await discovery(
      new URL(issuer.url),
      issuer.clientId,
      undefined,
      clientSecret === null ? None() : ClientSecretBasic(clientSecret),
      {
        [customFetch]: (url, { method, headers, body, signal }) =>
          fetch(url, { method, headers, body: asBody(body), ...(signal === undefined ? {} : { signal }) }),
        // oxlint-disable-next-line typescript/no-deprecated -- it stands out: only for a host that the operator allowed without TLS
        execute: [enableNonRepudiationChecks, ...(plain ? [allowInsecureRequests] : [])],
      },
    );
    const metadata = configuration.serverMetadata();
    if (metadata.issuer !== issuer.url) throw new Error('it calls itself otherwise');
    if (metadata.jwks_uri === undefined) throw new Error('it says nothing of its keys');
    // An attacker on the way of an unprotected answer could put keys of their own in it.
    if (!plain && !metadata.jwks_uri.startsWith('https:')) throw new Error('its keys are not reached over https');
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      cooldownDuration: KEYS_COOLDOWN_MS,
      [joseFetch]: (url, { headers, signal }) => fetch(url, { headers: Object.fromEntries(headers), signal }),
    });
    return { configuration, keys, until: performance.now() + DESCRIPTION_MS };
  }
}

function asBody(body: unknown): string | URLSearchParams | Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string' || body instanceof URLSearchParams || body instanceof Uint8Array) return body;
  throw new Error('a body of a kind that sign-ins do not send');
}

/** An issuer that says when somebody proved who they are has to have obeyed max_age (OpenID Connect Core section 3.1.2.1). */
function isStale(claims: IDToken, maxAgeSeconds: number | null): boolean {
  if (maxAgeSeconds === null || claims.auth_time === undefined) return false;
  return claims.iat - claims.auth_time > maxAgeSeconds + CLOCK_TOLERANCE_SECONDS;
}

function claimsOf(client: IssuerClient, claims: Readonly<Record<string, unknown>>): IssuerClaims {
  const text = (name: string): string | null => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const groups = [claims[client.issuer.rolesClaim]].flat().filter((one): one is string => typeof one === 'string');
  return {
    subject: text('sub') ?? '',
    email: text('email'),
    emailVerified: typeof claims.email_verified === 'boolean' ? claims.email_verified : null,
    displayName: text('name') ?? text('preferred_username'),
    groups,
    authenticatedAt: typeof claims.auth_time === 'number' ? claims.auth_time * 1_000 : null,
  };
}

function failureOf(error: unknown): Failure {
  if (error instanceof AuthorizationResponseError) {
    return {
      kind: 'forbidden',
      code: 'sign_in.refused_by_issuer',
      message: 'The issuer did not let you in.',
      action: 'Begin the sign-in again; if it stays like this, ask who administers the issuer.',
      details: { issuer_error: error.error },
    };
  }
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return tokenRefused(typeof code === 'string' ? code : 'it does not verify');
}

const tokenRefused = (why: string): Failure => ({
  kind: 'unauthenticated',
  code: 'sign_in.token_refused',
  message: 'The answer of the issuer is not accepted.',
  action: 'Begin the sign-in again; if it stays like this, ask who administers Countersign.',
  details: { why },
});

const bearerRefused = (why: string): Failure => ({
  kind: 'unauthenticated',
  code: 'bearer.refused',
  message: 'This access token is not accepted here.',
  action: 'Ask the issuer for another, with this tenant’s API as its audience.',
  details: { why },
});

const unreachable = (client: IssuerClient, cause: unknown): Failure => ({
  kind: 'unavailable',
  code: 'issuer.unreachable',
  message: `The issuer at ${client.issuer.url} does not describe itself as it should, or cannot be reached.`,
  action: 'Check its address. One that is not public has to be allowed by the operator of Countersign.',
  details: { why: causeOf(cause) },
  retryAfterSeconds: 10,
});

/** The innermost message, which names the cause. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? causeOf(error.cause) : error.message;
};
