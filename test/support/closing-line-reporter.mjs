/**
 * Ends a run with one plain line, `N passed, N failed, N skipped`, after the tests that were skipped. Each says in its
 * name what it lacks. With COUNTERSIGN_NO_SKIPS=1, as CI has it, a skipped test fails the run.
 */
export default class ClosingLineReporter {
  #skipped = 0;

  onRunComplete(_contexts, results) {
    this.#skipped = results.numPendingTests + results.numTodoTests;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    if (this.#skipped > 0) {
      const names = results.testResults.flatMap(({ testResults }) =>
        testResults
          .filter(({ status }) => status === 'pending' || status === 'todo')
          .map(({ fullName }) => `  ${fullName}`),
      );
      process.stdout.write(`\nSkipped:\n${names.join('\n')}\n`);
    }
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed, ${this.#skipped} skipped\n`);
  }

  getLastError() {
    if (process.env.COUNTERSIGN_NO_SKIPS !== '1' || this.#skipped === 0) return undefined;
    return new Error(`${this.#skipped} tests were skipped, and COUNTERSIGN_NO_SKIPS=1 allows none`);
  }
}
