import type { Digest, FieldError, ToolCallId } from '#lib/kernel';
import type { ToolCallFacts } from './tool-call.js';

/** A fact that a call lacks. Without it nothing can be put to the policies. */
export type MissingFact = 'policy.unknown_tool' | 'policy.unknown_environment' | 'policy.invalid_arguments';

/** A call that was denied because a fact was missing. A repetition gets the same answer, also if the fact is there by then. */
export interface UnjudgedCall extends Pick<
  ToolCallFacts,
  'sessionId' | 'submitter' | 'clientCallId' | 'turnId' | 'askedAt'
> {
  readonly id: ToolCallId;
  /** As they were named. The version is null if the tenant has no such tool. */
  readonly tool: { readonly name: string; readonly version: number | null };
  readonly environment: { readonly name: string };
  /** Of the arguments as they were given. They are not kept: their secrets are unknown. */
  readonly argumentsDigest: Digest;
  readonly code: MissingFact;
  /** The errors of the arguments; pointers are relative to the arguments. */
  readonly errors: readonly FieldError[];
  /** Of the policies then. */
  readonly bundleRevision: string;
}
