/** Nest injection tokens, for what has no class of its own. */
export const UNIT_OF_WORK = Symbol('UNIT_OF_WORK');
export const REHEARSALS = Symbol('REHEARSALS');
export const ENCLOSING_TRANSACTIONS = Symbol('ENCLOSING_TRANSACTIONS');
export const SYSTEM_QUERY = Symbol('SYSTEM_QUERY');
export const JOB_QUEUE = Symbol('JOB_QUEUE');
export const JOB_WORKER = Symbol('JOB_WORKER');
export const DATABASE = Symbol('DATABASE');
