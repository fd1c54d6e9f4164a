import { requireDemonstration } from './issuer-config.js';

describe('an issuer that asks for no password', () => {
  it.each(['localhost', '127.0.0.1', '127.8.8.8', '::1'])('starts for a demonstration on %s', (host) => {
    expect(() => {
      requireDemonstration({ demo: true, host }, {});
    }).not.toThrow();
  });

  it.each<[string, { demo: boolean; host: string }, Record<string, string>, RegExp]>([
    ['without --demo', { demo: false, host: 'localhost' }, {}, /say --demo/],
    ['in production', { demo: true, host: 'localhost' }, { NODE_ENV: 'production' }, /NODE_ENV=production/],
    ['on every address', { demo: true, host: '0.0.0.0' }, {}, /others could reach it/],
    ['on every address of IPv6', { demo: true, host: '::' }, {}, /others could reach it/],
    ['on a name that may be anything', { demo: true, host: 'issuer.example.com' }, {}, /others could reach it/],
    ['on a name that only begins like this machine', { demo: true, host: '127.evil.example' }, {}, /others could/],
  ])('does not start %s', (_what, options, environment, message) => {
    expect(() => {
      requireDemonstration(options, environment);
    }).toThrow(message);
  });
});
