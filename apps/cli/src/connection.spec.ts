import { connectionFrom } from './connection.js';

describe('the address of Countersign', () => {
  it.each([
    ['http://127.0.0.1:8420', {}],
    ['http://127.0.0.1:8421', { COUNTERSIGN_PORT: '8421' }],
    // Any port, and a setting that is left empty.
    ['http://127.0.0.1:8420', { COUNTERSIGN_PORT: '0' }],
    ['http://127.0.0.1:8420', { COUNTERSIGN_PORT: '' }],
    ['https://eu1.example', { COUNTERSIGN_PORT: '8421', COUNTERSIGN_URL: 'https://eu1.example' }],
  ])('is %s with the settings %j', (baseUrl, environment) => {
    expect(connectionFrom({}, environment)).toEqual({ baseUrl, token: null });
  });

  it('is an option before any setting', () => {
    const environment = { COUNTERSIGN_URL: 'https://eu1.example', COUNTERSIGN_PORT: '8421' };
    expect(connectionFrom({ url: 'https://eu2.example' }, environment).baseUrl).toBe('https://eu2.example');
  });
});
