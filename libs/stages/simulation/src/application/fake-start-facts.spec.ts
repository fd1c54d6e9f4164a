import { type DecisionId, newId } from '#lib/kernel';
import { FakePlanRecords } from '../../../plan/src/application/fake-plan-records.js';
import { FakeSimulationRepository } from './fake-simulation.repository.js';
import { FakeStartFacts } from './fake-start-facts.js';
import { describeStartFacts } from './start-facts.contract.js';

describeStartFacts('FakeStartFacts', () => {
  const records = new FakePlanRecords();
  const sources = Object.assign(records, { simulations: new FakeSimulationRepository(records.uow) });
  const newDecision = () => Promise.resolve(newId<DecisionId>());
  return Promise.resolve(Object.assign(sources, { facts: new FakeStartFacts(sources), newDecision }));
});
