/**
 * The shapes that cross a boundary, as zod schemas: documents people and agents submit, what tool servers are sent and
 * answer, and every policy input. TypeScript types are inferred from them, and OpenAPI is generated from them.
 *
 * Holds no rule that needs more than the document itself. Imports nothing but zod.
 */
export * from './approval.js';
export * from './audit.js';
export * from './autonomy.js';
export * from './common.js';
export * from './conversation.js';
export * from './configuration.js';
export * from './document-schemas.js';
export * from './change-request.js';
export * from './halt.js';
export * from './identity.js';
export * from './decision.js';
export * from './grant.js';
export * from './mfa.js';
export * from './proof-words.js';
export * from './finding.js';
export * from './inbox.js';
export * from './incident.js';
export * from './live-event.js';
export * from './notification-preferences.js';
export * from './notify.js';
export * from './plan.js';
export * from './plan-description.js';
export * from './plan-status.js';
export * from './policy/index.js';
export * from './problem.js';
export * from './report.js';
export * from './roles.js';
export * from './run.js';
export * from './set-up.js';
export * from './sign-in.js';
export * from './simulation.js';
export * from './stored-id.js';
export * from './task.js';
export * from './tenancy.js';
export * from './tool-call.js';
export * from './tool.js';
export * from './why-not.js';
export * from './work-filter.js';
