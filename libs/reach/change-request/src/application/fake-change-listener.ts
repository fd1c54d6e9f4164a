import type { ChangeListener } from './change-journal.js';

/** Is told of changes, and does nothing. */
export const fakeChangeListener: ChangeListener = {
  opened: () => Promise.resolve(),
  closed: () => Promise.resolve(),
};
