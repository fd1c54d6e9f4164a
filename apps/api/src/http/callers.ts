import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '#lib/identity';
import { FailureError, type Failure, type Principal } from '#lib/kernel';
import { AuthenticateIssuerToken, looksLikeJwt } from '#lib/sign-in';
import { AUTHENTICATOR } from './http.tokens.js';
import { BrowserSessions } from './browser-sessions.js';
import { unwrap } from './unwrap.js';

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i;

/** A stream's credential is looked at again this often. */
const LOOK_AGAIN_MS = 10_000;

/** The caller: by the Authorization header, or without one by a browser's cookie. */
@Injectable()
export class Callers {
  constructor(
    @Inject(AUTHENTICATOR) private readonly authenticator: Authenticator,
    private readonly browserSessions: BrowserSessions,
    private readonly issuerTokens: AuthenticateIssuerToken,
  ) {}

  /**
   * The bearer token; null for a browser.
   *
   * @throws {FailureError} `credential.missing`, `credential.malformed`.
   */
  #tokenOf(request: FastifyRequest): string | null {
    const header = request.headers.authorization;
    if (header === undefined) {
      if (this.browserSessions.has(request)) return null;
      throw new FailureError(missing);
    }
    const token = bearer.exec(header)?.[1];
    if (token === undefined) throw new FailureError(malformed);
    return token;
  }

  /** The bearer token, if there is one; whether it is missing or malformed is for {@link identify} to say. */
  bearerOf(request: FastifyRequest): string | null {
    return bearer.exec(request.headers.authorization ?? '')?.[1] ?? null;
  }

  /** @throws {FailureError} if the credential is unknown, revoked, expired or its holder disabled. */
  async identify(request: FastifyRequest): Promise<Principal> {
    const token = this.#tokenOf(request);
    if (token === null) return this.browserSessions.authenticate(request);
    const authenticator = looksLikeJwt(token) ? this.issuerTokens : this.authenticator;
    return unwrap(await authenticator.authenticate(token));
  }

  /**
   * For an answer that lasts. Aborts once the caller would no longer be let in (T17), or with `over`. The caller of this method
   * has to see to `over`.
   */
  whileLetIn(request: FastifyRequest, over: AbortSignal): AbortSignal {
    const out = new AbortController();
    const timer = setInterval(() => {
      this.identify(request).catch((error: unknown) => {
        // Any other error is the database's: the next look asks it again.
        if (error instanceof FailureError) out.abort();
      });
    }, LOOK_AGAIN_MS);
    const signal = AbortSignal.any([out.signal, over]);
    const stop = (): void => {
      clearInterval(timer);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return signal;
  }
}

const missing: Failure = {
  kind: 'unauthenticated',
  code: 'credential.missing',
  message: 'The request carries no credential.',
  action: 'Send "Authorization: Bearer <token>".',
};

const malformed: Failure = {
  kind: 'unauthenticated',
  code: 'credential.malformed',
  message: 'The Authorization header does not carry a bearer token.',
  action: 'Send "Authorization: Bearer <token>".',
};
