/**
 * Texts for people that pages, Slack and the command line share, so that one fact reads the same everywhere.
 *
 * Also the near name for an unknown word, the words for a document's mistake, CSV lines, and the version.
 *
 * Runs in browsers. Imports no other library.
 */
export * from './about-many.js';
export * from './closest.js';
export * from './csv.js';
export * from './fold-targets.js';
export * from './in-words.js';
export * from './is-impact-not-known.js';
export * from './line-in-words.js';
export * from './months-away.js';
export * from './proof-words.js';
export * from './reason-length.js';
export * from './state-words.js';
export * from './to-minute.js';
export * from './version.js';
export * from './visible-text.js';
export * from './visible-value.js';
export * from './words-of-issue.js';
