import { apiConfigFrom, metricsAddressFrom } from './api-config.js';

const trusted = (text: string): readonly string[] =>
  apiConfigFrom({ COUNTERSIGN_TRUSTED_PROXIES: text }, '.').trustedProxies;

describe('COUNTERSIGN_TRUSTED_PROXIES', () => {
  it('lists addresses and blocks of addresses', () => {
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

it('takes an empty setting for one that is not set: an empty host would listen at every address', () => {
  const names = ['HOST', 'PORT', 'LOG_LEVEL', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'BODY_BYTES', 'SMTP_URL', 'SLACK_URL'];
  const empty = Object.fromEntries(names.map((name) => [`COUNTERSIGN_${name}`, '']));
  expect(apiConfigFrom(empty, '.')).toEqual(apiConfigFrom({}, '.'));
  expect(apiConfigFrom(empty, '.').host).toBe('127.0.0.1');
  expect(metricsAddressFrom({ COUNTERSIGN_METRICS_HOST: '' })).toEqual({ host: '127.0.0.1', port: 9_464 });
});

it('names the log levels that there are', () => {
  expect(() => apiConfigFrom({ COUNTERSIGN_LOG_LEVEL: 'loud' }, '.')).toThrow(
    'COUNTERSIGN_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, and is "loud".',
  );
});
