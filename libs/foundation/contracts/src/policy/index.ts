/** The input of every policy decision and the Decision itself: snake_case JSON, complete, times in epoch milliseconds. */
export * from './decision.js';
export * from './facts.js';
export * from './inputs.js';
