import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { submitterOf, type Submitter } from '../domain/task.js';
import { storedSubmitter, submitterFromColumns, submitterIn } from './submitter-columns.js';

const { agent, owner, admin } = sampleTenant();
const submitters = [agent, { ...agent, onBehalfOf: admin.personId }, owner].flatMap((principal): Submitter[] => {
  const submitter = submitterOf(principal);
  return submitter.ok ? [submitter.value] : [];
});

describe('the columns of a submitter', () => {
  it.each(submitters)('keep all of one of kind $kind', (submitter) => {
    const stored = storedSubmitter(submitter);
    expect(submitterIn(stored)).toEqual(submitter);
    expect(
      submitterFromColumns({
        agent_id: stored.agentId,
        person_id: stored.personId,
        on_behalf_of: stored.onBehalfOf,
        credential_id: stored.credentialId,
      }),
    ).toEqual(submitter);
  });

  it('hold an agent or a person', () => {
    const { credentialId } = agent;
    expect(() => submitterIn({ agentId: null, personId: null, onBehalfOf: null, credentialId })).toThrow(
      'neither an agent nor a person',
    );
  });
});
