import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { submitterOf, type Submitter } from '../domain/task.js';
import { storedSubmitter, submitterIn } from './submitter-columns.js';

const { agent, owner, admin } = sampleTenant();
const submitters = [agent, { ...agent, onBehalfOf: admin.personId }, owner].flatMap((principal): Submitter[] => {
  const submitter = submitterOf(principal);
  return submitter.ok ? [submitter.value] : [];
});

describe('the columns of a submitter', () => {
  it.each(submitters)('keep all of one of kind $kind', (submitter) => {
    expect(submitterIn(storedSubmitter(submitter))).toEqual(submitter);
  });

  it('hold an agent or a person', () => {
    const { credentialId } = agent;
    expect(() => submitterIn({ agentId: null, personId: null, onBehalfOf: null, credentialId })).toThrow(
      'neither an agent nor a person',
    );
  });
});
