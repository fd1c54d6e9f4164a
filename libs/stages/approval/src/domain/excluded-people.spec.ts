import { newId, type AgentId, type CredentialId, type PersonId, type SessionId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import { people } from '../../../../../test/support/approval-samples.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleCall, type CallOptions } from '../application/fake-call.js';
import { sampleSubject } from '../application/fake-subject.js';
import {
  agentsIn,
  excludedBy,
  excludedFromCall,
  excludedPeople,
  withEnrollers,
  withSameEnroller,
} from './excluded-people.js';

const [ada, ben, cyd, dov] = people(4) as [PersonId, PersonId, PersonId, PersonId];
const bot = newId<AgentId>();
const credentialId = newId<CredentialId>();
const person = (id: PersonId): Submitter => ({ kind: 'person', id, onBehalfOf: null, credentialId });
const agent = (id: AgentId, onBehalfOf: PersonId | null = null): Submitter => ({
  kind: 'agent',
  id,
  onBehalfOf,
  credentialId,
});
const answerable = new Map([[bot, [dov]]]);

describe('the exclusion from a request', () => {
  it('holds the owner and the person acted for, at the task as at the plan', () => {
    const authorship = { task: agent(bot, ada), plan: agent(bot), requester: agent(bot), otherRevisions: [] };
    expect(excludedPeople(authorship, answerable)).toEqual([
      { personId: ada, why: 'on_behalf_of' },
      { personId: dov, why: 'owner' },
    ]);
  });

  it('holds everybody who submitted or changed it, once, with the weightiest reason', () => {
    const authorship = {
      task: person(ada),
      plan: person(ben),
      requester: agent(bot, ben),
      otherRevisions: [person(cyd), person(ada), agent(bot, cyd)],
    };
    expect(excludedPeople(authorship, answerable)).toEqual([
      { personId: ben, why: 'submitter' },
      { personId: ada, why: 'submitter' },
      { personId: cyd, why: 'changed' },
      { personId: dov, why: 'owner' },
    ]);
  });

  it('holds the hand of an excluded person, and all people that this hand let in (T39)', () => {
    const votes = new Map([
      [ada, { sharedWith: [ben] }],
      [cyd, { sharedWith: [ben] }],
      [dov, { sharedWith: [] }],
    ]);
    const withBen = withEnrollers([{ personId: ada, why: 'submitter' }], votes);
    expect(withBen).toEqual([
      { personId: ada, why: 'submitter' },
      { personId: ben, why: 'same_hand', sharesWith: ada },
    ]);
    expect(withSameEnroller(withBen, [cyd, dov], votes)).toEqual([
      ...withBen,
      { personId: cyd, why: 'same_hand', sharesWith: ada },
    ]);
  });

  it('holds all people that an excluded person let in (T39)', () => {
    const owner = [{ personId: ben, why: 'owner' as const }];
    expect(withSameEnroller(owner, [cyd], new Map([[cyd, { sharedWith: [ben] }]]))).toEqual([
      ...owner,
      { personId: cyd, why: 'same_hand', sharesWith: ben },
    ]);
  });

  it('holds each excluded person, though their seats are unknown', () => {
    const owner = [{ personId: ben, why: 'owner' as const }];
    expect(withEnrollers(owner, new Map())).toEqual(owner);
    expect(withSameEnroller(owner, [cyd], new Map())).toEqual(owner);
    const authorship = { task: agent(bot), plan: agent(bot), requester: agent(bot), otherRevisions: [] };
    expect(excludedPeople(authorship, new Map())).toEqual([]);
  });

  it('looks up the people behind agents alone, each agent once', () => {
    expect(agentsIn([person(ada), agent(bot), agent(bot, ben)])).toEqual([bot]);
  });

  it('excludes no other person', () => {
    const alone = { task: person(ada), plan: person(ada), requester: person(ada), otherRevisions: [] };
    expect(excludedPeople(alone, answerable)).toEqual([{ personId: ada, why: 'submitter' }]);
  });
});

describe('the exclusion by a subject', () => {
  const tenant = sampleTenant();
  const { personId: owner } = tenant.owner;

  it('holds everybody behind a plan, its request included', () => {
    const subject = { ...sampleSubject(tenant, 0), otherRevisions: [person(cyd)] };
    expect(excludedBy(subject, person(ada))).toEqual([
      { personId: ada, why: 'submitter' },
      { personId: cyd, why: 'changed' },
      { personId: owner, why: 'owner' },
    ]);
  });

  it('holds the person who made a call', () => {
    const subject = sampleCall(tenant, { revisionId: null, facts: null }, 0);
    const made = { ...subject, call: { ...subject.call, submitter: person(ada) }, answerable: [] };
    expect(excludedBy(made, person(ben))).toEqual([{ personId: ada, why: 'submitter' }]);
  });
});

describe('the exclusion from a call', () => {
  const sessionId = newId<SessionId>();
  const tenant = sampleTenant();
  const { personId: owner } = tenant.owner;
  const excluded = (wish: CallOptions, onBehalfOf: PersonId | null = null) => {
    const subject = sampleCall(tenant, { revisionId: null, facts: null }, 0, wish);
    const { call, answerable: behind } = subject;
    return excludedFromCall({
      ...subject,
      call: { ...call, submitter: { ...call.submitter, onBehalfOf } as typeof call.submitter },
      answerable: [...behind, dov],
    }).map(({ personId, why }) => [personId, why]);
  };

  it("T03: lets the owner of the agent answer for its session's call outside production, and no other person behind it", () => {
    expect(excluded({ sessionId })).toEqual([[dov, 'owner']]);
    expect(excluded({ sessionId }, owner)).toEqual([[dov, 'owner']]);
    expect(excluded({ sessionId, environment: 'production' })).toEqual([
      [owner, 'owner'],
      [dov, 'owner'],
    ]);
  });

  it('T03: holds the owner if the call is outside a session', () => {
    expect(excluded({})).toEqual([
      [owner, 'owner'],
      [dov, 'owner'],
    ]);
  });

  it('T03: holds the issuer of a delegation, also in a session', () => {
    expect(excluded({ sessionId }, ada)).toEqual([
      [ada, 'on_behalf_of'],
      [dov, 'owner'],
    ]);
  });
});
