import { describeCallCounts } from './tool-call-counts.contract.js';
import { describeCallLocks } from './tool-call-locks.contract.js';
import { describeCallNames } from './tool-call-names.contract.js';
import { describeCallStates } from './tool-call-states.contract.js';
import { CallStore, type ToolCallsOpened } from './tool-call-store.contract.js';

/** The contract of a repository of calls. */
export function describeToolCallRepository(name: string, open: () => Promise<ToolCallsOpened>): void {
  describe(`${name} keeps the contract of ToolCallRepository`, () => {
    let store: CallStore;
    beforeAll(async () => {
      const opened = await open();
      store = new CallStore(opened, await opened.newDecision());
    });
    afterAll(() => store.world.close());
    const opened = (): CallStore => store;

    describeCallStates(opened);
    describeCallCounts(opened);
    describeCallNames(opened);
    describeCallLocks(opened);
  });
}
