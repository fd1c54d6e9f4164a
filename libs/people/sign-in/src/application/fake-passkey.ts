import type { Factor } from '#lib/mfa';
import { newId, type FactorId, type PersonId } from '#lib/kernel';

type PasskeyFactor = Extract<Factor, { readonly kind: 'passkey' }>;

/** A passkey as it is registered. */
export const samplePasskey = (members: Partial<PasskeyFactor> = {}): PasskeyFactor => {
  const id = newId<FactorId>();
  return {
    id,
    kind: 'passkey',
    state: 'active',
    personId: newId<PersonId>(),
    name: 'Laptop',
    createdAt: 0,
    confirmedAt: 0,
    lastUsedAt: null,
    passkeyId: id,
    site: { id: 'countersign.example', origin: 'https://countersign.example' },
    publicKey: Buffer.alloc(32),
    counter: 0,
    transports: [],
    backedUp: false,
    ...members,
  };
};
