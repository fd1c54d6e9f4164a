/**
 * Spans around transactions, decisions, jobs, tool calls and deliveries. An operator on call looks here first.
 *
 * Owns how spans are opened, named and carried from one process to another. The exporter is chosen at start-up;
 * without one, spans cost next to nothing. A span holds our own names, ids and outcomes, and of an error its kind. It
 * holds no argument, no secret, and no word of an agent or a person.
 */
export { continueTrace, inSpan, noteOn, traced, traceParent, tracing } from './spans.js';
