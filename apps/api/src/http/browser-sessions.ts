import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '#lib/identity';
import { FailureError, type Failure, type PersonPrincipal } from '#lib/kernel';
import { ReadBrowserSessions, SignInAddresses } from '#lib/sign-in';
import { AUTHENTICATOR } from './http.tokens.js';
import { browserSessionTokenOf } from './browser-session-cookie.js';
import { unwrap } from './unwrap.js';

const READING = ['GET', 'HEAD', 'OPTIONS'];
const CSRF_HEADER = 'x-countersign-csrf';
/** Our pages set this header on requests that they send while the person is idle. */
const UNATTENDED_HEADER = 'x-countersign-unattended';

/**
 * Requests by a browser's cookie. One that changes something has to prove that a page of ours sent it. The proof is the header
 * whose value only our pages know, and the origin that the browser names.
 */
@Injectable()
export class BrowserSessions {
  readonly #origins: readonly string[];

  constructor(
    @Inject(AUTHENTICATOR) private readonly authenticator: Authenticator,
    private readonly browserSessions: ReadBrowserSessions,
    addresses: SignInAddresses,
  ) {
    this.#origins = addresses.origins;
  }

  /** Whether the request comes with a cookie of ours. */
  has(request: FastifyRequest): boolean {
    return browserSessionTokenOf(request) !== undefined;
  }

  /** The person signed in in the browser; null, too, for a cookie that opens nothing any more. */
  holder(request: FastifyRequest): Promise<PersonPrincipal | null> {
    return this.#orNobody(request, () => this.authenticate(request));
  }

  /** The person of the browser session from before a sign-in, or null. The sign-in ends that browser session, from any page of ours. */
  signedIn(request: FastifyRequest): Promise<PersonPrincipal | null> {
    return this.#orNobody(request, () => this.#person(request));
  }

  /**
   * Refuses a request of another site. Such a request could sign its visitor in as somebody else. Or it could open a socket,
   * which a browser does for any site, with the cookie.
   *
   * @throws {FailureError} `browser_session.csrf`.
   */
  requireOwnOrigin(request: FastifyRequest): void {
    if (!this.#fromUs(request)) throw new FailureError(forged);
  }

  async #orNobody(request: FastifyRequest, find: () => Promise<PersonPrincipal>): Promise<PersonPrincipal | null> {
    if (!this.has(request)) return null;
    try {
      return await find();
    } catch (error) {
      if (error instanceof FailureError && error.failure.kind === 'unauthenticated') return null;
      throw error;
    }
  }

  async authenticate(request: FastifyRequest): Promise<PersonPrincipal> {
    const person = await this.#person(request);
    if (!READING.includes(request.method)) await this.#requireOwnPage(request, person);
    return person;
  }

  async #person(request: FastifyRequest): Promise<PersonPrincipal> {
    return unwrap(
      await this.authenticator.authenticateBrowserSession(browserSessionTokenOf(request) ?? '', isAttended(request)),
    );
  }

  #fromUs({ headers: { origin, 'sec-fetch-site': site } }: FastifyRequest): boolean {
    return origin === undefined ? site === 'same-origin' : this.#origins.includes(origin);
  }

  async #requireOwnPage(request: FastifyRequest, person: PersonPrincipal): Promise<void> {
    const sent = request.headers[CSRF_HEADER];
    const expected = await this.browserSessions.csrfToken(person);
    if (!this.#fromUs(request) || typeof sent !== 'string' || expected === null || !equal(sent, expected))
      throw new FailureError(forged);
  }
}

/** Whether a person caused the request. A stream, a socket or a page that reads by itself does not extend their browser session. */
const isAttended = ({ method, headers }: FastifyRequest): boolean =>
  !READING.includes(method) ||
  (headers[UNATTENDED_HEADER] === undefined &&
    headers.upgrade === undefined &&
    headers.accept?.includes('text/event-stream') !== true);

const equal = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

const forged: Failure = {
  kind: 'forbidden',
  code: 'browser_session.csrf',
  message: 'This request does not prove that a page of Countersign sent it.',
  action: 'Reload the page. Programs use a token of their own instead of a browser’s cookie.',
};
