/**
 * The inputs of the Rego entrypoints, as strict zod schemas. The decision that each returns is a stored format.
 *
 * A decision is logged with its input, so an auditor can repeat it. Imports stored formats, and never an API schema.
 */
export * from './facts.js';
export * from './inputs.js';
export * from './session-facts.js';
