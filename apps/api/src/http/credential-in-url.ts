import { FailureError } from '#lib/kernel';

const token = /cs_[a-z]_[A-Za-z0-9_-]{8,}/;
const telltale = new Set(['access_token', 'token', 'api_key', 'apikey', 'authorization', 'bearer']);

/**
 * Refuses a credential that stands in a URL, where proxies, browsers and logs keep it (T17). It may have been read by
 * then, so the answer says to revoke it.
 */
export function refuseCredentialInUrl(url: string): void {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  if (!token.test(decodeOnce(url)) && ![...query.keys()].some((key) => telltale.has(key.toLowerCase()))) return;
  throw new FailureError({
    kind: 'invalid',
    code: 'credential.in_url',
    message: 'A credential must not stand in a URL.',
    action: 'Send it as "Authorization: Bearer", and revoke this one: URLs are kept in logs.',
  });
}

function decodeOnce(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
