import { routerConfigFrom } from './router-config.js';

describe('the configuration of a router', () => {
  it('embeds the map in the folder of data unless a database is named', () => {
    expect(routerConfigFrom({}, '/data')).toMatchObject({ port: 8_430, map: { directory: '/data/router' } });
    const url = 'postgres://router:x@db/router';
    expect(routerConfigFrom({ COUNTERSIGN_ROUTER_DATABASE_URL: url }, '/data').map).toEqual({ url });
    const two = 'postgres://router:x@db1:5432,db2:5432/router';
    expect(routerConfigFrom({ COUNTERSIGN_ROUTER_DATABASE_URL: two }, '/data').map).toEqual({ url: two });
  });

  it('listens on this machine alone if its hosts are empty', () => {
    const empty = { COUNTERSIGN_ROUTER_HOST: '', COUNTERSIGN_METRICS_HOST: '', COUNTERSIGN_LOG_LEVEL: '' };
    expect(routerConfigFrom(empty, '/data')).toMatchObject({
      ...{ host: '127.0.0.1', metrics: { host: '127.0.0.1' }, logLevel: 'info' },
    });
  });

  it.each([
    ['COUNTERSIGN_ROUTER_DATABASE_URL', 'http://u:hunter2@h'],
    ['COUNTERSIGN_ROUTER_PORT', '70000'],
    ['COUNTERSIGN_ROUTER_ANSWER_MS', '0'],
    ['COUNTERSIGN_ROUTER_MAP_HOURS', '0'],
    ['COUNTERSIGN_ROUTER_DATABASE_URL', 'postgres://u:hunter2@db1,/router'],
    ['COUNTERSIGN_TRUSTED_PROXIES', 'proxy.example'],
    ['COUNTERSIGN_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['COUNTERSIGN_LOG_LEVEL', 'loud'],
  ])('names %s when it is wrong, and repeats no password', (name, value) => {
    const read = (): unknown => routerConfigFrom({ [name]: value }, '/data');
    expect(read).toThrow(name);
    expect(read).not.toThrow('hunter2');
  });
});
