import { v7 } from 'uuid';

declare const brand: unique symbol;

/** An id of one kind. A library declares an id that few others name: `Id<'ReviewId'>`. */
export type Id<Name extends string> = string & { readonly [brand]: Name };

/**
 * Branded ids, UUIDv7 as text: one kind is never passed for another. A cast from text needs its reason: a row's column, a checked parameter,
 * or a claim that was verified.
 */
export type TenantId = Id<'TenantId'>;
export type EnvironmentId = Id<'EnvironmentId'>;
export type PersonId = Id<'PersonId'>;
export type AgentId = Id<'AgentId'>;
export type CredentialId = Id<'CredentialId'>;
export type ToolVersionId = Id<'ToolVersionId'>;
export type AutonomyRevisionId = Id<'AutonomyRevisionId'>;
export type DecisionId = Id<'DecisionId'>;
export type TaskId = Id<'TaskId'>;
export type PlanId = Id<'PlanId'>;
export type SimulationId = Id<'SimulationId'>;
export type ApprovalRequestId = Id<'ApprovalRequestId'>;
export type RunId = Id<'RunId'>;
export type HaltId = Id<'HaltId'>;
export type SessionId = Id<'SessionId'>;
export type ToolCallId = Id<'ToolCallId'>;
export type AutomationRunId = Id<'AutomationRunId'>;
export type FactorId = Id<'FactorId'>;
export type ChangeRequestId = Id<'ChangeRequestId'>;
export type ImpactReportId = Id<'ImpactReportId'>;
export type IncidentId = Id<'IncidentId'>;
export type AuditEntryId = Id<'AuditEntryId'>;
export type ConnectionId = Id<'ConnectionId'>;

/** A new UUIDv7 (RFC 9562 section 5.7): time-ordered, so that keys insert at the right edge of their index. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the kind of id
export const newId = <Wanted extends Id<string>>(): Wanted => v7() as Wanted;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True for a lower-case UUID in the canonical textual form. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
