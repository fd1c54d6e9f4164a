import { generateKeyPairSync } from 'node:crypto';
import { parsePasskeyPublicKey } from '#lib/verifier';
import { softwareAuthenticator, type SigningAlgorithm } from '../../../../../test/support/virtual-authenticator.js';
import { passkeyPublicKeyOf } from './cose-key.js';

const SITE = { origin: 'https://countersign.example', rpId: 'countersign.example' };
const X = Buffer.from(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }).x ?? '',
  'base64url',
);
const { x: jx = '', y: jy = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'jwk',
});
const [EX, EY] = [Buffer.from(jx, 'base64url'), Buffer.from(jy, 'base64url')];
const bytes32 = (value: Buffer): Buffer => Buffer.concat([Buffer.of(0x58, 32), value]);
const es256 = (...more: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.of(0xa5 + more.length, 1, 2, 3, 0x26, 0x20, 1, 0x21),
    bytes32(EX),
    Buffer.of(0x22),
    bytes32(EY),
    ...more,
  ]);

/** The base point of the curve (RFC 8032), since not every text of 32 bytes is a point. */
const POINT = Buffer.concat([Buffer.of(0x58), Buffer.alloc(31, 0x66)]);
const ed25519 = (curve: number, length = 32): Buffer =>
  Buffer.concat([Buffer.of(0xa4, 1, 1, 3, 0x27, 0x20, curve, 0x21, 0x58, length), POINT.subarray(0, length)]);

/** The COSE key inside a registration: after 37 bytes, the AAGUID, and the id with its length. */
function coseOf(algorithm: SigningAlgorithm): Uint8Array {
  const { response } = softwareAuthenticator(SITE, algorithm).register('x') as {
    response: { attestationObject: string };
  };
  const object = Buffer.from(response.attestationObject, 'base64url');
  const start = object.indexOf('authData') + 'authData'.length;
  const long = object[start] === 0x59;
  return object.subarray(start + (long ? 3 : 2) + 37 + 16 + 2 + 32);
}

describe('the public key of a passkey', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)('of %s has one spelling, which the verifier reads', (algorithm) => {
    const text = passkeyPublicKeyOf(coseOf(algorithm));
    expect(text).toMatch(new RegExp(`^${algorithm}:`));
    expect(parsePasskeyPublicKey(text ?? '')).toMatchObject({ algorithm });
  });

  it('is the point of the key', () => {
    expect(passkeyPublicKeyOf(es256())).toBe(`ES256:${Buffer.concat([EX, EY]).toString('base64url')}`);
  });

  it.each([
    ['with bytes after it', Buffer.concat([es256(), Buffer.of(0)])],
    ['that ends early', es256().subarray(0, -1)],
    ['with a member more', es256(Buffer.of(0x04, 0x01))],
    [
      'with a member twice',
      Buffer.concat([Buffer.of(0xa5, 1, 2, 1, 2, 0x20, 1, 0x21), bytes32(EX), Buffer.of(0x22), bytes32(EY)]),
    ],
    [
      'of another algorithm (ES384)',
      Buffer.concat([Buffer.of(0xa5, 1, 2, 3, 0x38, 0x22, 0x20, 1, 0x21), bytes32(EX), Buffer.of(0x22), bytes32(EY)]),
    ],
    [
      'on another curve',
      Buffer.concat([Buffer.of(0xa5, 1, 2, 3, 0x26, 0x20, 2, 0x21), bytes32(EX), Buffer.of(0x22), bytes32(EY)]),
    ],
    [
      'that is no point of the curve',
      Buffer.concat([Buffer.of(0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21), bytes32(EX), Buffer.of(0x22), bytes32(X)]),
    ],
    [
      'with text for a coordinate',
      Buffer.concat([Buffer.of(0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x61, 0x61, 0x22), bytes32(EY)]),
    ],
    ['of EdDSA on another curve', ed25519(5)],
    ['of EdDSA with a point of another length', ed25519(6, 31)],
    ['of EdDSA with a number for its point', Buffer.of(0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 5)],
    ['with bytes for a label', Buffer.concat([Buffer.of(0xa1), Buffer.of(0x41, 1), Buffer.of(1)])],
    ['with a member that never comes', Buffer.of(0xa2, 1, 2)],
    ['that is a list', Buffer.of(0x80)],
    ['of nothing', Buffer.of()],
    ['of a length that never comes', Buffer.of(0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)],
  ])('%s is refused', (_what, cose) => {
    expect(passkeyPublicKeyOf(cose)).toBeNull();
  });

  it('of EdDSA is its point', () => {
    expect(passkeyPublicKeyOf(ed25519(6))).toBe(`EdDSA:${POINT.toString('base64url')}`);
  });

  it('of RS256 with another exponent is refused', () => {
    const cose = Buffer.from(coseOf('RS256'));
    cose[cose.length - 1] = 3;
    expect(passkeyPublicKeyOf(cose)).toBeNull();
  });
});
