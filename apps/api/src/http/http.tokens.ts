/** Injection tokens of the providers that have no class. */
export const AUTHENTICATOR = Symbol('Authenticator');
export const DATABASE = Symbol('Database');
export const KEPT_ANSWERS = Symbol('KeptAnswers');
export const REQUEST_BUDGET = Symbol('RequestBudget');
export const REQUEST_TURNS = Symbol('RequestTurns');
export const STRANGER_TURNS = Symbol('StrangerTurns');
