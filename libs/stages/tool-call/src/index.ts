/**
 * The interactive gate: one tool call at a time, asked about when somebody wants to make it, with no plan behind it.
 *
 * Owns no rows. Invariants: every question gets an answer, and every answer stands in the audit log before it is given;
 * what is missing or does not fit is a deny. An answer holds for the moment it was taken at and for exactly the arguments
 * it was asked about.
 *
 * Never makes the call, and never decides by itself: the policies' `tool_call` does.
 */
export { AuthorizeToolCall, type ToolCallAnswer } from './application/authorize-tool-call.js';
export { createToolCalls } from './create-tool-calls.js';
