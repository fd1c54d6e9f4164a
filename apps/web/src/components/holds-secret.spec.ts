import { holdsSecret } from './holds-secret.js';

it.each([
  '-----BEGIN EC PRIVATE KEY-----',
  'header: eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln',
  'authorization: Bearer abcdefghij',
  'url: https://ops:hunter2@example.com/',
  'key AKIAABCDEFGHIJKLMNOP',
  'ghp_abcdefghijklmnopqrst',
  `csp_${'a'.repeat(32)}`,
  'whsec_c2VjcmV0',
  'arguments: { db_password: hunter2 }',
  '"apiKey": "abc"',
  'command: deploy --token abc',
])('takes %j for a text with a secret', (text) => {
  expect(holdsSecret(text)).toBe(true);
});

it.each([
  'arguments: { token: { $secret: "deploy@1" } }',
  '$secret: deploy@1',
  'name: rotate-secrets\ndescription: Changes the secret of the web service.',
  'tool: read_access_keys',
  'https://example.com:8443/path',
])('takes %j for a text without a secret', (text) => {
  expect(holdsSecret(text)).toBe(false);
});
