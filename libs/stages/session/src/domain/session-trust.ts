import type { Actor, CredentialId, Digest, Failure, PersonId, SessionId } from '#lib/kernel';
import type { SessionTrustId } from './ids.js';

/** The calls that a trust covers. */
export interface TrustedCall {
  readonly tool: string;
  /** Of the tool's version: a person is asked again about another one. */
  readonly toolDigest: Digest;
  /** Of the executor's version in the environment; null if the tool had none there. */
  readonly executorDigest: Digest | null;
  /**
   * The shape of the arguments as canonical JSON. That of a command line is its program, subcommand and flags. That of
   * any other call is the values of its identity fields. Compared as text.
   */
  readonly shape: string;
}

/**
 * A person's "always" for one session. It lets a call through only while that person may still approve it. Every use of it is a decision
 * `session.trusted` on record.
 */
export interface SessionTrust extends TrustedCall {
  readonly id: SessionTrustId;
  readonly sessionId: SessionId;
  readonly madeBy: PersonId;
  readonly credentialId: CredentialId;
  /** Whether they proved a second factor for the answer. */
  readonly factorProved: boolean;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  readonly revoked: { readonly at: number; readonly by: Actor } | null;
}

export interface RevokedTrust extends SessionTrust {
  readonly revoked: NonNullable<SessionTrust['revoked']>;
}

type Answer = Pick<SessionTrust, 'credentialId' | 'factorProved'>;

/** Whether two trusts of the same calls were said in one way. Another person, credential or factor makes another trust. */
export const isSameAnswer = (one: Answer, other: Answer): boolean =>
  one.credentialId === other.credentialId && one.factorProved === other.factorProved;

/** The longest shape in bytes of UTF-8: a longer one does not fit the index that finds it. */
export const MAX_SHAPE_BYTES = 2_000;

/** Whether a shape can be kept; otherwise `session.shape_too_long`. */
export const fits = ({ shape }: Pick<TrustedCall, 'shape'>): boolean =>
  new TextEncoder().encode(shape).length <= MAX_SHAPE_BYTES;

export const shapeTooLong: Failure = {
  kind: 'unprocessable',
  code: 'session.shape_too_long',
  message: `The arguments that name this call are longer than ${String(MAX_SHAPE_BYTES)} bytes.`,
  action: 'Approve this call alone.',
};
