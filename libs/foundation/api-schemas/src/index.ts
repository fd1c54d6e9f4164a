/**
 * The bodies, answers, problems and live events of the HTTP API, as zod schemas. OpenAPI is generated from them.
 *
 * Nothing here is stored or digested: an API schema may change without a change of a stored format. Imports formats and
 * policy inputs, never the other way round.
 */
export * from './approval.js';
export * from './audit.js';
export * from './automation.js';
export * from './autonomy.js';
export * from './change-request.js';
export * from './classify-shell.js';
export * from './shared-schemas.js';
export * from './configuration.js';
export type { ConfigurationChange } from './configuration-change.js';
export * from './conversation.js';
export * from './decision.js';
export * from './finding.js';
export * from './grant.js';
export * from './halt.js';
export * from './identity.js';
export * from './impact.js';
export * from './inbox.js';
export * from './incident.js';
export * from './live-event.js';
export * from './mcp-server.js';
export * from './mfa.js';
export * from './notification-preferences.js';
export * from './notify.js';
export * from './path-verdict.js';
export * from './plan.js';
export * from './plan-description.js';
export * from './precedent.js';
export * from './problem.js';
export * from './report.js';
export * from './run.js';
export * from './runner.js';
export * from './session.js';
export * from './session-call.js';
export * from './session-socket.js';
export * from './set-up.js';
export * from './sign-in.js';
export * from './shell-verdict.js';
export * from './simulation.js';
export * from './task.js';
export * from './tenancy.js';
export * from './tool.js';
export * from './tool-call.js';
export * from './why-not.js';
export * from './work-filter.js';
export * from './lifecycle-hook.js';
export * from './connection.js';
export * from './siem.js';
export * from './embedder.js';
export * from './webhook.js';
