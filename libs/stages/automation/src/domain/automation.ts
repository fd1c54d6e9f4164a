import type { AutomationRunState, AutomationState, AutomationStepState } from '#lib/formats';
import type {
  Actor,
  AgentId,
  AutomationRunId,
  CredentialId,
  EnvironmentId,
  PersonId,
  SubjectRef,
  ToolCallId,
} from '#lib/kernel';
import type { InputValues } from './automation-inputs.js';
import type { AutomationId } from './ids.js';

/** The agent that an automation acts as, its credential, and the person accountable for it. No token is this credential. */
export interface AutomationIdentity {
  readonly agentId: AgentId;
  readonly credentialId: CredentialId;
  readonly ownerId: PersonId;
}

/** An automation. Times are epoch milliseconds. */
export interface Automation {
  readonly id: AutomationId;
  readonly name: string;
  readonly environment: { readonly id: EnvironmentId; readonly name: string };
  readonly state: AutomationState;
  /** Counts the changes of state, source and identity, from 1. */
  readonly version: number;
  /** The source in force, byte for byte as it was put. */
  readonly revision: AutomationRevision;
  /** Null before it was enabled for the first time. */
  readonly identity: AutomationIdentity | null;
  /** Failed runs in a row. */
  readonly failures: number;
  /** Until when times of its schedules were looked at; null unless it is enabled. */
  readonly lookedUntil: number | null;
  /** The next time of its schedules; null unless it is enabled. */
  readonly nextAt: number | null;
  /** Since when events start runs; null unless it is enabled and waits for events. */
  readonly listensFrom: number | null;
  readonly proposedAt: number;
}

export interface AutomationRevision {
  /** Counts from 1 within the automation. */
  readonly number: number;
  readonly source: string;
  /** SHA-256 of the source, hexadecimal. */
  readonly sha256: string;
  readonly author: Actor;
  readonly createdAt: number;
}

/** The reason why something was not done. It holds no secrets. */
export interface AutomationFault {
  readonly code: string;
  readonly message: string;
}

/** A run of an automation. Times are epoch milliseconds. */
export interface AutomationRun {
  readonly id: AutomationRunId;
  readonly automationId: AutomationId;
  /** The version of the automation that it was made for. Under a later one it goes no further. */
  readonly version: number;
  /** The revision that it carries out. */
  readonly revision: number;
  /** Unique in the automation: no occurrence starts two runs. */
  readonly occurrence: string;
  /** The values of its inputs, which fill arguments of its steps. */
  readonly inputs: InputValues;
  /** The time of the schedule, of the event or of the request. */
  readonly dueAt: number;
  readonly state: AutomationRunState;
  /** The index of the next step, or of the one whose call is awaited. */
  readonly position: number;
  /** The call that it waits for. */
  readonly callId: ToolCallId | null;
  readonly fault: AutomationFault | null;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** The outcome of one step. */
export interface AutomationStepRun {
  readonly runId: AutomationRunId;
  /** The index of the step, from 0. */
  readonly seq: number;
  readonly step: string;
  readonly type: 'tool_action' | 'condition' | 'notify';
  readonly state: AutomationStepState;
  readonly fault: AutomationFault | null;
  readonly callId: ToolCallId | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
}

/** The most runs of an automation that wait for their turn. */
export const MAX_QUEUED = 10;

/** The most runs of a tenant that go on at once, each with one call; automation_advance_due has the same number. */
export const MAX_EXECUTING = 16;

export const inAutomation = ({ id }: Pick<Automation, 'id'>): readonly SubjectRef[] => [{ type: 'automation', id }];

export const inAutomationRun = (run: Pick<AutomationRun, 'id' | 'automationId'>): readonly SubjectRef[] => [
  { type: 'automation', id: run.automationId },
  { type: 'automation_run', id: run.id },
];
