import { describeReminderRepository } from './reminder-repository.contract.js';
import { fakeStores } from './fake-approval-store.js';

describeReminderRepository('in memory', fakeStores());
