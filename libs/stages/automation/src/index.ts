/**
 * Unattended work: the tools that are safe for automations (ADR-003).
 *
 * Owns the tenant's list of safe tools. Invariants: an entry accepts exactly one version of a tool, with its effect and risk. A
 * changed tool drops out by itself. Adding an entry takes two people; removing one takes effect at once.
 *
 * Never decides whether an automation may call a tool: the policies' `automation` does, at every step.
 */
export { automationSafeToolEntity } from './adapters/automation.entity.js';
export { AcceptTool } from './application/accept-tool.js';
export { ReadSafeTools, type ListedSafeTool, type TieredTool } from './application/read-safe-tools.js';
export { RemoveSafeTool } from './application/remove-safe-tool.js';
export { createAutomations } from './create-automations.js';
