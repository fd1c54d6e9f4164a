import type { Principal } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { requireAdmin } from './require-admin.js';

const { admin, owner, agent, tenantId } = sampleTenant();

it('a person with the role and the scope may change guardrails', () => {
  const principal: Principal = { ...admin, scopes: ['admin'] };
  expect(requireAdmin(principal)).toEqual({ ok: true, value: principal });
});

it.each<[string, Principal, string]>([
  ['an agent', { ...agent, scopes: ['admin'] }, 'credential.person_required'],
  ['the system', { kind: 'system', tenantId, name: 'worker' }, 'credential.person_required'],
  [
    'an admin with a credential without the scope',
    { ...admin, scopes: ['read', 'submit'] },
    'credential.scope_missing',
  ],
  ['a person without the role', { ...owner, scopes: ['admin'] }, 'identity.role_required'],
])('%s may not', (_who, principal, code) => {
  expect(requireAdmin(principal)).toMatchObject({ ok: false, error: { kind: 'forbidden', code } });
});
