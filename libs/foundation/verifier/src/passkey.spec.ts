import { generateKeyPairSync, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64Url } from './base64.js';
import { faultOfAnswer } from './passkey-assertion.js';
import { passkeyChallenge } from './passkey-challenge.js';
import { isSignedByPasskey, parsePasskeyPublicKey, type PasskeyPublicKey } from './passkey-public-key.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const MESSAGE = bytesOf('the operation');
const SECRET = new Uint8Array(32).fill(7);

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const modulus = Uint8Array.from(Buffer.from(rsa.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url'));
const signRsa = (message: Uint8Array): Uint8Array => Uint8Array.from(sign('sha256', message, rsa.privateKey));

const es256Bytes = p256.getPublicKey(SECRET, false).slice(1);
const EDDSA: PasskeyPublicKey = { algorithm: 'EdDSA', bytes: ed25519.getPublicKey(SECRET) };
const KEYS: readonly (readonly [PasskeyPublicKey, sign: (message: Uint8Array) => Uint8Array])[] = [
  [{ algorithm: 'ES256', bytes: es256Bytes }, (message) => p256.sign(message, SECRET, { format: 'der' })],
  [EDDSA, (message) => ed25519.sign(message, SECRET)],
  [{ algorithm: 'RS256', bytes: modulus }, signRsa],
];
const textOf = ({ algorithm, bytes }: PasskeyPublicKey): string => `${algorithm}:${encodeBase64Url(bytes)}`;
const flipped = (bytes: Uint8Array, at = 0): Uint8Array => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
const padded = (bytes: Uint8Array): Uint8Array => Uint8Array.of(0, ...bytes);

describe('the public key of a passkey', () => {
  it.each(KEYS)('is read as it was written (%j)', (key) => {
    expect(parsePasskeyPublicKey(textOf(key))).toEqual(key);
  });

  it.each<[what: string, text: string]>([
    ['no algorithm', ':AAAA'],
    ['a line before it', `x\n${textOf(EDDSA)}`],
    ['a prefix', `x${textOf(EDDSA)}`],
    ['a suffix', `${textOf(EDDSA)}=`],
    ['no base64url', 'EdDSA:A'],
    ['a point of ES256 that is a byte short', textOf({ algorithm: 'ES256', bytes: es256Bytes.slice(1) })],
    ['a point off the curve of ES256', textOf({ algorithm: 'ES256', bytes: flipped(es256Bytes) })],
    ['a key of EdDSA that is a byte long', textOf({ algorithm: 'EdDSA', bytes: padded(ed25519.getPublicKey(SECRET)) })],
    ['a key of EdDSA that is no point', textOf({ algorithm: 'EdDSA', bytes: new Uint8Array(32).fill(0xff) })],
  ])('is refused with %s', (_what, text) => {
    expect(parsePasskeyPublicKey(text)).toBeNull();
  });

  it('of RS256 is an odd modulus of 2,048 to 4,096 bits', () => {
    const taken = (length: number, first: number, last: number): boolean => {
      const bytes = new Uint8Array(length).fill(0xaa);
      [bytes[0], bytes[length - 1]] = [first, last];
      return parsePasskeyPublicKey(textOf({ algorithm: 'RS256', bytes })) !== null;
    };
    expect(taken(256, 0x80, 1)).toBe(true);
    expect(taken(512, 0xff, 0xff)).toBe(true);
    expect(taken(255, 0x80, 1)).toBe(false);
    expect(taken(513, 0x80, 1)).toBe(false);
    expect(taken(256, 0x7f, 1)).toBe(false);
    expect(taken(256, 0x80, 2)).toBe(false);
  });
});

describe('the signature of a passkey', () => {
  it.each(KEYS)('is good for its message alone (%j)', (key, signed) => {
    const signature = signed(MESSAGE);
    expect(isSignedByPasskey(key, MESSAGE, signature)).toBe(true);
    expect(isSignedByPasskey(key, flipped(MESSAGE), signature)).toBe(false);
    expect(isSignedByPasskey(key, MESSAGE, flipped(signature, signature.length - 1))).toBe(false);
    expect(isSignedByPasskey(key, MESSAGE, padded(signature))).toBe(false);
    expect(isSignedByPasskey(key, MESSAGE, Uint8Array.of(1))).toBe(false);
    expect(isSignedByPasskey(key, MESSAGE, new Uint8Array())).toBe(false);
  });

  it('of ES256 may have either value of s', () => {
    const signature = p256.Signature.fromBytes(p256.sign(MESSAGE, SECRET, { format: 'der' }), 'der');
    const other = new p256.Signature(signature.r, p256.Point.Fn.ORDER - signature.s);
    const key: PasskeyPublicKey = { algorithm: 'ES256', bytes: es256Bytes };
    for (const one of [signature, other]) expect(isSignedByPasskey(key, MESSAGE, one.toBytes('der'))).toBe(true);
  });

  it('of EdDSA is checked strictly: a key of small order signs nothing', () => {
    const identity = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0));
    const anything = Uint8Array.of(...identity, ...new Uint8Array(32));
    expect(isSignedByPasskey({ algorithm: 'EdDSA', bytes: identity }, MESSAGE, anything)).toBe(false);
  });

  it('of RS256 has one spelling: a number beyond the modulus is refused', () => {
    const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
    const n = numberOf(modulus);
    const limit = 2n ** BigInt(8 * modulus.length);
    let found: { message: Uint8Array; sum: bigint } | undefined;
    for (let nonce = 0; found === undefined; nonce += 1) {
      const message = bytesOf(String(nonce));
      const sum = numberOf(signRsa(message)) + n;
      if (sum < limit) found = { message, sum };
    }
    const beyond = Uint8Array.from(Buffer.from(found.sum.toString(16).padStart(2 * modulus.length, '0'), 'hex'));
    const key: PasskeyPublicKey = { algorithm: 'RS256', bytes: modulus };
    expect(isSignedByPasskey(key, found.message, signRsa(found.message))).toBe(true);
    expect(isSignedByPasskey(key, found.message, beyond)).toBe(false);
  });
});

