import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { loadPolicyBundle } from '../adapters/load-policy-bundle.js';
import { describeDecisionLog } from './decision-log.contract.js';
import { FakeDecisionLog } from './fake-decision-log.js';

describeDecisionLog('FakeDecisionLog', loadPolicyBundle(), () =>
  Promise.resolve({ world: fakeWorld(), log: new FakeDecisionLog() }),
);
