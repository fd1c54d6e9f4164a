import { newId, type PersonId, type TenantId } from '#lib/kernel';
import { APPROVAL_EXPIRES_AT, EXPIRES_AT, requestIn } from '../../../../../test/support/approval-samples.js';
import { approvalFacts, excludedFacts } from './policy-inputs.js';
import { NO_CREDENTIAL, readerOf } from './reader-of.js';
import { levelOfRank, rankOfLevel } from './request-risk.js';

const [ada, ben] = [newId<PersonId>(), newId<PersonId>()];

test('policy is told of an excluded person with whom they share a vote, if they do', () => {
  expect(excludedFacts({ personId: ada, why: 'owner' })).toEqual({ person_id: ada, why: 'owner' });
  expect(excludedFacts({ personId: ada, why: 'same_hand', sharesWith: ben })).toEqual({
    person_id: ada,
    why: 'same_hand',
    shares_with: ben,
  });
});

test.each([
  ['open', EXPIRES_AT],
  ['approved', APPROVAL_EXPIRES_AT],
  ['consumed', APPROVAL_EXPIRES_AT],
  ['denied', EXPIRES_AT],
] as const)('policy is told when a request that is %s expires', (state, expires) => {
  const request = requestIn(state);
  expect(approvalFacts(request, [])).toEqual({ id: request.id, state, expires_at: expires, reviewers: [] });
});

test('a person who is only asked about holds one scope and no role', () => {
  const tenantId = newId<TenantId>();
  expect(readerOf(tenantId, ada, 'read')).toEqual({
    kind: 'person',
    tenantId,
    personId: ada,
    displayName: '',
    roles: [],
    credentialId: NO_CREDENTIAL,
    credentialKind: 'session',
    scopes: ['read'],
    signedInAt: null,
  });
});

test('a rank and its level are one, and an unknown rank is critical', () => {
  for (const [rank, level] of (['low', 'medium', 'high', 'critical'] as const).entries()) {
    expect(rankOfLevel(level)).toBe(rank);
    expect(levelOfRank(rank)).toBe(level);
  }
  expect(levelOfRank(9)).toBe('critical');
});
