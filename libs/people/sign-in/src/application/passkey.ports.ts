import type { PersonId, TenantId, Tx } from '#lib/kernel';

/** How somebody stands who would come in by a passkey of ours. Times are epoch milliseconds. */
export interface PasskeyAccount {
  /** Whether an issuer that is in service knows them: then they come in there. */
  readonly atIssuer: boolean;
  /** The last time they came in, by any way; null before the first. */
  readonly cameInAt: number | null;
}

/** The rows that a sign-in by passkey reads and writes. */
export interface PasskeyAccountRepository {
  /** The tenant of an active passkey, before a tenant is known. */
  locate(passkeyId: string, personId: PersonId): Promise<TenantId | null>;
  read(tx: Tx, personId: PersonId): Promise<PasskeyAccount>;
  /** Takes a challenge down as answered, and forgets those that expired. @returns false if it was answered before. */
  spend(
    tx: Tx,
    answered: { readonly personId: PersonId; readonly challengeDigest: Uint8Array; readonly expiresAt: number },
  ): Promise<boolean>;
  markSignedIn(tx: Tx, personId: PersonId, letInByOperator: boolean): Promise<void>;
}
