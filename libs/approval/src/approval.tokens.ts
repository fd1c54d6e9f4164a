/** Nest injection tokens, for what has no class of its own. */
export const APPROVAL_REPOSITORY = Symbol('ApprovalRepository');
export const APPROVAL_SUBJECTS = Symbol('ApprovalSubjects');
export const PLAN_SUBJECTS = Symbol('PlanSubjects');
/** The `ApprovalGrantedListener` of the installation: the run engine. */
export const APPROVAL_GRANTED_LISTENER = Symbol('ApprovalGrantedListener');
/** The `CanaryHistory` of the installation: the run engine. */
export const CANARY_HISTORY = Symbol('CanaryHistory');
