import { createHash, randomUUID } from 'node:crypto';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { checkClaims, isSubject } from '../domain/check-claims.js';
import type { IssuerClaims } from '../domain/issuer.js';
import type { IssuerClient, IssuerGateway, SignInChecks } from './sign-in.ports.js';

interface Answer {
  readonly claims: IssuerClaims;
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly issuedAt: number;
}

const TOLERANCE_MS = 30_000;

const refusal = (kind: Failure['kind'], code: string) => err({ kind, code, message: code, details: { why: code } });
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** One issuer in memory, whatever its address. The test signs people in there. */
export class FakeIssuerGateway implements IssuerGateway {
  readonly #answers = new Map<string, Answer>();
  readonly #bearers = new Map<string, { readonly subject: string; readonly audience: string }>();
  /** Whether it answers at all. */
  reachable = true;
  keys = 1;
  /** Whether people can sign out there. */
  offersSignOut = true;
  /** The clients that it was asked by. */
  readonly clients: IssuerClient[] = [];

  constructor(private readonly database: FakeUnitOfWork) {}

  /** Somebody signs in at the address that a browser was sent to. @returns the address that it comes back to. */
  signIn(location: string, claims: IssuerClaims): string {
    const { searchParams: asked } = new URL(location);
    const code = randomUUID();
    const [nonce, challenge] = [asked.get('nonce'), asked.get('code_challenge')];
    this.#answers.set(code, { claims, nonce, challenge, issuedAt: this.database.now });
    const back = new URLSearchParams({ code, state: asked.get('state') ?? '' });
    return `${asked.get('redirect_uri') ?? ''}?${back.toString()}`;
  }

  /** An access token of the issuer. */
  accessToken(subject: string, audience: string): string {
    const claims = { iss: 'https://issuer.example.com', sub: subject, aud: audience };
    const token = [{ typ: 'at+jwt' }, claims, randomUUID()]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    this.#bearers.set(token, { subject, audience });
    return token;
  }

  check(client: IssuerClient): Promise<Result<void>> {
    return Promise.resolve(this.#answered(client, () => ok(undefined)));
  }

  countKeys(client: IssuerClient): Promise<Result<number>> {
    return Promise.resolve(this.#answered(client, () => ok(this.keys)));
  }

  authorizationUrl(
    client: IssuerClient,
    request: SignInChecks & { readonly redirectUri: string; readonly prompt: 'login' | null },
  ): Promise<Result<string>> {
    return Promise.resolve(
      this.#answered(client, () => {
        const asked = new URLSearchParams({
          client_id: client.issuer.clientId,
          response_type: 'code',
          redirect_uri: request.redirectUri,
          scope: ['openid', 'profile', 'email', ...client.issuer.extraScopes].join(' '),
          state: request.state,
          nonce: request.nonce,
          code_challenge: challengeOf(request.codeVerifier),
          code_challenge_method: 'S256',
          ...(request.maxAgeSeconds === null ? {} : { max_age: String(request.maxAgeSeconds) }),
          ...(request.prompt === null ? {} : { prompt: request.prompt }),
        });
        return ok(`${client.issuer.url}/authorize?${asked.toString()}`);
      }),
    );
  }

  redeem(
    client: IssuerClient,
    callbackUrl: string,
    checks: SignInChecks,
  ): Promise<Result<{ readonly claims: IssuerClaims; readonly idToken: string }>> {
    return Promise.resolve(
      this.#answered(client, () => {
        const { searchParams: back } = new URL(callbackUrl);
        if (back.get('state') !== checks.state) return refusal('unauthenticated', 'sign_in.token_refused');
        if (back.has('error')) return refusal('forbidden', 'sign_in.refused_by_issuer');
        const answer = this.#answers.get(back.get('code') ?? '');
        const refused = refusal('unauthenticated', 'sign_in.token_refused');
        if (answer?.nonce !== checks.nonce || answer.challenge !== challengeOf(checks.codeVerifier)) return refused;
        if (isStale(answer, checks.maxAgeSeconds)) return refused;
        const claims = checkClaims(answer.claims);
        return claims === null ? refused : ok({ claims, idToken: `id token of ${claims.subject}` });
      }),
    );
  }

  signOutUrl(client: IssuerClient, idToken: string, backTo: string): Promise<string | null> {
    if (!this.reachable || !this.offersSignOut) return Promise.resolve(null);
    const asked = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: backTo });
    return Promise.resolve(`${client.issuer.url}/end?${asked.toString()}`);
  }

  verifyBearer(client: IssuerClient, token: string, audience: string): Promise<Result<string>> {
    return Promise.resolve(
      this.#answered(client, () => {
        const known = this.#bearers.get(token);
        return known?.audience === audience && isSubject(known.subject)
          ? ok(known.subject)
          : refusal('unauthenticated', 'bearer.refused');
      }),
    );
  }

  #answered<T>(client: IssuerClient, answer: () => Result<T>): Result<T> {
    this.clients.push(client);
    return this.reachable ? answer() : refusal('unavailable', 'issuer.unreachable');
  }
}

const isStale = ({ claims: { authenticatedAt }, issuedAt }: Answer, maxAgeSeconds: number | null): boolean =>
  maxAgeSeconds !== null &&
  authenticatedAt !== null &&
  issuedAt - authenticatedAt > maxAgeSeconds * 1_000 + TOLERANCE_MS;
