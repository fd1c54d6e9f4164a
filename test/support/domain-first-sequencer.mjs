import TestSequencer from '@jest/test-sequencer';

const rank = ({ path }) => (path.includes('/domain/') ? 0 : 1);

/** Runs tests of a domain before those of its use cases. */
export default class DomainFirst extends TestSequencer {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
  }
}
