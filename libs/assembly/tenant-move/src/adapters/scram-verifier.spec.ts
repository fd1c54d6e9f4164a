import { createHash, createHmac } from 'node:crypto';
import { scramVerifier } from './scram-verifier.js';

/** The exchange of RFC 7677, section 3. */
const SALT = 'W22ZaJ0SNY7soEsUEjb6gQ==';
const AUTH_MESSAGE =
  'n=user,r=rOprNGfwEbeRWgbNEkqO,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const PROOF = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';
const SERVER_SIGNATURE = '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

describe('the verifier of a password', () => {
  it('checks the proof of RFC 7677, and answers with its signature', () => {
    const [, iterations, salt, stored = '', server = ''] =
      /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)$/.exec(scramVerifier('pencil', Buffer.from(SALT, 'base64'))) ?? [];
    expect([iterations, salt]).toEqual(['4096', SALT]);
    const signed = (key: string): Buffer =>
      createHmac('sha256', Buffer.from(key, 'base64')).update(AUTH_MESSAGE).digest();
    expect(signed(server).toString('base64')).toBe(SERVER_SIGNATURE);
    const signature = signed(stored);
    const clientKey = Buffer.from(PROOF, 'base64').map((byte, index) => byte ^ (signature[index] ?? 0));
    expect(createHash('sha256').update(clientKey).digest('base64')).toBe(stored);
  });

  it('has another salt each time', () => {
    expect(scramVerifier('pencil')).not.toBe(scramVerifier('pencil'));
  });
});
