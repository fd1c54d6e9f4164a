import { apiConfigFrom } from './api-config.js';

const trusted = (text: string): readonly string[] =>
  apiConfigFrom({ COUNTERSIGN_TRUSTED_PROXIES: text }, '.').trustedProxies;

describe('COUNTERSIGN_TRUSTED_PROXIES', () => {
  it('lists addresses and blocks of them', () => {
    expect(trusted(' 10.0.0.5, 10.0.0.0/8,fd00::/8 ,')).toEqual(['10.0.0.5', '10.0.0.0/8', 'fd00::/8']);
    expect(trusted('')).toEqual([]);
  });

  it.each(['proxy.example', '10.0.0', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', 'fd00::/129'])(
    'refuses to start with %s',
    (wrong) => {
      expect(() => trusted(`10.0.0.5,${wrong}`)).toThrow(`start.wrong_setting: COUNTERSIGN_TRUSTED_PROXIES`);
    },
  );
});

it('names the number that makes no sense', () => {
  expect(() => apiConfigFrom({ COUNTERSIGN_BODY_BYTES: '7' }, '.')).toThrow(
    'COUNTERSIGN_BODY_BYTES must be a whole number from 1024 to 67108864, and is "7".',
  );
});
