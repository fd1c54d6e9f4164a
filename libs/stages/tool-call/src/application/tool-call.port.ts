import type { HaltTarget } from '#lib/halt';
import type { PageRequest, SessionId, ToolCallId, Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { ToolCall } from '../domain/tool-call.js';

/** In which callers name their calls: the agent or person in a session, or outside one their credential. */
export interface NameSpace {
  readonly sessionId: SessionId | null;
  readonly submitter: Pick<Submitter, 'id' | 'credentialId'>;
}

/** A session, or the target of a halt. */
export type CallsOf = { readonly kind: 'session'; readonly sessionId: SessionId } | HaltTarget;

/**
 * Calls of the transaction's tenant. A row that Countersign did not write is refused (`record.not_authentic`), and stands in no
 * list.
 */
export interface ToolCallRepository {
  insert(tx: Tx, call: ToolCall): Promise<void>;
  find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined>;
  /** In one query, in no order; ids without a call are absent. */
  findMany(tx: Tx, ids: readonly ToolCallId[]): Promise<readonly ToolCall[]>;
  /** The same, locked until the transaction ends. After the lock on its session, before the lock on its request. */
  lock(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined>;
  /**
   * The call that has this name of its caller's. Holds that name until the transaction ends, so that of two
   * requests with it one is decided and the other finds the answer.
   */
  lockNamed(tx: Tx, space: NameSpace, clientCallId: string): Promise<ToolCall | undefined>;
  /**
   * How many calls a turn of a session has, or how many are in flight if the turn has no name: those that wait
   * for people, for their dispatch or for their outcome. No outcome follows the allow of a call without an executor, so it is not
   * counted. Until the transaction ends no other one counts the same.
   */
  lockTurn(tx: Tx, sessionId: SessionId, turnId: string | null): Promise<number>;
  /** The members that change with its state. The caller has locked it. */
  save(tx: Tx, call: ToolCall): Promise<void>;
  /** Calls of a session, newest first. */
  list(tx: Tx, sessionId: SessionId, page: PageRequest): Promise<readonly ToolCall[]>;
  /** The calls that wait for people, of a session or that a halt covers, locked in order of id. */
  lockPending(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]>;
  /** The allowed and the executing calls of a session or that a halt covers, locked in order of id. */
  lockLive(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]>;
}
