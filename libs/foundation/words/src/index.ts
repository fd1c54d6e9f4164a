/**
 * Texts for people that pages, Slack and the command line share, so that one fact reads the same everywhere.
 *
 * Runs in browsers. Imports nothing.
 */
export * from './proof-words.js';
export * from './to-minute.js';
