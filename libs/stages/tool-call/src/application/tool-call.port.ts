import type { HaltTarget } from '#lib/halt';
import type { AgentId, PageRequest, SessionId, ToolCallId, Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { CountedCalls, UsedCalls } from '../domain/call-limits.js';
import type { ToolCall, ToolCallFacts } from '../domain/tool-call.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';

/** In which callers name their calls: see `namesOf`. */
export interface NameSpace {
  readonly sessionId: SessionId | null;
  readonly submitter: Pick<Submitter, 'kind' | 'id' | 'credentialId'>;
}

/** A limit that refused a call. */
export interface CallRefusal {
  readonly submitterId: Submitter['id'];
  /** The session, or the agent itself. */
  readonly about: SessionId | Submitter['id'];
  readonly code: string;
}

/** The calls of a session: all of them, or those of one agent, or those that wait. */
export interface SessionCallFilter {
  readonly sessionId: SessionId;
  readonly agentId: AgentId | null;
  /** Null for all. No other state: an allowed call whose time is over is stored as allowed, and read as expired. */
  readonly state: 'pending' | null;
}

/** A session, or the target of a halt. */
export type CallsOf = { readonly kind: 'session'; readonly sessionId: SessionId } | HaltTarget;

/**
 * Calls of the transaction's tenant. A row that Countersign did not write is refused (`record.not_authentic`), and stands in no
 * list.
 */
export interface ToolCallRepository {
  insert(tx: Tx, call: ToolCall): Promise<void>;
  /** Keeps a call that lacked a fact, for its name and in all counts. It stands in no list, and no id finds it. */
  insertUnjudged(tx: Tx, call: UnjudgedCall): Promise<void>;
  find(tx: Tx, id: ToolCallId): Promise<ToolCall | null>;
  /** In one query, in no order; ids without a call are absent. */
  findMany(tx: Tx, ids: readonly ToolCallId[]): Promise<readonly ToolCall[]>;
  /** The same, locked until the transaction ends. After the lock on its session, before the lock on its request. */
  lock(tx: Tx, id: ToolCallId): Promise<ToolCall | null>;
  /**
   * The call that has this name of its caller's. Holds that name until the transaction ends. So of two requests with it
   * one is decided, and the other finds the answer.
   */
  lockNamed(tx: Tx, space: NameSpace, clientCallId: string): Promise<ToolCall | UnjudgedCall | null>;
  /**
   * The same submitter's oldest pending call of the same tool version, environment and arguments, in any session or
   * outside one. Until the transaction ends no other one looks for the same.
   */
  lockTwin(tx: Tx, call: ToolCallFacts): Promise<ToolCall | null>;
  /** Counts the calls of a session. Until the transaction ends no other one counts the same, nor adds a call to the session. */
  lockCounts(tx: Tx, sessionId: SessionId, turnId: string | null): Promise<CountedCalls>;
  /**
   * Counts the calls of an agent or a person, by this moment. Until the transaction ends no other one counts the same, nor adds a call
   * of theirs.
   */
  lockUse(tx: Tx, submitter: Pick<Submitter, 'kind' | 'id'>, turnId: string | null): Promise<UsedCalls>;
  /**
   * When an agent or a person asked for the first call since a moment, in epoch milliseconds. Or for the one after so
   * many others, which are `skipped`. Null if they have no such call.
   */
  askedSince(
    tx: Tx,
    submitter: Pick<Submitter, 'kind' | 'id'>,
    { since, skipped }: { readonly since: number; readonly skipped: number },
  ): Promise<number | null>;
  /** Whether a call of the session is in flight, as {@link CountedCalls} counts them. */
  anyInFlight(tx: Tx, sessionId: SessionId): Promise<boolean>;
  /** How many calls each of these sessions has; one without any is absent. */
  countMany(tx: Tx, sessionIds: readonly SessionId[]): Promise<ReadonlyMap<SessionId, number>>;
  /** Whether this is the first refusal of its kind for so long, which is `forMs`. It counts from now on. */
  firstRefusal(tx: Tx, refusal: CallRefusal, forMs: number): Promise<boolean>;
  /** The members that change with its state. The caller has locked it. */
  save(tx: Tx, call: ToolCall): Promise<void>;
  /** Newest first. */
  list(tx: Tx, of: SessionCallFilter, page: PageRequest): Promise<readonly ToolCall[]>;
  /** The calls that wait for people, of a session or that a halt covers, locked in order of id. */
  lockPending(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]>;
  /**
   * The allowed and the executing calls of a session or that a halt covers, locked in order of id. A call that ended without a write, as
   * `standing` says, is none of them.
   */
  lockLive(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]>;
}
