/**
 * The formats that outlive a process, as zod schemas. They are documents of people and agents, expanded plans, tool
 * definitions, decisions of policies, approval bindings and grants. Requests and answers of tool servers, and the
 * states of rows, are formats, too.
 *
 * A row, a digest or a signature depends on each of them. A change of one, but for a further optional member, is a new version; golden files
 * hold every version. Imports nothing but zod, and never a policy input or an API schema.
 */
export * from './advertised-mcp-server.js';
export * from './approval-binding.js';
export * from './approval-slot.js';
export * from './automation-document.js';
export * from './automation-inputs.js';
export * from './automation-triggers.js';
export * from './autonomy-document.js';
export * from './document-schemas.js';
export * from './environments-document.js';
export * from './evidence-documents.js';
export * from './executor-document.js';
export * from './expanded-plan.js';
export * from './grant-claims.js';
export * from './names.js';
export * from './plan-document.js';
export * from './policy-decision.js';
export * from './primitives.js';
export * from './roles.js';
export * from './routing-hint.js';
export * from './runner-proof.js';
export * from './secret-binding.js';
export * from './sign-in-settings.js';
export * from './simulation-result.js';
export * from './states.js';
export * from './stored-actor.js';
export * from './task-spec.js';
export * from './tool.js';
export * from './tool-server-call.js';
export * from './lifecycle-hook.js';
export * from './webhook.js';
