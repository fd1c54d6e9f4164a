import type { PersonId } from '#lib/kernel';
import { people } from '../../../../../test/support/approval-samples.js';
import { decideAbsence, type ProposedAbsence } from './absence.js';

const NOW = 1_000_000;
const DAY_MS = 86_400_000;
const [ada, ben] = people(2) as [PersonId, PersonId];
const held = (...roles: string[]) => ({ personId: ada, roles: roles.map((role) => ({ role, assignedAt: 0 })) });
const wish = (more: Partial<ProposedAbsence> = {}): ProposedAbsence => ({
  delegateId: ben,
  roles: null,
  from: null,
  until: NOW + 1,
  ...more,
});
const decided = (more: Partial<ProposedAbsence>, roles = ['SRELead', 'DevOpsEngineer']) =>
  decideAbsence('absence', held(...roles), wish(more), NOW);
const codeOf = (more: Partial<ProposedAbsence>): string => {
  const result = decided(more);
  return result.ok ? 'ok' : result.error.code;
};

describe('a delegation for an absence', () => {
  it('is of all roles from now on if it names neither', () => {
    expect(decided({})).toEqual({
      ok: true,
      value: {
        id: 'absence',
        personId: ada,
        delegateId: ben,
        roles: ['DevOpsEngineer', 'SRELead'],
        from: NOW,
        until: NOW + 1,
        createdAt: NOW,
        endedAt: null,
        endedBy: null,
      },
    });
  });

  it('is of the named roles, each once', () => {
    expect(decided({ roles: ['SRELead', 'SRELead'] })).toMatchObject({ value: { roles: ['SRELead'] } });
  });

  it('is to another person', () => {
    expect(codeOf({ delegateId: ada })).toBe('absence.self');
  });

  it.each([
    [['PlatformAdmin', 'SRELead', 'Auditor'], 'You do not hold Auditor, PlatformAdmin.'],
    [[], 'You hold no role to hand over.'],
  ])('is of no role that the person does not hold: %j', (roles, message) => {
    const code = 'absence.role_not_held';
    expect(decided({ roles })).toMatchObject({ error: { code, errors: [{ pointer: '/roles', code, message }] } });
  });

  it('is of at least one role', () => {
    expect(decided({}, [])).toMatchObject({ error: { message: 'You hold no role to hand over.' } });
  });

  it.each<[Partial<ProposedAbsence>, string]>([
    [{ until: NOW }, 'absence.dates'],
    [{ from: NOW - 5, until: NOW }, 'absence.dates'],
    [{ from: NOW - 5, until: NOW + 1 }, 'ok'],
    [{ from: NOW + 5, until: NOW + 5 }, 'absence.dates'],
    [{ from: NOW + 5, until: NOW + 6 }, 'ok'],
    [{ from: NOW + 5, until: NOW + 5 + 90 * DAY_MS }, 'ok'],
    [{ from: NOW + 5, until: NOW + 6 + 90 * DAY_MS }, 'absence.dates'],
  ])('ends after it begins, in the future, within 90 days: %j is %s', (dates, code) => {
    expect(codeOf(dates)).toBe(code);
  });
});
