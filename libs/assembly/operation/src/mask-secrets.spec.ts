import { MASK, maskSecrets } from './mask-secrets.js';

const token = `cs_p_${'A1b2-_'.repeat(8)}`;

describe('T32: credentials never reach a log line', () => {
  it.each([
    ['a message', `refused ${token}`, `refused ${MASK}`],
    ['a JSON field', JSON.stringify({ a: token, b: 1 }), JSON.stringify({ a: MASK, b: 1 })],
    ['a URL', `/v1/tasks?key=${token}&x=1`, `/v1/tasks?key=${MASK}&x=1`],
    ['a header of another scheme', '"authorization":"Bearer s3cr3t.value"', `"authorization":"Bearer ${MASK}"`],
    ['a grant', `eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiIxIn0.c2ln`, MASK],
    [
      'an escaped string',
      JSON.stringify({ a: JSON.stringify({ b: token }) }),
      JSON.stringify({ a: JSON.stringify({ b: MASK }) }),
    ],
  ])('masks it in %s', (_where, line, masked) => {
    expect(maskSecrets(line)).toBe(masked);
  });

  it('leaves the rest alone', () => {
    const line = '{"msg":"cs_ stands here, and cs_fleet too","bearer":1}';
    expect(maskSecrets(line)).toBe(line);
  });
});
