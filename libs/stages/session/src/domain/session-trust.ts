import type { Actor, CredentialId, Failure, PersonId, SessionId, SessionTrustId } from '#lib/kernel';

/** The calls that a trust covers. */
export interface TrustedCall {
  /** The tool's name, in all its versions. */
  readonly tool: string;
  /**
   * The shape of the arguments as canonical JSON: of a command line its program, subcommand and flags, of any other call the
   * values of its identity fields. Compared as text.
   */
  readonly shape: string;
}

/** A person's "always" for one session. Every use of it is a decision `session.trusted` on record. */
export interface SessionTrust extends TrustedCall {
  readonly id: SessionTrustId;
  readonly sessionId: SessionId;
  readonly madeBy: PersonId;
  readonly credentialId: CredentialId;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  readonly revoked: { readonly at: number; readonly by: Actor } | null;
}

/** The longest shape in bytes of UTF-8: a longer one does not fit the index that finds it. */
export const MAX_SHAPE_BYTES = 2_000;

/** Whether a shape can be kept; otherwise `session.shape_too_long`. */
export const fits = ({ shape }: TrustedCall): boolean => new TextEncoder().encode(shape).length <= MAX_SHAPE_BYTES;

export const shapeTooLong: Failure = {
  kind: 'unprocessable',
  code: 'session.shape_too_long',
  message: `The arguments that name this call are longer than ${String(MAX_SHAPE_BYTES)} bytes.`,
  action: 'Approve this call alone.',
};
