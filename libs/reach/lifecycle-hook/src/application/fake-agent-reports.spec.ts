import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeAgentReports } from './agent-reports.contract.js';
import { FakeAgentReports } from './fake-agent-reports.js';

describeAgentReports('FakeAgentReports', () => {
  const world = fakeWorld();
  const minutePasses = () => Promise.resolve(void (world.uow.now += 60_000));
  return Promise.resolve({ world, reports: new FakeAgentReports(world.uow), minutePasses });
});
