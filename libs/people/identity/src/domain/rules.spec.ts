import { SCOPES, type PersonId, type Scope } from '#lib/kernel';
import { decideStanding, type CredentialStanding } from './credential.js';
import { expiryAfter } from './lifetime.js';
import { countingRoles, decideAssignment, requireAdminLeft, type Person } from './person.js';
import { AGENT_SCOPES, requireWithin, scopesOpenTo } from './scopes.js';

const DAY_MS = 86_400_000;
const [ann, bob] = ['ann' as PersonId, 'bob' as PersonId];
const person: Person = {
  id: ann,
  email: 'ann@example.com',
  displayName: 'Ann',
  createdAt: 0,
  disabledAt: null,
  cameInAt: null,
  nameNote: null,
  enrolledAt: 10,
  roles: [{ role: 'SRELead', assignedAt: 5, assignedBy: bob, assignedByIssuer: null }],
};
const outcome = (result: { ok: true } | { ok: false; error: { code: string } }): string =>
  result.ok ? 'ok' : result.error.code;

describe('the scopes of a role', () => {
  it.each<[string[], Scope[]]>([
    [[], ['read', 'submit', 'run', 'halt']],
    [['OnCall'], ['read', 'submit', 'run', 'review', 'halt']],
    [['SecurityReviewer'], ['read', 'submit', 'run', 'review', 'halt', 'audit']],
    [['PlatformAdmin'], [...SCOPES]],
  ])('%j', (roles, scopes) => {
    expect(scopesOpenTo(roles)).toEqual(scopes);
  });

  it('never include review, audit or admin for an agent', () => {
    for (const scope of SCOPES) {
      expect(outcome(requireWithin([scope], AGENT_SCOPES, 'x'))).toBe(
        ['review', 'audit', 'admin'].includes(scope) ? 'credential.scope_not_allowed' : 'ok',
      );
    }
  });
});

it.each<[Scope[], string]>([
  [['admin'], 'The scope "admin" is not given out here, because no.'],
  [['audit', 'admin'], 'The scopes "audit" and "admin" are not given out here, because no.'],
  [['review', 'audit', 'admin'], 'The scopes "review", "audit" and "admin" are not given out here, because no.'],
])('scopes that are refused are named: %j', (wanted, message) => {
  expect(requireWithin(wanted, AGENT_SCOPES, 'no')).toMatchObject({ ok: false, error: { message } });
});

describe('the assignment of a role', () => {
  it.each<[string, PersonId, Partial<Person>, string, string]>([
    ['by somebody else', bob, {}, 'DevOpsEngineer', 'ok'],
    ['by oneself', ann, {}, 'DevOpsEngineer', 'identity.self_assignment'],
    ['held already', bob, {}, 'SRELead', 'identity.role_held'],
    ['to somebody disabled', bob, { disabledAt: 7 }, 'DevOpsEngineer', 'identity.person_disabled'],
    ['called any', bob, {}, 'any', 'identity.role_name'],
    ['called Any', bob, {}, 'Any', 'identity.role_name'],
    ['of no name', bob, {}, '', 'identity.role_name'],
    ['of a name with a space', bob, {}, 'SRE Lead', 'identity.role_name'],
  ])('%s', (_what, author, change, role, expected) => {
    expect(outcome(decideAssignment(author, { ...person, ...change }, role))).toBe(expected);
  });

  it('counts from a later enrolment of its holder on', () => {
    expect(countingRoles(person.roles, person.enrolledAt)).toEqual([{ role: 'SRELead', assignedAt: 10 }]);
    expect(countingRoles(person.roles, null)).toEqual([{ role: 'SRELead', assignedAt: 5 }]);
    expect(countingRoles([{ role: 'SRELead', assignedAt: 20 }], 10)).toEqual([{ role: 'SRELead', assignedAt: 20 }]);
  });

  it('keeps the last admin', () => {
    expect(outcome(requireAdminLeft([ann], ann))).toBe('identity.last_admin');
    expect(outcome(requireAdminLeft([ann, bob], ann))).toBe('ok');
    expect(outcome(requireAdminLeft([bob], ann))).toBe('ok');
  });
});

describe('the state of a credential', () => {
  const good: CredentialStanding = {
    now: 100,
    expiresAt: 101,
    revokedAt: null,
    idleUntil: null,
    holderDisabled: false,
    outsideIssuers: false,
    backerDisabled: false,
  };
  it.each<[string, Partial<CredentialStanding>, string]>([
    ['until it expires', {}, 'ok'],
    ['not from that moment on', { now: 101 }, 'credential.expired'],
    ['not once it is revoked, even if it has expired too', { now: 200, revokedAt: 50 }, 'credential.revoked'],
    ['not once it has rested too long', { idleUntil: 100 }, 'browser_session.idle'],
    ['not while its holder is disabled', { holderDisabled: true }, 'credential.holder_disabled'],
    ['not from outside the only way in', { outsideIssuers: true }, 'sign_in.issuer_only'],
    ['not while the person behind it is', { backerDisabled: true }, 'credential.backer_disabled'],
  ])('%s', (_what, change, expected) => {
    expect(outcome(decideStanding({ ...good, ...change }))).toBe(expected);
  });

  it.each<[string, Partial<CredentialStanding>]>([
    ['was ended', { revokedAt: 50 }],
    ['is over', { now: 101 }],
    ['was idle for too long', { idleUntil: 100 }],
  ])('tells people whose browser session %s that they were signed out', (_what, change) => {
    const decided = decideStanding({ ...good, idleUntil: 200, ...change });
    expect(decided).toMatchObject({
      error: { message: expect.stringMatching(/^You were signed out/), action: 'Sign in again.' },
    });
  });
});

describe('the lifetime of a credential', () => {
  it.each<['token' | 'delegation', number | undefined, number | string]>([
    ['token', undefined, 90],
    ['token', 365, 365],
    ['token', 366, 'credential.lifetime'],
    ['token', 0, 'credential.lifetime'],
    ['token', 1.5, 'credential.lifetime'],
    ['delegation', undefined, 30],
    ['delegation', 31, 'credential.lifetime'],
  ])('a %s for %p days', (kind, days, expected) => {
    const result = expiryAfter(1_000, kind, days);
    expect(result.ok ? (result.value - 1_000) / DAY_MS : result.error.code).toBe(expected);
  });
});
