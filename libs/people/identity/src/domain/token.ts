import { createHash, timingSafeEqual } from 'node:crypto';
import { routingHintOf } from '#lib/formats';
import { type TenantId } from '#lib/kernel';

/**
 * The kinds of tokens: of a person, an agent, an agent for a person, both one-time exchanges, a browser session. Three
 * more stand for the access tokens of an issuer, a person in Slack and an automation. They are never shown.
 */
const TOKEN_KINDS = {
  person: 'p',
  agent: 'a',
  delegation: 'd',
  enrolment: 'e',
  bootstrap: 'b',
  browser_session: 's',
  issuer: 'j',
  slack: 'l',
  automation: 'w',
} as const;
export type TokenKind = keyof typeof TOKEN_KINDS;

/** How many random bytes a token carries. */
export const TOKEN_BYTES = 32;

// A token that founds a tenant has no hint.
const pattern = /^cs_([padebsj])_[A-Za-z0-9_-]{43}(?:[A-Za-z0-9_-]{10})?([A-Za-z0-9_-]{6})$/;

/**
 * Spells a token: `cs_<kind>_`, 256 random bits in base64url, the routing hint of the tenant, and a checksum of 36 bits. Without the
 * database, the checksum tells a truncated or mistyped token, and a scanner recognises one that leaked.
 *
 * @param random {@link TOKEN_BYTES} bytes from a cryptographic source.
 * @param tenantId null for a token that founds a tenant: it has no hint.
 */
export function spellToken(kind: TokenKind, random: Uint8Array, tenantId: TenantId | null): string {
  if (random.length !== TOKEN_BYTES) throw new RangeError(`a token takes ${String(TOKEN_BYTES)} random bytes`);
  const hint = tenantId === null ? '' : routingHintOf(tenantId);
  const body = `cs_${TOKEN_KINDS[kind]}_${Buffer.from(random).toString('base64url')}${hint}`;
  return body + checksum(body);
}

/** The kind of a token that is spelled right, or null. Says nothing of whether it was ever issued. */
export function tokenKindOf(token: string): TokenKind | null {
  const parts = pattern.exec(token);
  if (parts === null) return null;
  const [, letter, sum = ''] = parts;
  if (!timingSafeEqual(Buffer.from(sum), Buffer.from(checksum(token.slice(0, -6))))) return null;
  // The keys of this constant are the kinds.
  return (Object.keys(TOKEN_KINDS) as TokenKind[]).find((kind) => TOKEN_KINDS[kind] === letter) ?? null;
}

/** The start of a token that its holder recognises it by; 36 of its 256 bits. */
export const prefixOfToken = (token: string): string => token.slice(0, 11);

const checksum = (body: string): string =>
  createHash('sha256').update(`countersign:token:${body}`, 'utf8').digest('base64url').slice(0, 6);
