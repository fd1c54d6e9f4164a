import { describeDueApprovals } from './due-approvals.contract.js';
import { fakeStores } from './fake-approval-store.js';

describeDueApprovals('in memory', fakeStores());
