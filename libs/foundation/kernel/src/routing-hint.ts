import { createHash } from 'node:crypto';
import type { TenantId } from './ids.js';

/** How many characters a routing hint has: 60 bits, so that a million tenants share none. */
export const ROUTING_HINT_CHARACTERS = 10;

/**
 * The tag by which a router finds the tenant of a token (ADR 34). It is derived from the tenant's id, so that nobody stores it.
 * It grants nothing and is no secret: the cell decides by the digest of the whole token, of which the hint is a part.
 */
export const routingHintOf = (tenantId: TenantId): string =>
  createHash('sha256')
    .update(`countersign:routing-hint:${tenantId}`, 'utf8')
    .digest('base64url')
    .slice(0, ROUTING_HINT_CHARACTERS);
