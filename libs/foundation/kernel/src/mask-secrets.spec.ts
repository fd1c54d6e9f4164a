import fc from 'fast-check';
import type { Json } from '#lib/canonical';
import { MASK, maskSecrets } from './mask-secrets.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

describe('T32: secrets are masked before anything is stored', () => {
  test.each([
    ['password', 'hunter2'],
    ['clientSecret', 'x'],
    ['API-Key', 'abc'],
    ['db_connection_string', 'postgres://db'],
    ['Authorization', 'anything'],
    ['credentials', { user: 'a', pass: 'b' }],
    ['otp', 123456],
  ])('by the name of the member: %s', (key, value) => {
    expect(maskSecrets({ outer: [{ [key]: value }] })).toEqual({ outer: [{ [key]: MASK }] });
  });

  test.each([
    ['failed: Bearer abcdefgh12345678 refused', `failed: Bearer ${MASK} refused`],
    ['https://bob:pa55word@db.example/x', `https://${MASK}@db.example/x`],
    ['psql --password s3cr3tvalue -h db', `psql --password ${MASK} -h db`],
    ['GET /x?token=abcdef123&page=2', `GET /x?token=${MASK}&page=2`],
    ['PASSWORD="long one with spaces" run', `PASSWORD=${MASK} run`],
    ['key AKIAIOSFODNN7EXAMPLE.', `key ${MASK}.`],
    ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl', MASK],
    ['-----BEGIN PRIVATE KEY-----\nMC4CAQAw\n-----END PRIVATE KEY-----', MASK],
    [
      'x -----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMC4CAQAw\n-----END RSA PRIVATE KEY----- y',
      `x ${MASK} y`,
    ],
  ])('by the shape of the text: %s', (text, masked) => {
    expect(maskSecrets({ message: text })).toEqual({ message: masked });
  });

  test('a private JSON Web Key loses its private part: as an object, in text, and in a string of JSON', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'public', d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' };
    const masked = { ...jwk, d: MASK };
    const text = JSON.stringify(jwk);
    expect(maskSecrets({ member: jwk })).toEqual({ member: masked });
    expect(maskSecrets(`read: ${text}`)).toBe(`read: ${JSON.stringify(masked)}`);
    expect(maskSecrets(JSON.stringify({ text }))).toBe(JSON.stringify({ text: JSON.stringify(masked) }));
    expect(maskSecrets(JSON.stringify(jwk, null, 2))).toBe(JSON.stringify(masked, null, 2));
    const plain = { d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', p: 1, kty: null };
    expect(maskSecrets(plain)).toEqual(plain);
  });

  test('a secret that took part is masked wherever it appears, in keys too', () => {
    expect(maskSecrets({ log: 'echo tr0ub4dor', 'x tr0ub4dor': 1 }, ['tr0ub4dor'])).toEqual({
      log: `echo ${MASK}`,
      [`x ${MASK}`]: 1,
    });
  });

  test.each([
    ['in a URL', 'GET /x?p=pa%C3%9F%2Fw%22ort failed', `GET /x?p=${MASK} failed`],
    ['in a string of JSON', '{"p":"paß/w\\"ort"}', `{"p":"${MASK}"}`],
    ['in base64', 'decoding cGHDny93Im9ydA==: failed', `decoding ${MASK}==: failed`],
  ])('a secret that took part is masked as it is spelled %s', (_where, text, masked) => {
    expect(maskSecrets({ text }, ['paß/w"ort'])).toEqual({ text: masked });
  });

  test('values that only look like secrets stay: references, digests, ids, counts, flags', () => {
    const kept: Json = {
      password: { $secret: 'db-password@3' },
      subject_digest: `sha256:${'ab'.repeat(32)}`,
      credential_id: '0190d3a0-0000-7000-8000-000000000000',
      token: null,
      secret: true,
      tokens_left: 7,
      note: 'checked the secret rotation and token renewal',
    };
    expect(maskSecrets(kept)).toEqual(kept);
  });

  test('masking twice changes nothing more, and takes linear time on hostile text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const once = maskSecrets(value as Json);
        expect(maskSecrets(once)).toEqual(once);
      }),
    );
    for (const hostile of [
      'password '.repeat(20_000),
      ':'.repeat(200_000),
      '-----BEGIN '.repeat(20_000),
      '://a:'.repeat(40_000),
      'eyJaaaaa.'.repeat(20_000),
      'eyJ-'.repeat(50_000),
    ]) {
      expect(cpuMs(() => maskSecrets(hostile))).toBeLessThan(2_000);
    }
  });
});
