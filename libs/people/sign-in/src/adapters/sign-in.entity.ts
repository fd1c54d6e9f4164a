import { z } from 'zod';
import { boolean, bytes, entity, integer, json, moment, nullable, text, texts, uuid } from '#lib/database';
import type { CredentialId, FactorId, PersonId, Scope } from '#lib/kernel';
import type { IssuerStanding } from '../domain/issuer-standing.js';
import type { Algorithm, Provision, RoleMapping } from '../domain/issuer.js';

export const signInSettingsEntity = entity(
  'sign_in_settings',
  {},
  {
    revision: integer(),
    reauthenticateAfterMinutes: integer(),
    signInRequired: boolean(),
    signInRequiredSince: nullable(moment()),
    browserSessionMinutes: integer(),
    browserSessionIdleMinutes: integer(),
    dormantAfterDays: integer(),
    updatedAt: moment(),
    updatedBy: uuid<PersonId>(),
  },
);

const storedMappings: z.ZodType<readonly RoleMapping[]> = z.array(
  z.strictObject({ value: z.string(), role: z.string() }),
);

export const issuerEntity = entity(
  'issuer',
  { id: uuid() },
  {
    name: text(),
    displayName: text(),
    issuerUrl: text(),
    clientId: text(),
    clientSecret: nullable(text()),
    algorithms: texts<Algorithm>(),
    extraScopes: texts(),
    rolesClaim: text(),
    roleMappings: json(storedMappings),
    provision: text<Provision>(),
    linkByVerifiedEmail: boolean(),
    bearerScopes: texts<Scope>(),
    createdAt: moment(),
    updatedAt: moment(),
    disabledAt: nullable(moment()),
    seal: text(),
  },
);

export const issuerStandingEntity = entity(
  'issuer_standing',
  { id: uuid() },
  { issuerId: uuid(), how: text<IssuerStanding>(), personId: uuid<PersonId>(), since: moment(), seal: text() },
);

export const externalIdentityEntity = entity(
  'external_identity',
  { id: uuid() },
  {
    issuerId: uuid(),
    subject: text(),
    personId: uuid<PersonId>(),
    bearerCredentialId: nullable(uuid<CredentialId>()),
    createdAt: moment(),
    signedInAt: moment(),
    seal: text(),
  },
);

/** Answers of passkeys that signed somebody in, so that none does so twice. */
export const passkeySignInEntity = entity(
  'passkey_sign_in',
  { id: uuid() },
  { personId: uuid<PersonId>(), challengeDigest: bytes(), createdAt: moment(), expiresAt: moment() },
);

export const browserSessionEntity = entity(
  'browser_session',
  { id: uuid<CredentialId>() },
  {
    identityId: nullable(uuid()),
    factorId: nullable(uuid<FactorId>()),
    csrfToken: text(),
    userAgent: text(),
    address: text(),
    authenticatedAt: moment(),
    previousDigest: nullable(bytes()),
    previousSeal: nullable(text()),
    rotatedAt: nullable(moment()),
    idTokenKeyId: nullable(text()),
    idTokenNonce: nullable(bytes()),
    idTokenCiphertext: nullable(bytes()),
    createdAt: moment(),
  },
);
