import { createHash } from 'node:crypto';

/** How many characters a routing hint has: 60 bits, so that a million tenants share none. */
export const ROUTING_HINT_CHARACTERS = 10;

/**
 * The tag by which a router finds the tenant of a token (ADR 34). It is derived from the tenant's id, so that
 * no row holds it. It gives no access and is no secret: the cell decides by the digest of the whole token, hint included.
 */
export const routingHintOf = (tenantId: string): string =>
  createHash('sha256')
    .update(`countersign:routing-hint:${tenantId}`, 'utf8')
    .digest('base64url')
    .slice(0, ROUTING_HINT_CHARACTERS);
