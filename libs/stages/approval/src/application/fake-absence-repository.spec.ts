import { describeAbsenceRepository } from './absence-repository.contract.js';
import { fakeStores } from './fake-approval-store.js';

describeAbsenceRepository('in memory', fakeStores());
