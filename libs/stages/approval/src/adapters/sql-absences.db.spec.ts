import { postgresStores } from '../../../../../test/support/approval-store.js';
import { describeAbsenceRepository } from '../application/absence-repository.contract.js';

describeAbsenceRepository('in PostgreSQL', postgresStores());
