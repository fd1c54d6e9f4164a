import { z } from 'zod';
import { bytes, entity, globalEntity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { GrantClaims } from '#lib/formats';
import type { GrantSource } from '../application/tool-dispatcher.port.js';
import type { GrantKeyRecord } from '../domain/grant-key.js';

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

const publicJwk: z.ZodType<GrantKeyRecord['publicJwk']> = z.strictObject({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
});

export const grantKeyEntity = globalEntity(
  'grant_key',
  { kid: text() },
  {
    publicJwk: json(publicJwk),
    wrappingKeyId: text(),
    nonce: bytes(),
    ciphertext: bytes(),
    createdAt: moment(),
    activeFrom: moment(),
    seal: text(),
  },
);
