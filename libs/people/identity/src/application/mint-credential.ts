import { newId, type CredentialId, type PersonId, type Scope, type SecretDigests, type Tx } from '#lib/kernel';
import type { Credential, CredentialHolder } from '../domain/credential.js';
import { prefixOfToken, spellToken, TOKEN_BYTES, type TokenKind } from '../domain/token.js';
import type { CredentialRepository, RandomBytes } from './identity.ports.js';

/** A credential just minted, with the token, which is shown this once. */
export interface MintedCredential {
  readonly credential: Credential;
  readonly token: string;
  /** The stored digest of the token. */
  readonly digest: Uint8Array;
}

const tokenKindOfHolder: Record<CredentialHolder['kind'], TokenKind> = {
  person_token: 'person',
  agent_token: 'agent',
  automation: 'automation',
  delegation: 'delegation',
  browser_session: 'browser_session',
  issuer_token: 'issuer',
  slack_link: 'slack',
};

/** Makes a token and stores its digest. Whether the credential may exist is decided by the caller. */
export class MintCredential {
  readonly #credentials: CredentialRepository;
  readonly #digests: SecretDigests;
  readonly #random: RandomBytes;

  constructor(credentials: CredentialRepository, digests: SecretDigests, random: RandomBytes) {
    this.#credentials = credentials;
    this.#digests = digests;
    this.#random = random;
  }

  async execute(
    tx: Tx,
    wanted: {
      readonly holder: CredentialHolder;
      readonly name: string;
      readonly scopes: readonly Scope[];
      readonly createdBy: PersonId | null;
      readonly now: number;
      readonly expiresAt: number;
    },
  ): Promise<MintedCredential> {
    const { now, ...rest } = wanted;
    const token = spellToken(tokenKindOfHolder[wanted.holder.kind], this.#random.bytes(TOKEN_BYTES), tx.tenantId);
    const credential: Credential = {
      ...rest,
      id: newId<CredentialId>(),
      prefix: prefixOfToken(token),
      createdAt: now,
      revokedAt: null,
      lastUsedAt: null,
    };
    const digest = await this.#digests.digest('credential', token);
    await this.#credentials.insert(tx, credential, digest);
    return { credential, token, digest };
  }
}
