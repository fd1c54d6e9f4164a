/** Codes of the failures, in the order of the checks. */
export type VerificationCode =
  | 'pack.too_large'
  | 'pack.not_text'
  | 'pack.not_json'
  | 'pack.duplicate_key'
  | 'pack.not_canonical'
  | 'pack.format'
  | 'checkpoint.format'
  | 'checkpoint.key_not_trusted'
  | 'checkpoint.signature'
  | 'checkpoint.other_log'
  | 'checkpoint.missing'
  | 'consistency.proof'
  | 'external_checkpoint.format'
  | 'external_checkpoint.key_not_trusted'
  | 'external_checkpoint.signature'
  | 'external_checkpoint.other_log'
  | 'external_checkpoint.no_proof'
  | 'external_checkpoint.fork'
  | 'entry.other_tenant'
  | 'entry.order'
  | 'entry.inclusion'
  | 'entry.payload'
  | 'pack.not_assembled'
  | 'pack.assembly_erased'
  | 'entry.after_assembly'
  | 'entry.missing'
  | 'entry.not_assembled'
  | 'entry.payload_unstated'
  | 'entry.payload_missing'
  | 'entry.payload_added'
  | 'document.order'
  | 'document.not_covered'
  | 'document.not_fixed_by_action'
  | 'document.not_assembled'
  | 'document.policy_revision'
  | 'document.decision_input'
  | 'document.missing'
  | 'decision.policy_missing'
  | 'decision.other_policy'
  | 'decision.replay_stopped'
  | 'decision.not_reproduced'
  | 'story.run_not_created'
  | 'story.run_without_approval'
  | 'story.plan_missing'
  | 'story.approval_digest'
  | 'story.quorum'
  | 'story.executed_digest'
  | 'story.executed_tree'
  | 'story.other_verdict'
  | 'story.break_glass_incident'
  | 'story.break_glass_person'
  | 'story.break_glass_decision'
  | 'story.break_glass_timeline'
  | 'story.break_glass_review'
  | 'story.change_missing'
  | 'story.change_requested'
  | 'story.change_ended_twice'
  | 'story.change_confirmed'
  | 'story.change_carried_out'
  | 'story.trust'
  | 'story.confirm_word'
  | 'story.call_settings'
  | 'story.trust_used'
  | 'story.trust_own'
  | 'story.call_decided_twice'
  | 'story.call_after_end'
  | 'story.call_decision'
  | 'story.call_not_asked'
  | 'story.call_changed'
  | 'story.reviewer'
  | 'story.review_decision'
  | 'story.call_not_allowed'
  | 'story.call_stopped'
  | 'story.call_attempt'
  | 'story.call_not_sent'
  | 'story.call_outcome'
  | 'story.comment'
  | 'approver.contradiction'
  | 'approver.assertion_missing'
  | 'approver.assertion_format'
  | 'approver.other_person'
  | 'approver.other_operation'
  | 'approver.answer_format'
  | 'approver.challenge'
  | 'approver.origin'
  | 'approver.relying_party'
  | 'approver.user_presence'
  | 'approver.user_verification'
  | 'approver.signature'
  | 'approver.used_twice'
  | 'approver.enrolment'
  | 'approver.key_of_another'
  | 'approver.key_unknown'
  | 'approver.key_differs';

/** The first thing that is wrong. */
export interface VerificationFailure {
  readonly code: VerificationCode;
  readonly message: string;
  /** The part of the pack: a JSON Pointer (RFC 6901), or empty. */
  readonly pointer: string;
}

/** Ends the verification at the first thing that is wrong. */
export type Refuse = (code: VerificationCode, message: string, pointer?: string) => never;

/** Takes a line for people that is proven and no comfort. */
export type Warn = (line: string) => void;

/** Carries the failure out of the checks; never leaves {@link verifyPack}. */
export class Failed extends Error {
  constructor(readonly failure: VerificationFailure) {
    super(failure.message);
  }
}

export const refuse: Refuse = (code, message, pointer = '') => {
  throw new Failed({ code, message, pointer });
};
