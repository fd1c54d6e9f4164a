import { postgresStores } from '../../../../../test/support/approval-store.js';
import { describePeople } from '../application/people.contract.js';

describePeople('in PostgreSQL', postgresStores());
