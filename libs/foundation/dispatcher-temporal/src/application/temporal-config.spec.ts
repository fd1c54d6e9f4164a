import { temporalConfigFrom } from './temporal-config.js';

const TEMPORAL = { COUNTERSIGN_DISPATCHER: 'temporal', COUNTERSIGN_TEMPORAL_ADDRESS: 'temporal.example:7233' };

describe('the settings of the dispatcher', () => {
  it.each([{}, { COUNTERSIGN_DISPATCHER: '' }, { ...TEMPORAL, COUNTERSIGN_DISPATCHER: 'embedded' }])(
    'choose the embedded one by %j',
    (environment) => {
      expect(temporalConfigFrom(environment)).toBeNull();
    },
  );

  it('choose Temporal, in the clear, with a queue of the installation in the default namespace', () => {
    expect(temporalConfigFrom(TEMPORAL)).toEqual({
      address: 'temporal.example:7233',
      namespace: 'default',
      taskQueue: null,
      weights: new Map(),
      tls: null,
      apiKey: null,
    });
  });

  it('name the namespace, the queue and the shares of tenants', () => {
    const config = temporalConfigFrom({
      ...TEMPORAL,
      COUNTERSIGN_TEMPORAL_NAMESPACE: 'countersign.prod',
      COUNTERSIGN_TEMPORAL_TASK_QUEUE: 'runs-eu',
      COUNTERSIGN_TEMPORAL_WEIGHTS: 'acme=3, globex=0.5,',
    });
    expect(config).toMatchObject({
      namespace: 'countersign.prod',
      taskQueue: 'runs-eu',
      weights: new Map([
        ['acme', 3],
        ['globex', 0.5],
      ]),
    });
  });

  it('take TLS by the files of both sides, by a bare 1, and for an API key by itself', () => {
    const tlsOf = (settings: Readonly<Record<string, string>>) => temporalConfigFrom({ ...TEMPORAL, ...settings })?.tls;
    expect(
      tlsOf({
        COUNTERSIGN_TEMPORAL_TLS_CA: '/etc/ca.pem',
        COUNTERSIGN_TEMPORAL_TLS_CERT: '/etc/cert.pem',
        COUNTERSIGN_TEMPORAL_TLS_KEY: '/etc/key.pem',
        COUNTERSIGN_TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
      }),
    ).toEqual({
      caFile: '/etc/ca.pem',
      client: { certFile: '/etc/cert.pem', keyFile: '/etc/key.pem' },
      serverName: 'temporal.internal',
    });
    const bare = { caFile: null, client: null, serverName: null };
    expect([tlsOf({ COUNTERSIGN_TEMPORAL_TLS: '1' }), tlsOf({ COUNTERSIGN_TEMPORAL_API_KEY: 'k' })]).toEqual([
      bare,
      bare,
    ]);
  });

  it.each([
    ['COUNTERSIGN_DISPATCHER', { COUNTERSIGN_DISPATCHER: 'Temporal' }],
    ['COUNTERSIGN_TEMPORAL_ADDRESS', { COUNTERSIGN_TEMPORAL_ADDRESS: '' }],
    ['COUNTERSIGN_TEMPORAL_ADDRESS', { COUNTERSIGN_TEMPORAL_ADDRESS: 'https://temporal.example' }],
    ['COUNTERSIGN_TEMPORAL_NAMESPACE', { COUNTERSIGN_TEMPORAL_NAMESPACE: 'a b' }],
    ['COUNTERSIGN_TEMPORAL_TASK_QUEUE', { COUNTERSIGN_TEMPORAL_TASK_QUEUE: '-x' }],
    ['COUNTERSIGN_TEMPORAL_WEIGHTS', { COUNTERSIGN_TEMPORAL_WEIGHTS: 'acme=0' }],
    ['COUNTERSIGN_TEMPORAL_WEIGHTS', { COUNTERSIGN_TEMPORAL_WEIGHTS: 'acme' }],
    ['COUNTERSIGN_TEMPORAL_TLS', { COUNTERSIGN_TEMPORAL_TLS: 'yes' }],
    ['COUNTERSIGN_TEMPORAL_TLS', { COUNTERSIGN_TEMPORAL_TLS: '0', COUNTERSIGN_TEMPORAL_API_KEY: 'k' }],
    ['COUNTERSIGN_TEMPORAL_TLS_CERT', { COUNTERSIGN_TEMPORAL_TLS_KEY: '/etc/key.pem' }],
  ])('refuse a wrong %s', (setting, settings) => {
    expect(() => temporalConfigFrom({ ...TEMPORAL, ...settings })).toThrow(`start.wrong_setting: ${setting}`);
  });
});
