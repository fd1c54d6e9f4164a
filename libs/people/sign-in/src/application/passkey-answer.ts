import type { PersonId } from '#lib/kernel';

/** An answer of a browser to a challenge, as far as it is looked at before its signature is. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly response: { readonly clientDataJSON: string; readonly userHandle?: string | undefined };
}

const UUID_BYTES = 16;

/** The person that the passkey names as its owner (WebAuthn section 5.8.3); null for a passkey of another site. */
export function personOfAnswer({ response }: PasskeyAnswer): PersonId | null {
  const bytes = Buffer.from(response.userHandle ?? '', 'base64url');
  if (bytes.length !== UUID_BYTES) return null;
  // A registration gave the authenticator this id, as bytes.
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as PersonId;
}

/** The challenge that was signed, by the browser's word; the signature is over it. */
export function challengeOfAnswer({ response }: PasskeyAnswer): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
    const challenge = typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
