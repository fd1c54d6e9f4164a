/** What has no class to be asked for by. */
export const AUTHENTICATOR = Symbol('Authenticator');
export const DATABASE = Symbol('Database');
export const REQUEST_BUDGET = Symbol('RequestBudget');
