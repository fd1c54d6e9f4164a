import { generateKeyPairSync } from 'node:crypto';
import { approverKeyFingerprint, formatApproverKey, parseApproverKeys, type ApproverKey } from './approver-keys.js';

const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const KEY: ApproverKey = {
  personId: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a',
  credentialId: 'A'.repeat(32),
  publicKey: `EdDSA:${x}`,
  relyingPartyId: 'countersign.example',
  origin: 'https://countersign.example',
};
const lineOf = (change: Partial<ApproverKey>): string => formatApproverKey({ ...KEY, ...change });

describe('an approver-keys file', () => {
  it('is one line a key, with empty lines and comments between', () => {
    const other = { ...KEY, credentialId: 'B'.repeat(32), origin: 'https://login.countersign.example:8443' };
    const text = `# Sam\r\n${formatApproverKey(KEY)}\r\n\n# Noor\n${formatApproverKey(other)}\n`;
    expect(parseApproverKeys(text)).toEqual([KEY, other]);
  });

  it.each<[string, string, RegExp]>([
    ['four members', lineOf({}).split(' ').slice(0, 4).join(' '), /needs five members/],
    ['six members', `${lineOf({})} more`, /needs five members/],
    ['two spaces', lineOf({}).replace(' ', '  '), /needs five members|credential id/],
    ['a blank before it', ` ${lineOf({})}`, /needs five members|id of a person/],
    ['a name for a person', lineOf({ personId: 'sam' }), /id of a person/],
    ['a credential id with padding', lineOf({ credentialId: `${'A'.repeat(31)}=` }), /credential id/],
    ['a credential id that is short', lineOf({ credentialId: 'AAAA' }), /credential id/],
    ['a key of an unknown algorithm', lineOf({ publicKey: `ES384:${x}` }), /public key/],
    ['a key of a byte less', lineOf({ publicKey: `EdDSA:${x.slice(0, -2)}` }), /public key/],
    ['a key that is no point', lineOf({ publicKey: `ES256:${'A'.repeat(86)}` }), /public key/],
    ['a relying party with a path', lineOf({ relyingPartyId: 'a.example/b' }), /relying-party id/],
    ['an origin with a path', lineOf({ origin: 'https://countersign.example/' }), /origin/],
    ['an origin of another host', lineOf({ origin: 'https://evilcountersign.example' }), /does not belong/],
    ['an origin without https', lineOf({ origin: 'http://countersign.example' }), /without https/],
    ['a credential id of 15 bytes', lineOf({ credentialId: 'A'.repeat(20) }), /credential id/],
    ['a credential id of 1,024 bytes', lineOf({ credentialId: `${'A'.repeat(1_365)}A` }), /credential id/],
    ['a relying party that is no host', lineOf({ relyingPartyId: '-', origin: 'https://a.-' }), /relying-party id/],
    ['an origin that is no host', lineOf({ origin: 'https://.countersign.example' }), /origin \(https/],
    ['an origin with a port beyond 65,535', lineOf({ origin: 'https://countersign.example:65536' }), /origin \(https/],
  ])('with %s is refused by its line', (_what, line, message) => {
    expect(parseApproverKeys(`# one\n${line}\n`)).toEqual({ line: 2, message: expect.stringMatching(message) });
  });

  it.each<[string, Partial<ApproverKey>]>([
    ['a credential id of 16 bytes', { credentialId: 'A'.repeat(21) + 'A' }],
    ['a credential id of 1,023 bytes', { credentialId: 'A'.repeat(1_364) }],
    ['the last port', { origin: 'https://countersign.example:65535' }],
    ['localhost without https', { relyingPartyId: 'localhost', origin: 'http://localhost:8420' }],
  ])('with %s is read', (_what, change) => {
    expect(parseApproverKeys(`${lineOf(change)}\n \n`)).toEqual([{ ...KEY, ...change }]);
  });

  it('is read to 10,000 lines', () => {
    const lines = (count: number): string => `${lineOf({})}${'\n'.repeat(count - 1)}`;
    expect(parseApproverKeys(lines(10_000))).toEqual([KEY]);
    expect(parseApproverKeys(lines(10_001))).toEqual({
      line: 10_001,
      message: 'is beyond the 10,000 lines that are read',
    });
  });

  it('names a credential once, and is never empty', () => {
    const twice = `${lineOf({})}\n${lineOf({ personId: KEY.personId.replace('6a', '6b') })}`;
    expect(parseApproverKeys(twice)).toMatchObject({ line: 2 });
    expect(parseApproverKeys('# nothing\n')).toMatchObject({ line: 1 });
  });

  it('has a fingerprint of thirty digits for each line, another with every member', () => {
    const changes = [
      {},
      { personId: KEY.personId.replace('6a', '6b') },
      { credentialId: 'B'.repeat(32) },
      { relyingPartyId: 'example' },
      { origin: 'https://a.countersign.example' },
    ];
    const prints = changes.map((change) => approverKeyFingerprint({ ...KEY, ...change }));
    expect(new Set(prints).size).toBe(changes.length);
    for (const print of prints) expect(print).toMatch(/^(\d{5} ){5}\d{5}$/);
  });
});
