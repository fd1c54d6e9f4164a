import { STEP_UP_ROUTE } from '#lib/identity';
import { type Failure } from '#lib/kernel';

export const otherOperation: Failure = {
  kind: 'forbidden',
  code: 'mfa.other_operation',
  message: 'This confirmation is not yours, or was given for something else.',
  action: 'Confirm with your second factor again.',
  details: { route: STEP_UP_ROUTE },
};

export const proofExpired: Failure = {
  kind: 'forbidden',
  code: 'mfa.proof_expired',
  message: 'You confirmed more than five minutes ago.',
  action: 'Confirm with your second factor again.',
  details: { route: STEP_UP_ROUTE },
};

export const stepUpExpired: Failure = {
  kind: 'conflict',
  code: 'mfa.step_up_expired',
  message: 'You did not confirm within five minutes.',
  action: 'Close this and begin again.',
  details: { route: STEP_UP_ROUTE },
};

export const alreadyProved: Failure = {
  kind: 'conflict',
  code: 'mfa.already_proved',
  message: 'You have confirmed this already.',
  action: 'Close this and begin again.',
  details: { route: STEP_UP_ROUTE },
};

export const alreadyUsed: Failure = {
  kind: 'conflict',
  code: 'mfa.proof_used',
  message: 'This confirmation was already used. Each one serves one operation.',
  action: 'Confirm with your second factor again.',
  details: { route: STEP_UP_ROUTE },
};

/** The remedy depends on the method: an app shows another code soon, a list of recovery codes does not. */
export const codeWrong = (method: 'totp' | 'recovery_code'): Failure => ({
  kind: 'forbidden',
  code: 'mfa.code_wrong',
  message: 'The code is not right, or was used before.',
  action:
    method === 'totp'
      ? 'Wait for the next code of your authenticator app, and enter that.'
      : 'Check it for a typing error, or enter another recovery code.',
});

export const locked = (seconds: number): Failure => ({
  kind: 'rate_limited',
  code: 'mfa.locked',
  message: 'There were too many wrong codes; no code is looked at for now.',
  action: `Wait ${String(seconds)} seconds. If it was not you who sent them, revoke your tokens and tell an admin.`,
  retryAfterSeconds: seconds,
});

/** One wording for every way in which an answer of a passkey can be wrong. */
export const passkeyRefused: Failure = {
  kind: 'forbidden',
  code: 'mfa.passkey_refused',
  message: 'The passkey’s answer does not fit: wrong origin, challenge, signature or user verification.',
  action: 'Begin again on the address of Countersign itself; a challenge takes one answer.',
};

export const counterWentBack: Failure = {
  kind: 'forbidden',
  code: 'mfa.passkey_counter',
  message: 'The passkey’s counter went back: it may have been copied. It was refused and recorded.',
  action: 'Use another factor, remove this passkey, and tell an admin.',
};

export const challengeSpent: Failure = {
  kind: 'conflict',
  code: 'mfa.challenge_spent',
  message: 'There is no challenge left to answer: it was answered, has expired, or was never given out.',
  action: 'Begin again to get a new one.',
};

export const passkeysUnavailable: Failure = {
  kind: 'conflict',
  code: 'mfa.passkeys_unavailable',
  message: 'Passkeys need an https address with a host name, and this installation is reached by another.',
  action: 'Set COUNTERSIGN_PUBLIC_URL to such an address, or use an authenticator app.',
};

export const passkeyKnown: Failure = {
  kind: 'conflict',
  code: 'mfa.passkey_known',
  message: 'This passkey is registered already.',
  action: 'Use it, or register another.',
};

export const tooManyFactors: Failure = {
  kind: 'conflict',
  code: 'mfa.too_many_factors',
  message: 'There are as many factors as a person can have.',
  action: 'Remove one that you no longer use.',
};

export const nothingPending: Failure = {
  kind: 'conflict',
  code: 'mfa.already_confirmed',
  message: 'This factor was confirmed already.',
  action: 'Use it, or enrol another.',
};

export const signInAgain: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.not_fresh',
  message: 'A first factor is enrolled within 15 minutes of a sign-in, and yours is longer ago.',
  action: 'Sign in again in the browser, then enrol it.',
};

export const ownReset: Failure = {
  kind: 'forbidden',
  code: 'mfa.reset_own',
  message: 'Nobody resets their own factors.',
  action: 'Remove them one by one with a step-up, or ask another PlatformAdmin.',
};

export const proofOfFormer: Failure = {
  kind: 'forbidden',
  code: 'mfa.proof_of_former',
  message: 'You have a second factor here already, and another passkey takes a proof of it.',
  action:
    'Use that passkey, or send a code of your authenticator app or a recovery code. If all are lost, ask an admin to reset your second factors.',
};
