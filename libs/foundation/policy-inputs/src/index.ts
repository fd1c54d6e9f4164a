/**
 * The inputs of the Rego entrypoints and the decision that each returns, as strict zod schemas.
 *
 * A decision is logged with its input, so an auditor can repeat it. Imports stored formats, and never an API schema.
 */
export * from './decision.js';
export * from './facts.js';
export * from './inputs.js';
export * from './session-facts.js';
