import type { SubmitSessionToolCallBody } from '#lib/api-schemas';
import type { ToolCallQuestion } from '#lib/tool-call';

/** The body of a call, but for its place. */
export const questionOf = (body: SubmitSessionToolCallBody): Omit<ToolCallQuestion, 'context'> => ({
  tool: body.tool,
  arguments: body.arguments,
  clientCallId: body.client_call_id ?? null,
  turnId: body.turn_id ?? null,
  reason: body.reason ?? null,
});
