import { digestOf, newId, type FactorId, type PersonPrincipal } from '#lib/kernel';
import type { StepUpId } from '#lib/identity';
import type { PasskeyFactor, TotpFactor } from '../domain/factor.js';
import { operationDigest, STEP_UP_MS, type OpenStepUp, type PasskeyAssertion } from '../domain/step-up.js';

type Of = Pick<PersonPrincipal, 'personId'>;

/** An authenticator app that counts, never used. */
export const sampleTotp = ({ personId }: Of, members: Partial<TotpFactor> = {}): TotpFactor => ({
  id: newId<FactorId>(),
  kind: 'totp',
  state: 'active',
  personId,
  name: 'Phone',
  secret: { keyId: 'k1', nonce: Buffer.alloc(12, 1), ciphertext: Buffer.alloc(40, 2) },
  lastStep: null,
  createdAt: 1_000,
  confirmedAt: 1_000,
  lastUsedAt: null,
  ...members,
});

/** A passkey that counts its uses. */
export function samplePasskey({ personId }: Of, members: Partial<PasskeyFactor> = {}): PasskeyFactor {
  const id = newId<FactorId>();
  return {
    id,
    kind: 'passkey',
    state: 'active',
    personId,
    name: 'Laptop',
    passkeyId: `passkey-${id}`,
    site: { id: 'countersign.example', origin: 'https://countersign.example' },
    publicKey: Buffer.alloc(77, 3),
    counter: 7,
    transports: ['internal'],
    backedUp: false,
    createdAt: 2_000,
    confirmedAt: 2_000,
    lastUsedAt: null,
    ...members,
  };
}

/** An Ed25519 key as COSE (RFC 9053): the base point of the curve. */
export const COSE_KEY: Uint8Array = Buffer.concat([
  Buffer.from('a401010327200621582058', 'hex'),
  Buffer.alloc(31, 0x66),
]);

/** The part of a passkey's answer that is kept. */
export const sampleAssertion = ({ passkeyId }: Pick<PasskeyFactor, 'passkeyId'>): PasskeyAssertion => ({
  credential_id: passkeyId,
  public_key: `EdDSA:${Buffer.from(COSE_KEY.subarray(-32)).toString('base64url')}`,
  relying_party_id: 'countersign.example',
  origin: 'https://countersign.example',
  authenticator_data: 'YQ',
  client_data_json: 'Yw',
  signature: 'cw',
});

/** A step-up for a break-glass that waits for its proof. */
export function sampleStepUp(
  { personId, credentialId }: Pick<PersonPrincipal, 'personId' | 'credentialId'>,
  members: Partial<OpenStepUp> = {},
): OpenStepUp {
  const operation = {
    kind: 'break_glass',
    plan_id: newId(),
    plan_digest: digestOf('plan', 'a plan'),
    justification: 'down',
  } as const;
  return {
    id: newId<StepUpId>(),
    state: 'open',
    personId,
    credentialId,
    operation,
    operationDigest: operationDigest(personId, operation),
    challenge: 'a-challenge',
    nonce: Buffer.alloc(32, 4),
    createdAt: 10_000,
    expiresAt: 10_000 + STEP_UP_MS,
    ...members,
  };
}
