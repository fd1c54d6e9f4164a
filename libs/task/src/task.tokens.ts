/** Nest injection tokens, for what has no class of its own. */
export const TASK_REPOSITORY = Symbol('TaskRepository');
/** Every `TaskCancelledListener` of the installation, as an array. */
export const TASK_CANCELLED_LISTENERS = Symbol('TaskCancelledListeners');
/** The grammar of conditions, which the stage of plans owns. */
export const CONDITION_GRAMMAR = Symbol('ConditionGrammar');
