import { newId, type PersonId } from '#lib/kernel';
import { OPENED_AT, requestIn } from '../../../../../test/support/approval-samples.js';
import { excludedIds, rolesForReview, type Delegation } from './delegation.js';

const [ada, ben] = [newId<PersonId>(), newId<PersonId>()];
const NOW = OPENED_AT + 1_000;
const request = requestIn('open', [{ count: 1, roles: ['SRELead'] }]);
const held = (role: string, assignedAt = OPENED_AT - 1) => ({ role, assignedAt });
const delegation = (changes: Partial<Delegation> = {}): Delegation => ({
  personId: ada,
  roles: [held('SRELead')],
  madeAt: OPENED_AT - 1,
  from: OPENED_AT,
  until: NOW + 1,
  ...changes,
});
const nobody: ReadonlySet<PersonId> = new Set();
const reviewing = (own: string[], delegations: Delegation[], now = NOW, excluded = nobody): Delegation | null =>
  rolesForReview(
    request,
    own.map((role) => held(role)),
    delegations,
    now,
    excluded,
  ).delegation;

describe('the roles of a review', () => {
  it('are the own ones if these fill a slot, though others were delegated', () => {
    const own = [held('DevOpsEngineer'), held('SRELead')];
    expect(rolesForReview(request, own, [delegation()], NOW, nobody)).toEqual({ roles: own, delegation: null });
  });

  it('are the own ones if these fill one of several slots', () => {
    const two = requestIn('open');
    const both = delegation({ roles: [held('SRELead'), held('SecurityReviewer')] });
    expect(rolesForReview(two, [held('SecurityReviewer')], [both], NOW, nobody).delegation).toBeNull();
  });

  it('are delegated ones if the own roles fill no slot, or are newer than the request', () => {
    const delegated = delegation();
    expect(rolesForReview(request, [held('DevOpsEngineer')], [delegated], NOW, nobody)).toEqual({
      roles: delegated.roles,
      delegation: delegated,
    });
    const newer = [held('SRELead', OPENED_AT)];
    expect(rolesForReview(request, newer, [delegated], NOW, nobody).delegation).toBe(delegated);
  });

  it('are the own ones if no delegated role fills a slot', () => {
    const unfit = [
      delegation({ roles: [held('DevOpsEngineer')] }),
      delegation({ roles: [held('SRELead', OPENED_AT)] }),
      delegation({ roles: [] }),
    ];
    expect(reviewing([], unfit)).toBeNull();
    expect(reviewing([], [])).toBeNull();
  });

  it('are those of the first delegation that counts', () => {
    const good = delegation({ personId: ben });
    for (const changes of [
      { madeAt: OPENED_AT },
      { from: NOW + 1, until: NOW + 2 },
      { until: NOW },
    ] satisfies Partial<Delegation>[])
      expect(reviewing([], [delegation(changes), good])).toBe(good);
    expect(reviewing([], [delegation(), good], NOW, new Set([ada]))).toBe(good);
    const first = delegation({ from: NOW });
    expect(reviewing([], [first, good])).toBe(first);
  });

  it('are those of the first fitting delegation if none counts, so that policy can name the reason', () => {
    const late = delegation({ madeAt: OPENED_AT });
    const over = delegation({ until: NOW });
    expect(reviewing([], [delegation({ roles: [] }), late, over])).toBe(late);
  });

  it('fill a slot for anybody without a role', () => {
    const open = requestIn('open', [{ count: 1, roles: ['any'] }]);
    expect(rolesForReview(open, [], [delegation()], NOW, nobody)).toEqual({ roles: [], delegation: null });
  });
});

describe('the people who can never review', () => {
  const excluded = [{ personId: ada, why: 'owner' as const }];
  const { requester } = request;

  it('are the excluded ones, of then and of now, and the person who asked', () => {
    const more = [{ personId: ben, why: 'changed' as const }];
    expect(excludedIds({ excluded, requester }, more)).toEqual(new Set([ada, ben]));
    const author = newId<PersonId>();
    expect(
      excludedIds({
        excluded,
        requester: { kind: 'person', id: author, onBehalfOf: null, credentialId: requester.credentialId },
      }),
    ).toEqual(new Set([ada, author]));
    expect(excludedIds({ excluded: [], requester })).toEqual(new Set());
  });
});
