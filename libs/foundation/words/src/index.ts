/**
 * Texts for people that pages, Slack and the command line share, so that one fact reads the same everywhere.
 *
 * Runs in browsers. Imports nothing.
 */
export * from './fold-targets.js';
export * from './in-words.js';
export * from './proof-words.js';
export * from './state-words.js';
export * from './to-minute.js';
export * from './visible-text.js';
export * from './visible-value.js';
