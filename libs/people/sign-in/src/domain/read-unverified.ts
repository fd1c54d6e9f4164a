/** A token's claims before verification: good only for finding the issuer that can verify them. */
export interface UnverifiedToken {
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/** Three dot-separated parts that begin like JSON: an access token of an issuer, if it is anything. */
export const looksLikeJwt = (token: string): boolean =>
  /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(token);

/** Issuer and audience as the token claims them; null for a text that is not spelled like a token. */
export function readUnverified(token: string): UnverifiedToken | null {
  if (!looksLikeJwt(token)) return null;
  const claims = jsonOf(token.split('.')[1] ?? '');
  if (typeof claims !== 'object' || claims === null || !('iss' in claims) || typeof claims.iss !== 'string')
    return null;
  const audience: unknown = 'aud' in claims ? claims.aud : undefined;
  const audiences = [audience].flat().filter((one): one is string => typeof one === 'string');
  return { issuer: claims.iss, audiences };
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
