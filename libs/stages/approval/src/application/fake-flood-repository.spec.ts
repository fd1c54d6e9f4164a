import { describeFloodRepository } from './flood-repository.contract.js';
import { fakeStores } from './fake-approval-store.js';

describeFloodRepository('in memory', fakeStores());
