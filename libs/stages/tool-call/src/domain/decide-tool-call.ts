import { err, ok, type Failure, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { ALLOWED_FOR_MS, factsOf, type CallFault, type ToolCall, type UnansweredAs } from './tool-call.js';

/** A call that people approved: it may be taken up from now on. Only a pending one. */
export function approved(call: ToolCall, at: number): Result<ToolCall> {
  if (call.state !== 'pending') return err(tooLate(call));
  const { requestId } = call;
  const allowedUntil = at + ALLOWED_FOR_MS;
  return ok({ ...factsOf(call), requestId, state: 'allowed', decidedAs: 'approved', decidedAt: at, allowedUntil });
}

/** A call that is not made. Only a pending one. */
export function denied(
  call: ToolCall,
  { as, denial, at }: { readonly as: UnansweredAs; readonly denial: CallFault; readonly at: number },
): Result<ToolCall> {
  if (call.state !== 'pending') return err(tooLate(call));
  const { requestId } = call;
  return ok({ ...factsOf(call), requestId, state: 'denied', decidedAs: as, denial, decidedAt: at });
}

/** `tool_call.too_late`. */
export const tooLate = ({ state }: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.too_late',
  message: `This call is ${stateInWords(state)}, and takes no answer any more.`,
  action: 'Read the call for its outcome.',
});
