import { newId, type ApprovalRequestId, type PersonId } from '#lib/kernel';
import { reviewBy } from '../../../../../test/support/approval-samples.js';
import { changesAskedOf, neighboursOf, type RequestOfTask } from './task-history.js';

const id = (text: string): ApprovalRequestId => text as ApprovalRequestId;
const request = (name: string, state: RequestOfTask['state'], openedAt: number): RequestOfTask => ({
  id: id(name),
  planId: 'plan' as RequestOfTask['planId'],
  revision: openedAt,
  state,
  openedAt,
});
const around = (all: readonly RequestOfTask[], name: string): unknown[] => {
  const { replaces, replacedBy } = neighboursOf(all, id(name));
  return [replaces?.id ?? null, replacedBy?.id ?? null];
};

test('the changes that people asked for are told with the revision that they asked of', () => {
  const ada = newId<PersonId>();
  const asked = reviewBy(ada, 'request_changes');
  const all = [request('first', 'changes_requested', 1), request('second', 'open', 2), request('third', 'open', 3)];
  const reviews = new Map([
    [id('first'), [reviewBy(ada, 'approve'), asked]],
    [id('second'), [reviewBy(ada, 'reject')]],
  ]);
  expect(changesAskedOf(all, reviews)).toEqual([
    {
      requestId: 'first',
      planId: 'plan',
      revision: 1,
      personId: ada,
      comment: asked.comment,
      at: asked.createdAt,
    },
  ]);
});

describe('requests of one task', () => {
  it.each(['denied', 'changes_requested', 'expired', 'voided'] as const)(
    'lead from one that was %s to the next, and back',
    (state) => {
      const all = [request('first', state, 1), request('second', 'open', 2)];
      expect(around(all, 'first')).toEqual([null, 'second']);
      expect(around(all, 'second')).toEqual(['first', null]);
    },
  );

  it.each(['open', 'approved', 'consumed'] as const)(
    'lead nowhere from one that is %s: a canary served its run',
    (state) => {
      const all = [request('canary', state, 1), request('rest', 'open', 2)];
      expect(around(all, 'canary')).toEqual([null, null]);
      expect(around(all, 'rest')).toEqual([null, null]);
    },
  );

  it('lead nowhere from the last, or from one of another task', () => {
    const all = [request('only', 'voided', 1)];
    expect(around(all, 'only')).toEqual([null, null]);
    expect(around(all, 'another')).toEqual([null, null]);
  });
});
