/** The kinds of secrets that let their bearer in. Each kind has a key of its own: its digests never pass for another kind's. */
export type SecretKind =
  | 'credential'
  | 'enrolment'
  | 'bootstrap'
  | 'invitation'
  | 'sign_in_state'
  | 'sign_in_browser'
  | 'slack_install'
  | 'slack_link'
  | 'recovery_code'
  | 'runner_enrolment';

/**
 * Digests of secrets that are presented: an HMAC-SHA-256 under a key of the keyring. So a login to the database alone
 * cannot write a row that lets its writer in (T42). All code that stores the digest of such a secret uses this port.
 */
export interface SecretDigests {
  /** 32 bytes under the current key: for a row that is written. */
  digest(kind: SecretKind, secret: string): Promise<Uint8Array>;
  /** Under every key of the keyring, the current first. A look-up needs them: a row may be older than the current key. */
  candidates(kind: SecretKind, secret: string): Promise<readonly Uint8Array[]>;
}
