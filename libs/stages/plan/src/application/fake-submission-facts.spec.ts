import { FakePlanRecords } from './fake-plan-records.js';
import { FakeSubmissionFacts } from './fake-submission-facts.js';
import { describeSubmissionFacts } from './submission-facts.contract.js';

describeSubmissionFacts('FakeSubmissionFacts', () => {
  const records = new FakePlanRecords();
  return Promise.resolve(Object.assign(records, { facts: new FakeSubmissionFacts(records) }));
});
