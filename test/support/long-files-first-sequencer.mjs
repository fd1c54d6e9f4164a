import TestSequencer from '@jest/test-sequencer';

/** The kinds of tests, those with the longest files first. */
const KINDS = ['browser', 'e2e', 'system', 'db', 'unit'];

/** They start programs by the hundred. Each start copies the page tables of the worker, which grows from file to file. */
const STARTS_PROGRAMS = /\.system\.spec\.ts$/;

const rank = ({ path, context }) => (STARTS_PROGRAMS.test(path) ? -1 : KINDS.indexOf(context.config.displayName.name));

/**
 * Starts the files of programs first, while workers are small, then the kinds with long files. The short files of the others fill
 * the end, so the workers end together.
 * Within a kind jest orders: failed files, then slow ones, then large ones.
 */
export default class LongFilesFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }

  /** The projects share an id, and each keeps its own times. */
  _getCachePath(context) {
    return `${super._getCachePath(context)}-${context.config.displayName.name}`;
  }
}
