import { TEST_AUTHORITY, TEST_CERTIFICATE_KEY } from '../../../../../test/support/test-authority.js';
import { addressOf, checkAddress, checkAuthority } from './check-address.js';

describe('T31: the address of a server', () => {
  it.each([
    ['https://hooks.example.com/in', 'public', null],
    ['https://127.0.0.1:8443/in', 'allowed', null],
    ['https://127.0.0.1:8443/in', 'refused', 'is not public'],
    ['http://127.0.0.1:8443/in', 'allowed', 'is not an https address'],
    ['ftp://hooks.example.com/in', 'public', 'is not an https address'],
    ['https://me@hooks.example.com/in', 'public', 'holds credentials'],
    ['https://:word@hooks.example.com/in', 'public', 'holds credentials'],
    ['https://hooks.example.com/in?token=1', 'public', 'a query'],
    ['https://hooks.example.com/in#1', 'public', 'a fragment'],
    ['https://hooks.example.com/in?', 'public', 'a query'],
    ['https://hooks.example.com/in#', 'public', 'a fragment'],
    [`https://hooks.example.com/${'ä'.repeat(400)}`, 'public', 'is longer than 2,000 characters'],
  ] as const)('%s, which the rules call %s', (url, verdict, wrong) => {
    const refused = checkAddress(new URL(url), verdict, 'webhook');
    if (wrong === null) expect(refused).toBeNull();
    else {
      expect(refused).toMatchObject({ kind: 'unprocessable', code: 'webhook.address_not_allowed' });
      expect(refused?.message).toContain(wrong);
    }
  });
});

it.each([
  ['HTTPS://Hooks.Example.com/x', 'https://hooks.example.com/x'],
  ['https:example.com/x', 'https://example.com/x'],
  ['https://example.com:443', 'https://example.com/'],
])('the address %s is kept as %s', (typed, kept) => {
  expect(addressOf(typed)).toBe(kept);
});

describe('the authority of a server', () => {
  it('is one or more certificates', () => {
    expect(checkAuthority(TEST_AUTHORITY, 'siem')).toBeNull();
    expect(checkAuthority(TEST_AUTHORITY + TEST_AUTHORITY, 'siem')).toBeNull();
  });

  it.each([
    ['no certificate', 'an authority'],
    ['a key beside the certificate', TEST_AUTHORITY + TEST_CERTIFICATE_KEY],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['too much', TEST_AUTHORITY.repeat(60)],
  ])('is refused: %s', (_what, pem) => {
    expect(checkAuthority(pem, 'embedder')).toMatchObject({ code: 'embedder.authority_invalid' });
  });
});
