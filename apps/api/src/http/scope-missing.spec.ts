import { newId, type TenantId } from '#lib/kernel';
import { sampleAgent, samplePerson } from '../../../../test/support/sample-callers.js';
import { scopeMissing } from './scope-missing.js';

const person = { ...samplePerson(newId<TenantId>()), scopes: ['read'] as const };
const agent = { ...sampleAgent(person), scopes: ['read'] as const };

describe('a credential without the scope', () => {
  it('of an agent is answered with the command by which an admin makes another token', () => {
    const { code, action, details } = scopeMissing(agent, 'submit');
    expect(code).toBe('credential.scope_missing');
    expect(details).toEqual({ required_scope: 'submit' });
    expect(action).toContain(`countersign agent-token ${agent.agentId} --scope read submit --save-token FILE`);
    expect(action).not.toContain('browser');
  });

  it.each(['review', 'audit', 'admin'] as const)('of an agent, for %s: no token of it can hold that', (scope) => {
    expect(scopeMissing(agent, scope).action).toBe('No token of an agent can hold it: ask a person to do this.');
  });

  it.each([
    ['review', 'You have no role, and a review takes one.'],
    ['audit', 'This takes the role PlatformAdmin or SecurityReviewer.'],
    ['admin', 'This takes the role PlatformAdmin.'],
  ] as const)('of a person in the browser, for %s: the missing role, and its admin', (scope, missing) => {
    const { code, message, action } = scopeMissing({ ...person, credentialKind: 'browser_session' }, scope);
    expect([code, message]).toEqual(['credential.scope_missing', missing]);
    expect(action).toBe('Ask an admin to assign it, in the settings under People and roles.');
  });

  it('of a person is answered with the advice to use the browser, which goes by their roles', () => {
    expect(scopeMissing(person, 'audit').action).toContain('In the browser');
  });
});
