import { TestEnvironment } from 'jest-environment-node';

/** Called with the loaded tests; Jest waits for its promise before it runs them. */
let onLoaded = () => Promise.resolve();

export const holdLoadedTests = (hold) => {
  onLoaded = hold;
};

/** Hands the tests over once they are loaded, and keeps their modules until the holder lets go. */
export default class HeldEnvironment extends TestEnvironment {
  async handleTestEvent(event, state) {
    if (event.name !== 'run_start') return;
    const { rootDescribeBlock } = state;
    await onLoaded({ root: rootDescribeBlock, globals: this.global, context: this.getVmContext() });
    rootDescribeBlock.children.length = 0;
  }
}
