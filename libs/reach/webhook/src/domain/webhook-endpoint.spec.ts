import { loosenedEndpoint, sameReceiver, subscribes, type EndpointSettings } from './webhook-endpoint.js';

const settings: EndpointSettings = {
  url: 'https://hooks.example.com/in',
  description: '',
  events: ['tool.failed', 'run.*'],
  ca: null,
  enabled: true,
};

it.each([
  ['tool.failed', true],
  ['tool.failed_again', false],
  ['tool.started', false],
  ['tool.test', true],
  ['run.started', true],
  ['runner.started', false],
])('subscribes to %s: %s', (event, expected) => {
  expect(subscribes(settings, event)).toBe(expected);
});

it('is another receiver at another address, and under another authority', () => {
  expect(sameReceiver(settings, { ...settings, description: 'x', events: ['plan.*'] })).toBe(true);
  expect(sameReceiver(settings, { ...settings, url: 'https://hooks.example.com/out' })).toBe(false);
  expect(sameReceiver(settings, { ...settings, ca: 'pem' })).toBe(false);
});

it('says against which authorities a certificate is checked', () => {
  const own = { ...settings, ca: 'pem' };
  expect(loosenedEndpoint(settings, own)[0]).toContain('the authorities of this change only');
  expect(loosenedEndpoint(own, settings)[0]).toContain('the public authorities');
});

describe('a change loosens', () => {
  it.each<[string, EndpointSettings | null, Partial<EndpointSettings>]>([
    ['a new address', null, {}],
    ['another address', settings, { url: 'https://hooks.example.com/out' }],
    ['another event', settings, { events: ['tool.failed', 'run.*', 'plan.*'] }],
    ['another authority', settings, { ca: 'pem' }],
    ['the public authorities in place of one', { ...settings, ca: 'pem' }, { ca: null }],
    ['switching on', { ...settings, enabled: false }, {}],
  ])('by %s', (_what, before, change) => {
    expect(loosenedEndpoint(before, { ...settings, ...change })).toHaveLength(1);
  });

  it.each<[string, EndpointSettings | null, Partial<EndpointSettings>]>([
    ['the same', settings, {}],
    ['fewer events', settings, { events: ['run.*'] }],
    ['another description', settings, { description: 'For tickets.' }],
    ['switching off', settings, { enabled: false }],
    [
      'anything while it is off',
      { ...settings, enabled: false },
      { url: 'https://hooks.example.com/out', enabled: false },
    ],
    ['adding one that is off', null, { enabled: false }],
  ])('not by %s', (_what, before, change) => {
    expect(loosenedEndpoint(before, { ...settings, ...change })).toEqual([]);
  });
});
