import { STANDARD_ROLES } from '#lib/formats';
import { unusedRole, type KnownRole } from './known-roles.js';

const known: readonly KnownRole[] = [
  ...STANDARD_ROLES.map((role) => ({ role, by: ['standard'] as const })),
  { role: 'Cashier', by: ['issuer'] },
  { role: 'SRELeed', by: ['held'] },
];

describe('a role', () => {
  it.each(['SRELead', 'Cashier'])('%s is named by something', (role) => {
    expect(unusedRole(role, known)).toBeNull();
  });

  it('that only people hold is no more known for that', () => {
    expect(unusedRole('SRELeed', known)).toBe('No document knows SRELeed; did you mean SRELead?');
    expect(unusedRole('Gardener', known)).toBe('No document knows Gardener: it lets nobody approve anything.');
  });
});
