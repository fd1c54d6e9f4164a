import type { SubjectRef, ToolCallId, Tx } from '#lib/kernel';

/** Finds what a call outside sessions belongs to. */
export interface EnclosingSubjects {
  /** The automation and its run that made the call, outermost first. Empty for the call of an agent or a person. */
  of(tx: Tx, id: ToolCallId): Promise<readonly SubjectRef[]>;
}
