/**
 * The interactive gate: one tool call at a time, submitted when an agent or person wants it, without a plan.
 *
 * Owns single calls. Invariants: every question gets an answer, and every answer stands in the audit log before it is
 * given. A missing tool, environment or argument is a deny. An answer holds for exactly the arguments it was asked about, and an
 * allow for a minute. A call that policies ask about waits for people, who have minutes; without their answer it is denied. A
 * call moves only along its lifecycle, which the database enforces again.
 *
 * Never decides by itself: the policies' `tool_call` does, or people do, by a request of `#lib/approval`.
 */
export type { EnclosingSubjects } from './application/enclosing-subjects.port.js';
export {
  callOutputEntity,
  pendingOutputEntity,
  toolCallEntity,
  unjudgedCallEntity,
} from './adapters/tool-call.entity.js';
export { oldUnjudgedCalls } from './adapters/sql-old-unjudged-calls.js';
export { CancelToolCall } from './application/cancel-tool-call.js';
export { CountSessionCalls } from './application/count-session-calls.js';
export { GetToolCall } from './application/get-tool-call.js';
export type { JudgeAutomationCall } from './application/judge-automation-call.js';
export type { MakeAutomationCall } from './application/make-automation-call.js';
export { ListSessionCalls, type ReadCall } from './application/list-session-calls.js';
export { SubmitToolCall, type ToolCallQuestion } from './application/submit-tool-call.js';
export type { ToolCallAnswer } from './application/tool-call-answer.js';
export { AppendCallOutput } from './application/append-call-output.js';
export { ReadCallOutput } from './application/read-call-output.js';
export { ReportToolCall } from './application/report-tool-call.js';
export { ResolveToolCall } from './application/resolve-tool-call.js';
export type { TakeBackAutomationCalls } from './application/take-back-automation-calls.js';
export { TakeToolCall, type CallGrant } from './application/take-tool-call.js';
export { createToolCalls, createToolCallStore, type ToolCalls } from './create-tool-calls.js';
