import type { Json } from '#lib/canonical';
import type { Actor, AutomationRunId, LoggedEvent, PageRequest, PersonId, TenantId, ToolCallId, Tx } from '#lib/kernel';
import type {
  Automation,
  AutomationFault,
  AutomationRevision,
  AutomationRun,
  AutomationStepRun,
} from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { PublicEvent } from '../domain/meet-events.js';

/** The members of an automation that its course changes. */
export type AutomationCourse = Pick<Automation, 'id' | 'failures' | 'lookedUntil' | 'nextAt' | 'listensFrom'>;

/** How many automations were proposed. */
export interface ProposalCount {
  /** Those that wait for an admin. */
  readonly all: number;
  /** Those of them that the actor proposed. */
  readonly own: number;
  /** Those that the actor proposed after a moment, in any state. */
  readonly recent: number;
}

/** Automations of the transaction's tenant. One that Countersign did not write is refused (`record.not_authentic`), and stands in no list. */
export interface AutomationRepository {
  /** @returns false if the name is taken. One that was never enabled frees its name once it is disabled. */
  insert(tx: Tx, automation: Automation): Promise<boolean>;
  find(tx: Tx, id: AutomationId): Promise<Automation | null>;
  /** The same, locked until the transaction ends. Before its runs. */
  lock(tx: Tx, id: AutomationId): Promise<Automation | null>;
  /** Newest first. */
  list(tx: Tx, page: PageRequest): Promise<readonly Automation[]>;
  /** Those that are enabled, by their id. */
  enabled(tx: Tx): Promise<readonly Automation[]>;
  /** Those of them that wait for events. */
  listening(tx: Tx): Promise<readonly Automation[]>;
  /** No other transaction that does the same begins or ends to follow the log until this one ends. */
  lockFollowing(tx: Tx): Promise<void>;
  /** Whether another automation has the name. No other transaction proposes or enables one until this one ends. */
  isNameTaken(tx: Tx, automation: Pick<Automation, 'id' | 'name'>): Promise<boolean>;
  /**
   * Counts proposals. No other transaction proposes one until this one ends.
   *
   * @param since epoch milliseconds.
   */
  countProposed(tx: Tx, by: Pick<Actor, 'id'>, since: number): Promise<ProposalCount>;
  /** The author of the first revision; null if there is none. */
  proposer(tx: Tx, id: AutomationId): Promise<Actor | null>;
  addRevision(tx: Tx, id: AutomationId, revision: AutomationRevision): Promise<void>;
  /** The source of an earlier revision, or of the one in force. No seal covers an earlier one, so nothing is decided by it. */
  source(tx: Tx, id: AutomationId, number: number): Promise<string | null>;
  /** The members that change, under the next version. */
  save(tx: Tx, automation: Automation): Promise<void>;
  /** The failures in a row, and since when triggers were looked at: they decide nothing. */
  saveCourse(tx: Tx, automation: AutomationCourse): Promise<void>;
}

/** Runs of automations. One that Countersign did not write is refused. */
export interface AutomationRunRepository {
  /** @returns false if the occurrence has a run. */
  insert(tx: Tx, run: AutomationRun): Promise<boolean>;
  find(tx: Tx, id: AutomationRunId): Promise<AutomationRun | null>;
  lock(tx: Tx, id: AutomationRunId): Promise<AutomationRun | null>;
  /** Newest first. */
  list(tx: Tx, automationId: AutomationId, page: PageRequest): Promise<readonly AutomationRun[]>;
  /** The newest run of each of these automations. A forged run and an automation without runs are left out. */
  latest(tx: Tx, automationIds: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, AutomationRun>>;
  /** Those that wait or go on, oldest first. */
  open(tx: Tx, automationId: AutomationId): Promise<readonly AutomationRun[]>;
  /** How many of the tenant go on. No other transaction counts them until this one ends. */
  countExecuting(tx: Tx): Promise<number>;
  /** The automation that a row names, also of a row that Countersign did not write. Null if there is no row. */
  automationOf(tx: Tx, id: AutomationRunId): Promise<AutomationId | null>;
  /** How many were made after a moment, those by a schedule left aside. */
  startedSince(tx: Tx, automationId: AutomationId, since: number): Promise<number>;
  /** Those of the calls that runs of the automation made. */
  calledBy(tx: Tx, automationId: AutomationId, calls: readonly string[]): Promise<ReadonlySet<string>>;
  save(tx: Tx, run: AutomationRun): Promise<void>;
  insertStep(tx: Tx, step: AutomationStepRun): Promise<void>;
  saveStep(tx: Tx, step: AutomationStepRun): Promise<void>;
  /** In order. */
  steps(tx: Tx, runId: AutomationRunId): Promise<readonly AutomationStepRun[]>;
}

/** The people who are told about an automation. */
export interface AutomationRecipients {
  /** The person who answers for its agent now. The enabled PlatformAdmins if there is no such person, or they are disabled. */
  of(tx: Tx, automation: Pick<Automation, 'identity'>): Promise<readonly PersonId[]>;
}

/** How a call ended. */
export type CallEnd =
  | { readonly kind: 'succeeded'; readonly result: Json }
  | { readonly kind: 'failed'; readonly fault: AutomationFault };

/** Reads how calls ended. */
export interface CallEnds {
  /** Null while its outcome is awaited. */
  of(tx: Tx, id: ToolCallId): Promise<CallEnd | null>;
}

/** The events of an entry of the audit log; none for one that stays internal. */
export type PublicEvents = (logged: LoggedEvent) => readonly PublicEvent[];

/** A stretch of the audit log, newest first. */
export interface PastEvents {
  /** Entries from a moment on (epoch milliseconds), before a moment of the log. `next` is that of the last one; null at the end. */
  read(
    tenantId: TenantId,
    from: number,
    before: LogMoment | null,
    limit: number,
  ): Promise<{ readonly events: readonly LoggedEvent[]; readonly next: LogMoment | null }>;
}

/** The time of an entry (epoch milliseconds) and its id. */
export interface LogMoment {
  readonly at: number;
  readonly id: string;
}
