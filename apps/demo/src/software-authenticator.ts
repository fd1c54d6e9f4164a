import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import type { ProveStepUpBody, RegisterPasskeyBody } from '#lib/api-schemas';

/** The steps of a page and its authenticator; a test overrides one to make it wrong. */
export interface Behaviour {
  readonly origin: string;
  readonly rpId: string;
  readonly userPresent: boolean;
  readonly userVerified: boolean;
  /** Whether a page inside a page of another origin asks. */
  readonly crossOrigin: boolean;
  /** The signature counter to show; it counts up by itself otherwise. */
  readonly counter?: number;
  /** Signs with another key than the registered one. */
  readonly forged?: boolean;
}

type Registration = RegisterPasskeyBody['registration'];
type Assertion = Extract<ProveStepUpBody, { readonly method: 'passkey' }>['assertion'];

/** WebAuthn's answers, as a browser would serialise them. */
export interface SoftwareAuthenticator {
  readonly passkeyId: string;
  /** As an approver-keys file spells it. */
  readonly publicKey: string;
  /** RegistrationResponseJSON, attestation "none" (WebAuthn sections 6.5.4 and 8.7). */
  register(challenge: string, override?: Partial<Behaviour>): Registration;
  /** AuthenticationResponseJSON. */
  assert(challenge: string, override?: Partial<Behaviour>): Assertion;
}

/** How it signs: a security key or a phone, or Windows Hello. */
export type SigningAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

const USUAL = { userPresent: true, userVerified: true, crossOrigin: false };
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL = 0x40;

/** An authenticator in software, with one passkey. */
export function softwareAuthenticator(
  site: { readonly origin: string; readonly rpId: string },
  algorithm: SigningAlgorithm = 'ES256',
): SoftwareAuthenticator {
  const id = randomBytes(32);
  const passkeyId = id.toString('base64url');
  const keys = newKeys(algorithm);
  let counter = 0;

  const authenticatorData = (behaviour: Behaviour, attested: Buffer | null): Buffer => {
    counter = behaviour.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags =
      (behaviour.userPresent ? USER_PRESENT : 0) |
      (behaviour.userVerified ? USER_VERIFIED : 0) |
      (attested === null ? 0 : ATTESTED_CREDENTIAL);
    return Buffer.concat([
      createHash('sha256').update(behaviour.rpId).digest(),
      Buffer.of(flags),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  };

  const answer = {
    id: passkeyId,
    rawId: passkeyId,
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  } as const;

  return {
    passkeyId,
    publicKey: textOf(keys.publicKey),
    register: (challenge, override = {}) => {
      const behaviour = { ...site, ...USUAL, ...override };
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(coseKey(keys.publicKey))]);
      const attestation = new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(behaviour, attested)],
      ]);
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, behaviour).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      };
      return { ...answer, response };
    },
    assert: (challenge, override = {}) => {
      const behaviour = { ...site, ...USUAL, ...override };
      const client = clientData('webauthn.get', challenge, behaviour);
      const data = authenticatorData(behaviour, null);
      const key = behaviour.forged === true ? newKeys(algorithm) : keys;
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', signed, key.privateKey);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      };
      return { ...answer, response };
    },
  };
}

/** The challenge in the options of the server. */
export function challengeOf({ challenge }: Readonly<Record<string, unknown>>): string {
  if (typeof challenge !== 'string') throw new Error('the server asked for a passkey without a challenge');
  return challenge;
}

const clientData = (type: string, challenge: string, { origin, crossOrigin }: Behaviour): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

function newKeys(algorithm: SigningAlgorithm): KeyPairKeyObjectResult {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' });
    case 'EdDSA':
      return generateKeyPairSync('ed25519');
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength: 2048 });
  }
}

/** A COSE_Key: of ES256, EdDSA (RFC 9053 section 7) or RS256 (RFC 8230 section 4). */
function coseKey(publicKey: KeyObject): Map<number, CborValue> {
  const { kty, x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
  const members = {
    EC: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    OKP: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    RSA: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  } satisfies Record<string, [number, CborValue][]>;
  // The keys that this authenticator makes are of these three kinds.
  return new Map<number, CborValue>(members[kty as keyof typeof members] as [number, CborValue][]);
}

function textOf(publicKey: KeyObject): string {
  const { kty, x = '', y = '', n = '' } = publicKey.export({ format: 'jwk' });
  const raw = (...parts: string[]): string =>
    Buffer.concat(parts.map((part) => Buffer.from(part, 'base64url'))).toString('base64url');
  if (kty === 'EC') return `ES256:${raw(x, y)}`;
  return kty === 'OKP' ? `EdDSA:${raw(x)}` : `RS256:${raw(n)}`;
}

type CborValue = number | string | Buffer | Map<number | string, CborValue>;

/** As much of CBOR (RFC 8949) as an attestation needs. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

function head(major: number, size: number): Buffer {
  const type = major << 5;
  if (size < 24) return Buffer.of(type | size);
  if (size < 0x100) return Buffer.of(type | 24, size);
  return Buffer.of(type | 25, size >> 8, size & 0xff);
}
