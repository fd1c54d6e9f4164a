import type { Failure } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { AllowedCall } from './call-changes.js';
import {
  ALLOWED_FOR_MS,
  factsOf,
  type CallFault,
  type Denied,
  type Pending,
  type ToolCall,
  type ToolCallFacts,
  type UnansweredAs,
} from './tool-call.js';

/** A call that waits for people. */
export type PendingCall = ToolCallFacts & Pending;
export type DeniedCall = ToolCallFacts & Denied;

/** A call that people approved: it may be taken up from now on. */
export const approved = (call: PendingCall, at: number): AllowedCall => ({
  ...factsOf(call),
  requestId: call.requestId,
  state: 'allowed',
  decidedAs: 'approved',
  decidedAt: at,
  allowedUntil: at + ALLOWED_FOR_MS,
});

/** A call that is not made. */
export const denied = (
  call: PendingCall,
  { as, denial, at }: { readonly as: UnansweredAs; readonly denial: CallFault; readonly at: number },
): DeniedCall => ({
  ...factsOf(call),
  requestId: call.requestId,
  state: 'denied',
  decidedAs: as,
  denial,
  decidedAt: at,
});

/** `tool_call.too_late`. */
export const tooLate = ({ state }: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.too_late',
  message: `This call is ${stateInWords(state)}, and takes no answer any more.`,
  action: 'Read the call for its outcome.',
});
