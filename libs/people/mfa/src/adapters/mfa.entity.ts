import { z } from 'zod';
import { bigint, boolean, bytes, entity, integer, json, moment, nullable, text, texts, uuid } from '#lib/database';
import { steppedUpOperationSchema } from '#lib/formats';
import type { MfaMethod, SteppedUpOperation, StepUpId } from '#lib/identity';
import type { CredentialId, Digest, FactorId, PersonId } from '#lib/kernel';
import type { FactorState } from '../domain/factor-transitions.js';
import type { Factor } from '../domain/factor.js';
import type { StepUpState } from '../domain/step-up-transitions.js';
import type { PasskeyAssertion } from '../domain/step-up.js';

export const factorEntity = entity(
  'factor',
  { id: uuid<FactorId>() },
  {
    personId: uuid<PersonId>(),
    kind: text<Factor['kind']>(),
    state: text<FactorState | 'removed'>(),
    name: text(),
    createdAt: moment(),
    confirmedAt: nullable(moment()),
    lastUsedAt: nullable(moment()),
    removedAt: nullable(moment()),
    keyId: nullable(text()),
    nonce: nullable(bytes()),
    ciphertext: nullable(bytes()),
    lastStep: nullable(bigint()),
    passkeyId: nullable(text()),
    publicKey: nullable(bytes()),
    counter: nullable(bigint()),
    transports: nullable(texts()),
    backedUp: nullable(boolean()),
    relyingPartyId: nullable(text()),
    origin: nullable(text()),
    seal: text(),
  },
);

/** The row that every change of a person's factors locks. */
export const lockoutEntity = entity(
  'factor_lockout',
  { personId: uuid<PersonId>() },
  { failures: integer(), lockedUntil: nullable(moment()) },
);

export const recoveryCodeEntity = entity(
  'recovery_code',
  { id: uuid() },
  {
    personId: uuid<PersonId>(),
    digest: bytes(),
    createdAt: moment(),
    usedAt: nullable(moment()),
    withdrawnAt: nullable(moment()),
  },
);

export const passkeyRegistrationEntity = entity(
  'passkey_registration',
  { id: uuid() },
  { personId: uuid<PersonId>(), challenge: text(), createdAt: moment(), expiresAt: moment() },
);

const string = z.string();

const storedOperation: z.ZodType<SteppedUpOperation> = steppedUpOperationSchema;

const storedAssertion: z.ZodType<PasskeyAssertion> = z.strictObject({
  credential_id: string,
  public_key: string,
  relying_party_id: string,
  origin: string,
  authenticator_data: string,
  client_data_json: string,
  signature: string,
});

export const stepUpEntity = entity(
  'step_up',
  { id: uuid<StepUpId>() },
  {
    personId: uuid<PersonId>(),
    credentialId: uuid<CredentialId>(),
    state: text<StepUpState>(),
    operation: json(storedOperation),
    operationDigest: text<Digest>(),
    challenge: nullable(text()),
    nonce: bytes(),
    assertion: nullable(json(storedAssertion)),
    createdAt: moment(),
    expiresAt: moment(),
    method: nullable(text<MfaMethod>()),
    factorId: nullable(uuid<FactorId>()),
    provedAt: nullable(moment()),
    proofExpiresAt: nullable(moment()),
    usedAt: nullable(moment()),
  },
);
