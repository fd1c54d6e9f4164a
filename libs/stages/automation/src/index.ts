/**
 * Unattended work: automations, their runs, and the tools that are safe for them (ADR-003).
 *
 * Owns automations with their sources and runs, and the tenant's list of safe tools. Invariants: agents and people propose; an admin
 * enables exactly the source that they saw, and owns the agent that it acts as. Every call is put to the policies again when it is
 * made. No occurrence starts two runs, and no step starts twice. A trigger gives declared, typed inputs and nothing else. An entry of the list accepts exactly one version of a tool, with its
 * effect and risk. Adding one takes two people, and removing one takes effect at once.
 *
 * Never decides whether an automation may call a tool: the policies' `automation` does. Never asks a person.
 */
export {
  automationEntity,
  automationRevisionEntity,
  automationRunEntity,
  automationSafeToolEntity,
  automationSecretEntity,
  automationStepRunEntity,
} from './adapters/automation.entity.js';
export { oldAutomationRuns, unusedAutomations } from './adapters/sql-old-automations.js';
export { AcceptTool } from './application/accept-tool.js';
export { ChangeAutomation } from './application/change-automation.js';
export type { PastEvents, PublicEvents } from './application/automation.ports.js';
export type { BlockedStep } from './application/judge-steps.js';
export { PreviewAutomation, type AutomationPreview } from './application/preview-automation.js';
export { ProposeAutomation } from './application/propose-automation.js';
export { ReadAutomations, type ListedAutomation, type SeenRun } from './application/read-automations.js';
export { ReadSafeTools, type ListedSafeTool, type TieredTool } from './application/read-safe-tools.js';
export { badSignature, ReceiveAutomationWebhook } from './application/receive-automation-webhook.js';
export { RenewAutomationSecret } from './application/renew-automation-secret.js';
export { RequestAutomationRun } from './application/request-automation-run.js';
export { RemoveSafeTool } from './application/remove-safe-tool.js';
export { WithdrawAutomation } from './application/withdraw-automation.js';
export type { Automation, AutomationRun } from './domain/automation.js';
export type { AutomationId } from './domain/ids.js';
export { readAutomation } from './domain/read-automation.js';
export {
  createAutomations,
  createAutomationStore,
  type Automations,
  type AutomationDeps,
} from './create-automations.js';
