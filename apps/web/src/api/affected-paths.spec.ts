import { affectedBy } from './affected-paths.js';

describe('the paths that pages read again', () => {
  it.each([
    '/v1/change-requests',
    '/v1/environments',
    '/v1/slack',
    '/v1/issuers',
    '/v1/incident-settings',
    '/v1/incident-destinations',
    '/v1/webhooks',
  ] as const)('hold %s after a change that a second person decides', (path) => {
    expect(affectedBy('change_request')).toContain(path);
  });

  it('are none after an event that no page shows', () => {
    expect(affectedBy('unknown')).toEqual([]);
  });
});
