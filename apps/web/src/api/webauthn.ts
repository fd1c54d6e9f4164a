import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { BodyOf } from '#lib/client';

type Registration = BodyOf<'post', '/v1/factors/passkeys'>['registration'] &
  BodyOf<'post', '/v1/enrolment/passkey'>['registration'];
type Assertion = Extract<BodyOf<'post', '/v1/step-ups/{id}/proof'>, { readonly method: 'passkey' }>['assertion'] &
  BodyOf<'post', '/v1/sign-in/passkey'>['assertion'];

/** Asks the device for a new passkey. */
export async function madePasskey(options: object): Promise<Registration> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  // The browser checks the options.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  // oxlint-disable-next-line countersign/no-cast-answer -- it is sent as it is, and the server checks it
  return (await startRegistration({ optionsJSON })) as object as Registration;
}

/** Asks the device to sign with a passkey. */
export async function signedByPasskey(options: object): Promise<Assertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  // The browser checks the options.
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  // oxlint-disable-next-line countersign/no-cast-answer -- it is sent as it is, and the server checks it
  return (await startAuthentication({ optionsJSON })) as object as Assertion;
}
