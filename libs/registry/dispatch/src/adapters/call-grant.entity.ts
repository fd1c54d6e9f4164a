import { entity, integer, moment, nullable, text, uuid } from '#lib/database';
import type { GrantClaims } from '#lib/formats';
import type { GrantSource } from '../application/tool-dispatcher.port.js';

export const callGrantEntity = entity(
  'call_grant',
  { id: uuid() },
  {
    environment: text(),
    audience: text(),
    basis: text<GrantClaims['basis']>(),
    sourceType: text<GrantSource['type']>(),
    sourceId: uuid(),
    step: text(),
    attempt: integer(),
    tool: text(),
    argumentsDigest: text(),
    issuedAt: moment(),
    expiresAt: moment(),
    redeemedAt: nullable(moment()),
    revokedAt: nullable(moment()),
    revokedReason: nullable(text()),
    seal: text(),
  },
);
