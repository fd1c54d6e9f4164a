import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionFrom, requireAddress } from './connection.js';

describe('the address of Countersign', () => {
  it.each([
    ['http://127.0.0.1:8420', {}],
    ['http://127.0.0.1:8421', { COUNTERSIGN_PORT: '8421' }],
    // Any port, and a setting that is left empty.
    ['http://127.0.0.1:8420', { COUNTERSIGN_PORT: '0' }],
    ['http://127.0.0.1:8420', { COUNTERSIGN_PORT: '' }],
    ['http://127.0.0.1:8421', { COUNTERSIGN_PORT: '8421', COUNTERSIGN_URL: '' }],
    ['http://127.0.0.1:8420', { COUNTERSIGN_TOKEN: '', COUNTERSIGN_TOKEN_FILE: '' }],
    ['https://eu1.example', { COUNTERSIGN_PORT: '8421', COUNTERSIGN_URL: 'https://eu1.example' }],
  ])('is %s with the settings %j', (baseUrl, environment) => {
    expect(connectionFrom({}, environment)).toEqual({ baseUrl, token: null, allowPlainHttp: false });
  });

  it('is an option before any setting', () => {
    const environment = { COUNTERSIGN_URL: 'https://eu1.example', COUNTERSIGN_PORT: '8421' };
    expect(connectionFrom({ url: 'https://eu2.example' }, environment).baseUrl).toBe('https://eu2.example');
  });

  it('is no http address of another machine, unless the operator calls the network private', () => {
    const environment = { COUNTERSIGN_URL: 'http://eu1.example:8420' };
    expect(() => requireAddress(connectionFrom({}, environment))).toThrow(
      expect.objectContaining({
        code: 'connection.plain_http',
        action: expect.stringContaining('COUNTERSIGN_ALLOW_PLAIN_HTTP=1') as string,
      }),
    );
    const allowed = connectionFrom({}, { ...environment, COUNTERSIGN_ALLOW_PLAIN_HTTP: '1' });
    expect(requireAddress(allowed)).toEqual({ baseUrl: 'http://eu1.example:8420', allowPlainHttp: true });
  });
});

it('reads the token from its file if COUNTERSIGN_TOKEN is empty', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-connection-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'cs_p_kept\n');
  const environment = { COUNTERSIGN_TOKEN: '', COUNTERSIGN_TOKEN_FILE: file };
  expect(connectionFrom({}, environment).token).toBe('cs_p_kept');
  rmSync(folder, { recursive: true });
});
