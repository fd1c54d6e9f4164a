import { describeApprovalRepository } from './approval-repository.contract.js';
import { fakeStores } from './fake-approval-store.js';

describeApprovalRepository('in memory', fakeStores());
