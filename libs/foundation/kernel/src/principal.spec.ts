import { sampleTenant } from './fake-tenant.js';
import { actsInPerson } from './principal.js';

const { owner, agent, tenantId } = sampleTenant();

it('a person acts in person in a browser session and in Slack, and by no token (T55)', () => {
  const kinds = ['browser_session', 'slack_link', 'person_token', 'issuer_token'] as const;
  expect(kinds.filter((credentialKind) => actsInPerson({ ...owner, credentialKind }))).toEqual([
    'browser_session',
    'slack_link',
  ]);
});

it('an agent and the system never act in person', () => {
  expect(actsInPerson(agent)).toBe(false);
  expect(actsInPerson({ kind: 'system', tenantId, name: 'expiry' })).toBe(false);
});
