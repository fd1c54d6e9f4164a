import type { IncidentState } from '#lib/formats';
import type { PersonId, Scope } from '#lib/kernel';
import { sampleIncident } from '../application/fake-incident.js';
import { dutyOf } from './incident-duty.js';

const [dan, ada, rita] = ['dan', 'ada', 'rita'] as unknown as readonly [PersonId, PersonId, PersonId];

const dutyIn = (
  state: IncidentState,
  personId: PersonId,
  { roles = [] as string[], scopes = ['review'] as Scope[], runEnded = true, sharesInvokersVote = false } = {},
) =>
  dutyOf(
    sampleIncident(state, { invokedBy: dan }, ada),
    { personId, roles: roles.map((role) => ({ role, assignedAt: 0 })), scopes },
    { runEnded, sharesInvokersVote },
  );

const REVIEWER = { roles: ['SecurityReviewer'] };

it.each([
  ['an open one from a SecurityReviewer', 'open', rita, REVIEWER, 'acknowledge'],
  ['an open one from an admin', 'open', ada, { roles: ['PlatformAdmin'] }, 'acknowledge'],
  [
    'an open one from a person with other roles, too',
    'open',
    rita,
    { roles: ['SRELead', 'SecurityReviewer'] },
    'acknowledge',
  ],
  ['an open one from no other role', 'open', ada, { roles: ['SRELead'] }, null],
  ['a post-mortem from the person who took it on', 'acknowledged', ada, {}, 'resolve'],
  ['a post-mortem from the invoker', 'acknowledged', dan, {}, 'resolve'],
  ['no post-mortem while the run goes on', 'acknowledged', ada, { runEnded: false }, null],
  ['no post-mortem from a reviewer who did not take it on', 'acknowledged', rita, REVIEWER, null],
  ['a review from a reviewer', 'resolved', rita, REVIEWER, 'review'],
  ['no review from the invoker', 'resolved', dan, REVIEWER, null],
  ['no review from a person who shares their vote', 'resolved', rita, { ...REVIEWER, sharesInvokersVote: true }, null],
  ['no review without a credential that reviews', 'resolved', rita, { ...REVIEWER, scopes: ['read'] as Scope[] }, null],
  ['nothing once it is reviewed', 'reviewed', rita, REVIEWER, null],
] as const)('asks for %s', (_what, state, person, facts, duty) => {
  const { roles, scopes, ...rest } = { roles: undefined, scopes: undefined, ...facts };
  expect(
    dutyIn(state, person, {
      ...(roles === undefined ? {} : { roles: [...roles] }),
      ...(scopes === undefined ? {} : { scopes }),
      ...rest,
    }),
  ).toBe(duty);
});
