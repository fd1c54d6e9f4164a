import { v7 } from 'uuid';

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

/**
 * Branded ids, UUIDv7 as text: one kind is never passed for another. A cast from text needs its reason: a row's column, a checked parameter,
 * or a claim that was verified.
 */
export type TenantId = Brand<'TenantId'>;
export type EnvironmentId = Brand<'EnvironmentId'>;
export type PersonId = Brand<'PersonId'>;
export type AgentId = Brand<'AgentId'>;
export type CredentialId = Brand<'CredentialId'>;
export type ToolVersionId = Brand<'ToolVersionId'>;
export type ExecutorId = Brand<'ExecutorId'>;
export type AutonomyRevisionId = Brand<'AutonomyRevisionId'>;
export type DecisionId = Brand<'DecisionId'>;
export type TaskId = Brand<'TaskId'>;
export type PlanId = Brand<'PlanId'>;
export type SimulationId = Brand<'SimulationId'>;
export type ApprovalRequestId = Brand<'ApprovalRequestId'>;
export type ReviewId = Brand<'ReviewId'>;
export type RunId = Brand<'RunId'>;
export type RunStepId = Brand<'RunStepId'>;
export type AttemptId = Brand<'AttemptId'>;
export type HaltId = Brand<'HaltId'>;
export type SessionId = Brand<'SessionId'>;
export type SessionTrustId = Brand<'SessionTrustId'>;
export type ToolCallId = Brand<'ToolCallId'>;
export type AutomationId = Brand<'AutomationId'>;
export type AutomationRunId = Brand<'AutomationRunId'>;
export type SafeToolId = Brand<'SafeToolId'>;
export type FactorId = Brand<'FactorId'>;
export type StepUpId = Brand<'StepUpId'>;
export type ChangeRequestId = Brand<'ChangeRequestId'>;
export type ImpactReportId = Brand<'ImpactReportId'>;
export type RunnerId = Brand<'RunnerId'>;
export type RunnerDispatchId = Brand<'RunnerDispatchId'>;
export type IncidentId = Brand<'IncidentId'>;
export type CommentId = Brand<'CommentId'>;
export type AuditEntryId = Brand<'AuditEntryId'>;
export type LogFollowerId = Brand<'LogFollowerId'>;
export type LifecycleHookId = Brand<'LifecycleHookId'>;
export type HookExecutionId = Brand<'HookExecutionId'>;
export type ConnectionId = Brand<'ConnectionId'>;
export type WebhookEndpointId = Brand<'WebhookEndpointId'>;
export type WebhookDeliveryId = Brand<'WebhookDeliveryId'>;

/** A new UUIDv7 (RFC 9562 section 5.7): time-ordered, so that keys insert at the right edge of their index. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the kind of id
export const newId = <Id extends Brand<string>>(): Id => v7() as Id;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True for a lower-case UUID in the canonical textual form. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