const SITE = { origin: 'https://countersign.example', relyingPartyId: 'countersign.example' };
const CHALLENGE = passkeyChallenge(`sha256:${'1'.repeat(64)}`, new Uint8Array(32));
const EXPECTED = {
  ...SITE,
  challenge: CHALLENGE,
  publicKey: EDDSA,
};
const CLIENT = { type: 'webauthn.get', challenge: CHALLENGE, origin: SITE.origin, crossOrigin: false };
const PRESENT_AND_VERIFIED = 0x05;

interface Answered {
  client?: Uint8Array | Readonly<Record<string, unknown>>;
  flags?: number;
  relyingPartyId?: string;
  more?: readonly number[];
  data?: Uint8Array;
}

/** A signed answer with one part wrong. */
function answered({ client = CLIENT, flags = PRESENT_AND_VERIFIED, relyingPartyId, more = [], data }: Answered = {}) {
  const clientData = client instanceof Uint8Array ? client : bytesOf(JSON.stringify(client));
  const hash = sha256(bytesOf(relyingPartyId ?? SITE.relyingPartyId));
  const authenticatorData = data ?? Uint8Array.of(...hash, flags, 0, 0, 0, 1, ...more);
  const signature = ed25519.sign(Uint8Array.of(...authenticatorData, ...sha256(clientData)), SECRET);
  return {
    authenticatorData: encodeBase64Url(authenticatorData),
    clientDataJson: encodeBase64Url(clientData),
    signature: encodeBase64Url(signature),
  };
}

describe('the answer of a passkey', () => {
  it('proves the challenge', () => {
    expect(faultOfAnswer(answered(), EXPECTED)).toBeNull();
    const { crossOrigin: _, ...older } = CLIENT;
    expect(faultOfAnswer(answered({ client: older }), EXPECTED)).toBeNull();
    expect(faultOfAnswer(answered({ client: { ...CLIENT, topOrigin: null } }), EXPECTED)).toBeNull();
  });

  it('may carry extensions if its flags say so', () => {
    expect(faultOfAnswer(answered({ flags: 0x85, more: [0xa0] }), EXPECTED)).toBeNull();
    expect(faultOfAnswer(answered({ flags: 0x45, more: [0xa0] }), EXPECTED)).toBeNull();
    expect(faultOfAnswer(answered({ more: [0xa0] }), EXPECTED)).toBe('format');
  });

  it.each(['authenticatorData', 'clientDataJson', 'signature'])('is unreadable without base64url in %s', (part) => {
    expect(faultOfAnswer({ ...answered(), [part]: '=' }, EXPECTED)).toBe('format');
  });

  it.each<[fault: string, what: string, Answered]>([
    ['format', 'client data of a registration', { client: { ...CLIENT, type: 'webauthn.create' } }],
    ['format', 'client data that is null', { client: bytesOf('null') }],
    ['format', 'client data that is no JSON', { client: bytesOf('{') }],
    [
      'format',
      'client data with a member twice',
      { client: bytesOf(JSON.stringify(CLIENT).replace('{', '{"type":"x",')) },
    ],
    [
      'format',
      'client data that is no UTF-8',
      { client: Uint8Array.of(...bytesOf(JSON.stringify({ ...CLIENT, a: '' }).slice(0, -2)), 0xff, 0x22, 0x7d) },
    ],
    [
      'format',
      'client data with a byte order mark',
      { client: Uint8Array.of(0xef, 0xbb, 0xbf, ...bytesOf(JSON.stringify(CLIENT))) },
    ],
    ['challenge', 'another challenge', { client: { ...CLIENT, challenge: 'x' } }],
    ['origin', 'another origin', { client: { ...CLIENT, origin: 'https://evil.example' } }],
    ['origin', 'an embedded page', { client: { ...CLIENT, crossOrigin: true } }],
    ['origin', 'a page on top of it', { client: { ...CLIENT, topOrigin: 'https://evil.example' } }],
    ['format', 'data that is too short', { data: sha256(bytesOf(SITE.relyingPartyId)) }],
    ['relying_party', 'another relying party', { relyingPartyId: 'evil.example' }],
    ['user_presence', 'a person who is not present', { flags: 0x04 }],
    ['user_verification', 'a person who is not verified', { flags: 0x01 }],
  ])('has the fault %s with %s', (fault, _what, wrong) => {
    expect(faultOfAnswer(answered(wrong), EXPECTED)).toBe(fault);
  });

  it('has the fault of its signature if another key signed, or something else', () => {
    const publicKey: PasskeyPublicKey = { algorithm: 'EdDSA', bytes: ed25519.getPublicKey(new Uint8Array(32)) };
    expect(faultOfAnswer(answered(), { ...EXPECTED, publicKey })).toBe('signature');
    const { signature } = answered({ flags: 0x1d });
    expect(faultOfAnswer({ ...answered(), signature }, EXPECTED)).toBe('signature');
  });
});

test('a challenge has a nonce of 32 bytes', () => {
  for (const length of [31, 33]) expect(() => passkeyChallenge('d', new Uint8Array(length))).toThrow(RangeError);
});
