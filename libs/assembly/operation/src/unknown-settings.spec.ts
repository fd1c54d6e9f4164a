import { unknownSettings } from './unknown-settings.js';

it('names a misspelt setting with the one that was probably meant, and never its value', () => {
  expect(unknownSettings({ COUNTERSIGN_TRUSTED_PROXY: 'hunter2', COUNTERSIGN_PORT: '8420', PATH: '/bin' })).toEqual([
    'COUNTERSIGN_TRUSTED_PROXY is not a setting of Countersign, and has no effect. Did you mean COUNTERSIGN_TRUSTED_PROXIES? (start.unknown_setting)',
  ]);
  expect(unknownSettings({ COUNTERSIGN_FAVOURITE_COLOUR_OF_ALL: 'x' })).toEqual([
    'COUNTERSIGN_FAVOURITE_COLOUR_OF_ALL is not a setting of Countersign, and has no effect. (start.unknown_setting)',
  ]);
});

it.each(['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT_8420_TCP', 'PORT_8420_TCP_ADDR'])(
  'leaves out COUNTERSIGN_%s, which Kubernetes adds',
  (name) => {
    expect(unknownSettings({ [`COUNTERSIGN_${name}`]: 'x' })).toEqual([]);
  },
);

it.each(['tcp://10.0.0.5:8420', 'udp://10.0.0.5:8420'])('leaves out the port that Kubernetes adds as %s', (value) => {
  expect(unknownSettings({ COUNTERSIGN_API_PORT: value })).toEqual([]);
});

it.each(['8421', undefined])('names a port that is misspelt, with the value %s', (value) => {
  expect(unknownSettings({ COUNTERSIGN_METRIC_PORT: value })).toEqual([
    expect.stringContaining('Did you mean COUNTERSIGN_METRICS_PORT?'),
  ]);
});
