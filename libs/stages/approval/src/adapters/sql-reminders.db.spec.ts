import { postgresStores } from '../../../../../test/support/approval-store.js';
import { describeReminderRepository } from '../application/reminder-repository.contract.js';

describeReminderRepository('in PostgreSQL', postgresStores());
