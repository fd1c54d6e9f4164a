import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { PersonId } from '#lib/kernel';
import { decodeBase64Url, faultOfAnswer, parsePasskeyPublicKey } from '#lib/verifier';
import type { NewPasskey, PasskeyOptions, Passkeys } from '../application/mfa.ports.js';
import { passkeyPublicKeyOf } from '../domain/cose-key.js';
import type { PasskeyFactor } from '../domain/factor.js';
import type { RelyingParty } from '../domain/relying-party.js';
import { STEP_UP_MS, type PasskeyAssertion } from '../domain/step-up.js';

/** COSE: EdDSA, ES256, RS256: the algorithms that the offline verifier can check. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded at its first use: it is a sixth of a process's code, and a worker never uses it. */
const webauthn = () => import('@simplewebauthn/server');

/** WebAuthn by @simplewebauthn/server. The user must be verified, by finger, face or PIN: it is a factor of its own. */
export class SimplewebauthnPasskeys implements Passkeys {
  constructor(private readonly party: RelyingParty | null) {}

  get available(): boolean {
    return this.party !== null;
  }

  async registrationOptions(
    person: { readonly id: PersonId; readonly email: string; readonly displayName: string },
    known: readonly PasskeyFactor[],
  ): Promise<PasskeyOptions> {
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: 'Countersign',
      rpID: this.#required().id,
      userID: Uint8Array.from(Buffer.from(person.id.replaceAll('-', ''), 'hex')),
      userName: person.email,
      userDisplayName: person.displayName,
      timeout: STEP_UP_MS,
      attestationType: 'none',
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return { ...options };
  }

  async verifyRegistration(answer: unknown, challenges: readonly string[]): Promise<NewPasskey | null> {
    const { id, origin } = this.#required();
    const { verifyRegistrationResponse } = await webauthn();
    try {
      const { verified, registrationInfo: info } = await verifyRegistrationResponse({
        // The library refuses anything else.
        response: answer as RegistrationResponseJSON,
        expectedChallenge: (challenge) => challenges.includes(challenge),
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!verified || passkeyPublicKeyOf(info.credential.publicKey) === null) return null;
      return {
        passkeyId: info.credential.id,
        publicKey: info.credential.publicKey,
        counter: info.credential.counter,
        transports: info.credential.transports ?? [],
        backedUp: info.credentialBackedUp,
        site: this.#required(),
      };
    } catch {
      return null;
    }
  }

  async assertionOptions(passkeys: readonly PasskeyFactor[], challenge: string): Promise<PasskeyOptions> {
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: this.#required().id,
      challenge: Uint8Array.from(decodeBase64Url(challenge) ?? []),
      allowCredentials: passkeys.map(descriptorOf),
      userVerification: 'required',
      timeout: STEP_UP_MS,
    });
    return { ...options };
  }

  async verifyAssertion(
    answer: unknown,
    challenge: string,
    passkey: PasskeyFactor,
  ): Promise<{ readonly counter: number; readonly backedUp: boolean; readonly assertion: PasskeyAssertion } | null> {
    const { id, origin } = this.#required();
    const { verifyAuthenticationResponse } = await webauthn();
    try {
      const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
        // The package checks each member itself.
        response: answer as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true,
        // Zero: the library looks at the counter before the signature, and an unsigned counter proves nothing.
        credential: { id: passkey.passkeyId, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
      });
      // The package has verified it.
      const assertion = verified ? this.#kept(answer as AuthenticationResponseJSON, challenge, passkey) : null;
      return assertion && { counter: info.newCounter, backedUp: info.credentialBackedUp, assertion };
    } catch {
      return null;
    }
  }

  /** The answer as it is kept; null for one that the offline verifier would not take. */
  #kept({ response }: AuthenticationResponseJSON, challenge: string, passkey: PasskeyFactor): PasskeyAssertion | null {
    const { id, origin } = this.#required();
    const text = passkeyPublicKeyOf(passkey.publicKey);
    const publicKey = text === null ? null : parsePasskeyPublicKey(text);
    if (text === null || publicKey === null) return null;
    const { authenticatorData, clientDataJSON: clientDataJson, signature } = response;
    const answer = { authenticatorData, clientDataJson, signature };
    if (faultOfAnswer(answer, { challenge, origin, relyingPartyId: id, publicKey }) !== null) return null;
    return {
      credential_id: passkey.passkeyId,
      public_key: text,
      relying_party_id: id,
      origin,
      authenticator_data: authenticatorData,
      client_data_json: clientDataJson,
      signature,
    };
  }

  #required(): RelyingParty {
    if (this.party === null) throw new Error('this installation has no address that passkeys could be for');
    return this.party;
  }
}

const descriptorOf = ({ passkeyId, transports }: PasskeyFactor) => ({
  id: passkeyId,
  transports: [...transports],
});
