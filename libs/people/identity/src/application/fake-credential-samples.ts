import { randomBytes } from 'node:crypto';
import { newId, type CredentialId } from '#lib/kernel';
import type { Credential } from '../domain/credential.js';

/** A token that is good for an hour. */
export const sampleCredential = (
  holder: Credential['holder'],
  createdAt: number,
  members: Partial<Credential> = {},
): Credential => ({
  id: newId<CredentialId>(),
  holder,
  name: 'A token',
  prefix: 'cs_p_test',
  scopes: ['read', 'submit'],
  createdAt,
  createdBy: null,
  expiresAt: createdAt + 3_600_000,
  revokedAt: null,
  lastUsedAt: null,
  ...members,
});

/** The digest of a random token. */
export const sampleDigest = (): Uint8Array => randomBytes(32);
