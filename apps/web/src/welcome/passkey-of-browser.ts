import type { AnswerTo } from '#lib/client';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { madePasskey, signedByPasskey } from '../api/webauthn.js';

export type InvitationSeen = AnswerTo<'post', '/v1/enrolment/passkey/options'>;

/**
 * Signs a person in by a passkey of the browser: the answer sets the browser session's cookie.
 *
 * @param tenant for a router in front of Countersign; empty if it is not known.
 */
export async function signInByPasskey(tenant: string): Promise<void> {
  const query = tenant === '' ? {} : { tenant };
  const { options } = await api.post('/v1/sign-in/passkey/options', { query });
  await api.post('/v1/sign-in/passkey', { query, body: { assertion: await signedByPasskey(options) } });
}

/** The invitation behind a secret. Nothing is used up by looking. */
export const lookAtInvitation = (secret: string): Promise<InvitationSeen> =>
  api.post('/v1/enrolment/passkey/options', { body: { enrolment_token: secret } });

/** Makes a passkey on this device, and comes in with it. */
export async function acceptInvitation(
  secret: string,
  code: string,
): Promise<AnswerTo<'post', '/v1/enrolment/passkey'>> {
  // Options are read again: each is good for one answer, within five minutes.
  const { options, proof_required: proofRequired } = await lookAtInvitation(secret);
  const registration = await madePasskey(options);
  const method = /^\d{6}$/.test(code) ? 'totp' : 'recovery_code';
  return api.post('/v1/enrolment/passkey', {
    body: {
      enrolment_token: secret,
      name: deviceName(),
      registration,
      ...(proofRequired ? { proof: { method, code } } : {}),
    },
  });
}

/** The name in the list of passkeys; it tells the device. */
function deviceName(): string {
  const found = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'].find((name) =>
    navigator.userAgent.includes(name),
  );
  return `Passkey${found === undefined ? '' : ` (${found})`}`;
}

/** The problem between the page and the device, in words. Null for a refusal of the server, which has its own words. */
export function deviceProblem(error: unknown): string | null {
  if (error === null || error instanceof ApiError) return null;
  if (error instanceof Error && error.name === 'InvalidStateError')
    return 'This device has a passkey for this account already. Sign in with it, or use another device.';
  if (error instanceof Error && error.name === 'NotAllowedError')
    return 'Your device gave no passkey: the question was closed, or it took too long. Nothing is lost; try again.';
  return 'Your browser cannot use a passkey here. Try a current browser, or another device.';
}
