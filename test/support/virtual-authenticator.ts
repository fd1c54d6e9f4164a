import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** What a page and its authenticator do; a test overrides what it wants to be wrong. */
export interface Behaviour {
  readonly origin: string;
  readonly rpId: string;
  readonly userVerified: boolean;
  /** The signature counter to show; it counts up by itself otherwise. */
  readonly counter?: number;
  /** Signs with another key than the registered one. */
  readonly forged?: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** WebAuthn's answers, as a browser would serialise them. */
export interface VirtualAuthenticator {
  readonly passkeyId: string;
  /** RegistrationResponseJSON, ES256 and attestation "none" (WebAuthn sections 6.5.4 and 8.7). */
  register(challenge: string, override?: Partial<Behaviour>): Json;
  /** AuthenticationResponseJSON. */
  assert(challenge: string, override?: Partial<Behaviour>): Json;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL = 0x40;

/** An authenticator in software, with one passkey. */
export function virtualAuthenticator(site: { readonly origin: string; readonly rpId: string }): VirtualAuthenticator {
  const id = randomBytes(32);
  const passkeyId = id.toString('base64url');
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  const authenticatorData = (behaviour: Behaviour, attested: Buffer | null): Buffer => {
    counter = behaviour.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags =
      USER_PRESENT | (behaviour.userVerified ? USER_VERIFIED : 0) | (attested === null ? 0 : ATTESTED_CREDENTIAL);
    return Buffer.concat([
      createHash('sha256').update(behaviour.rpId).digest(),
      Buffer.of(flags),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  };

  const answer = (response: Json): Json => ({
    id: passkeyId,
    rawId: passkeyId,
    type: 'public-key',
    response,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  });

  return {
    passkeyId,
    register: (challenge, override = {}) => {
      const behaviour = { ...site, userVerified: true, ...override };
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(coseKey(keys.publicKey))]);
      const attestation = new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(behaviour, attested)],
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, behaviour.origin).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },
    assert: (challenge, override = {}) => {
      const behaviour = { ...site, userVerified: true, ...override };
      const client = clientData('webauthn.get', challenge, behaviour.origin);
      const data = authenticatorData(behaviour, null);
      const key = behaviour.forged === true ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : keys;
      const signature = createSign('sha256')
        .update(Buffer.concat([data, createHash('sha256').update(client).digest()]))
        .sign(key.privateKey);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** A COSE_Key of ES256 (RFC 9053 section 7.1.1). */
function coseKey(publicKey: KeyObject): Map<number, CborValue> {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return new Map<number, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
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
