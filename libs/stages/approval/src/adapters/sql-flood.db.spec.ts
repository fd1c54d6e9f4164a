import { postgresStores } from '../../../../../test/support/approval-store.js';
import { describeFloodRepository } from '../application/flood-repository.contract.js';

describeFloodRepository('in PostgreSQL', postgresStores());
