import { shapeOfAlways, type ApprovalRequest, type CallSubject } from '#lib/approval';
import type { JsonObject } from '#lib/canonical';

/** The prompt about a call that waits, beside the call itself, as its audit entry keeps it. */
export interface CallPrompt extends JsonObject {
  /** The kind of work, such as workspace-write. */
  readonly category: string;
  /** The effect in one line, from the call alone. */
  readonly impact: string;
  /** The shape of the later calls that an "always" would cover; null if an approval holds for this call alone. */
  readonly always_covers: JsonObject | null;
  /** The word that an approval takes; null for none. */
  readonly confirm_word: string | null;
}

export function callPrompt(request: Pick<ApprovalRequest, 'decision'>, subject: CallSubject): CallPrompt {
  const { category, impact } = subject.call;
  return {
    ...{ category, impact },
    always_covers: shapeOfAlways(request, subject),
    confirm_word: request.decision.obligations.confirm_word ?? null,
  };
}
