import { parseStrictJson, type Json } from '#lib/canonical';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeBase64Url } from './base64.js';
import { member } from './json-member.js';
import { sameBytes } from './merkle.js';
import { isSignedByPasskey, type PasskeyPublicKey } from './passkey-public-key.js';

/** The answer of an authenticator (WebAuthn section 6.3.3), each part in base64url. */
export interface PasskeyAnswer {
  readonly authenticatorData: string;
  readonly clientDataJson: string;
  readonly signature: string;
}

/** The expected content of the answer, and the key. */
export interface ExpectedAnswer {
  readonly challenge: string;
  readonly origin: string;
  readonly relyingPartyId: string;
  readonly publicKey: PasskeyPublicKey;
}

/** The first thing that is wrong with an answer. */
export type AnswerMistake =
  | 'format'
  | 'challenge'
  | 'origin'
  | 'relying_party'
  | 'user_presence'
  | 'user_verification'
  | 'signature';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_OR_EXTENDED = 0xc0;
/** Hash of the relying party's id, flags, counter (WebAuthn section 6.1). */
const AUTHENTICATOR_DATA_BYTES = 37;
const CLIENT_DATA_DEPTH = 8;

/**
 * Whether a passkey's answer proves the challenge (WebAuthn section 7.2, steps 10 to 21). A page of this origin asked for it, for this
 * relying party. A person was there and was verified, and the key signed all of that.
 *
 * @returns null for an answer that does.
 */
export function faultOfAnswer(answer: PasskeyAnswer, expected: ExpectedAnswer): AnswerMistake | null {
  const authenticatorData = decodeBase64Url(answer.authenticatorData);
  const clientData = decodeBase64Url(answer.clientDataJson);
  const signature = decodeBase64Url(answer.signature);
  if (authenticatorData === null || clientData === null || signature === null) return 'format';
  const client = clientDataOf(clientData);
  if (client === null || member(client, 'type') !== 'webauthn.get') return 'format';
  if (member(client, 'challenge') !== expected.challenge) return 'challenge';
  // A person who signs in an embedded page looks at another page.
  if (member(client, 'origin') !== expected.origin || member(client, 'crossOrigin') === true) return 'origin';
  if (member(client, 'topOrigin') !== null) return 'origin';
  const flags = authenticatorData[32] ?? 0;
  const rest = authenticatorData.length - AUTHENTICATOR_DATA_BYTES;
  if (rest < 0 || (rest > 0 && (flags & ATTESTED_OR_EXTENDED) === 0)) return 'format';
  if (!sameBytes(authenticatorData.slice(0, 32), sha256(utf8ToBytes(expected.relyingPartyId)))) return 'relying_party';
  if ((flags & USER_PRESENT) === 0) return 'user_presence';
  if ((flags & USER_VERIFIED) === 0) return 'user_verification';
  const signed = new Uint8Array(authenticatorData.length + 32);
  signed.set(authenticatorData);
  signed.set(sha256(clientData), authenticatorData.length);
  return isSignedByPasskey(expected.publicKey, signed, signature) ? null : 'signature';
}

/** CollectedClientData, without the same member twice; null for anything else. */
function clientDataOf(bytes: Uint8Array): Json | null {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), CLIENT_DATA_DEPTH);
  } catch {
    return null;
  }
}
