/**
 * Where an operator on call looks first: spans around transactions, decisions, jobs, calls of tools and deliveries.
 *
 * Owns how they are opened, named and carried from one process to another; who exports them is decided at start-up, and
 * where nobody does they cost next to nothing. A span holds names of ours, ids and outcomes: no argument, no secret, no
 * word of an agent or of a person, and of an error only what kind it is.
 */
export { continueTrace, inSpan, noteOn, traced, traceParent, tracing } from './spans.js';
