import { describeClaimRepository } from './claim-repository.contract.js';
import { fakeStores } from './fake-approval-store.js';

describeClaimRepository('in memory', fakeStores());
