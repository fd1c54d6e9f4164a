import type { FastifyReply, FastifyRequest } from 'fastify';
import { BROWSER_SESSION_LIFETIME_MS, SIGN_IN_LIFETIME_MS } from '#lib/sign-in';

// `__Host-`: only over TLS or from this machine, only from this very host, for every path (RFC 6265bis section 4.1.3.2).
const BROWSER_SESSION = '__Host-countersign';
const SIGN_IN = '__Host-countersign-sign-in';

/** The token of the browser session. */
export const browserSessionTokenOf = (request: FastifyRequest): string | undefined =>
  cookieOf(request, BROWSER_SESSION);

export const setBrowserSessionCookie = (reply: FastifyReply, token: string): void => {
  setCookie(reply, BROWSER_SESSION, token, BROWSER_SESSION_LIFETIME_MS);
};

export const clearBrowserSessionCookie = (reply: FastifyReply): void => {
  setCookie(reply, BROWSER_SESSION, '', 0);
};

/** The token that binds a sign-in under way to the browser that began it. */
export const signInTokenOf = (request: FastifyRequest): string | undefined => cookieOf(request, SIGN_IN);

export const setSignInCookie = (reply: FastifyReply, token: string): void => {
  setCookie(reply, SIGN_IN, token, SIGN_IN_LIFETIME_MS);
};

/** Our values are base64url, so that nothing has to be decoded; one that is spelled otherwise is not ours. */
function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const header = request.headers.cookie ?? '';
  const value = header
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return value !== undefined && /^[A-Za-z0-9_-]{1,200}$/.test(value) ? value : undefined;
}

/** Lax, so that a link in Slack opens the page signed in. Requests that change something need a CSRF token besides. */
function setCookie(reply: FastifyReply, name: string, value: string, lifetimeMs: number): void {
  const age = String(Math.floor(lifetimeMs / 1_000));
  // Fastify appends to a Set-Cookie that is there already.
  void reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; Secure; SameSite=Lax`);
}
