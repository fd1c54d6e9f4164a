import { workerConfigFrom } from './worker-config.js';

const published = (text: string): string | null =>
  workerConfigFrom({ COUNTERSIGN_CHECKPOINT_URL: text }, '.').checkpointUrl;

describe('COUNTERSIGN_CHECKPOINT_URL', () => {
  it('is an https address, or none', () => {
    expect(published('https://log.example/put')).toBe('https://log.example/put');
    expect(published('')).toBeNull();
  });

  it.each(['http://log.example', 'log.example', 'https://'])('refuses to start with %s', (wrong) => {
    expect(() => published(wrong)).toThrow('start.wrong_setting: COUNTERSIGN_CHECKPOINT_URL');
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
