import { postgresStores } from '../../../../test/support/approval-store.js';
import { describeApprovalRepository } from '../application/approval-repository.contract.js';

describeApprovalRepository('in PostgreSQL', postgresStores());
