import { workerConfigFrom } from './worker-config.js';

const published = (text: string): string | null =>
  workerConfigFrom({ COUNTERSIGN_CHECKPOINT_URL: text }, '.').checkpointUrl;

describe('COUNTERSIGN_CHECKPOINT_URL', () => {
  it('is an https address, or none', () => {
    expect(published('https://log.example/put')).toBe('https://log.example/put');
    expect(published('')).toBeNull();
  });

  it.each([
    ...['http://log.example', 'log.example', 'https://'],
    ...['https://u:hunter2@log.example', 'https://log.example/?t=1', 'https://log.example/#a'],
  ])('refuses to start with %s', (wrong) => {
    expect(() => published(wrong)).toThrow('start.wrong_setting: COUNTERSIGN_CHECKPOINT_URL');
    expect(() => published(wrong)).not.toThrow('hunter2');
  });
});

describe('COUNTERSIGN_OCSF_FILE', () => {
  it('is an absolute path, or none', () => {
    const fileOf = (text: string) => workerConfigFrom({ COUNTERSIGN_OCSF_FILE: text }, '.').ocsfFile;
    expect([fileOf('/var/log/countersign/ocsf.ndjson'), fileOf('')]).toEqual([
      '/var/log/countersign/ocsf.ndjson',
      null,
    ]);
    expect(() => fileOf('ocsf.ndjson')).toThrow('start.wrong_setting: COUNTERSIGN_OCSF_FILE');
  });
});

describe('COUNTERSIGN_CHECKPOINT_DIRECTORY', () => {
  it('is an absolute path, or none', () => {
    const destinationsOf = (text: string) => workerConfigFrom({ COUNTERSIGN_CHECKPOINT_DIRECTORY: text }, '.');
    expect(destinationsOf('/mnt/log')).toMatchObject({ checkpointDirectory: '/mnt/log', checkpointsElsewhere: true });
    expect(destinationsOf('')).toMatchObject({ checkpointDirectory: null, checkpointsElsewhere: false });
    expect(() => destinationsOf('log')).toThrow('start.wrong_setting: COUNTERSIGN_CHECKPOINT_DIRECTORY');
  });
});

it('listens on this machine alone if its host is empty', () => {
  expect(workerConfigFrom({ COUNTERSIGN_WORKER_HOST: '' }, '.').host).toBe('127.0.0.1');
});
