import TestSequencer from '@jest/test-sequencer';

/** The kinds of tests, those with the longest files first. */
const KINDS = ['browser', 'e2e', 'system', 'db', 'unit'];

const rank = ({ context }) => KINDS.indexOf(context.config.displayName.name);

/**
 * Starts the kinds with long files first. The short files of the others fill the end, so the workers end together.
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
