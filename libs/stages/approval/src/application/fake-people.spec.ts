import { describePeople } from './people.contract.js';
import { fakeStores } from './fake-approval-store.js';

describePeople('in memory', fakeStores());
