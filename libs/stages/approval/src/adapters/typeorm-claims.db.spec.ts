import { postgresStores } from '../../../../../test/support/approval-store.js';
import { describeClaimRepository } from '../application/claim-repository.contract.js';

describeClaimRepository('in PostgreSQL', postgresStores());
