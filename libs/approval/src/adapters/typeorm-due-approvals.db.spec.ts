import { postgresStores } from '../../../../test/support/approval-store.js';
import { describeDueApprovals } from '../application/due-approvals.contract.js';

describeDueApprovals('in PostgreSQL', postgresStores());
