import { newId, type AgentId, type CredentialId, type PersonId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import { people } from '../../../../test/support/approval-samples.js';
import { excludedPeople, withEnrollers } from './excluded-people.js';

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

describe('excludedPeople', () => {
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

  it('holds whoever made one of them their way in, unless they are in it for more', () => {
    const submitted = [{ personId: ada, why: 'submitter' as const }];
    expect(withEnrollers(submitted, [ada, ben])).toEqual([...submitted, { personId: ben, why: 'enroller' }]);
  });

  it('excludes nobody else', () => {
    const alone = { task: person(ada), plan: person(ada), requester: person(ada), otherRevisions: [] };
    expect(excludedPeople(alone, answerable)).toEqual([{ personId: ada, why: 'submitter' }]);
  });
});
