import type { CredentialId, SessionId, ToolCallId, Tx } from '#lib/kernel';
import type { ToolCall } from '../domain/tool-call.js';

/** In which callers name their calls: a session, or outside one their credential. */
export interface NameSpace {
  readonly sessionId: SessionId | null;
  readonly credentialId: CredentialId;
}

/** Keeps decided calls, insert-only. One that Countersign did not write is refused (`record.not_authentic`). */
export interface ToolCallRepository {
  insert(tx: Tx, call: ToolCall): Promise<void>;
  find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined>;
  /**
   * The call that has this name of its caller's. Holds that name until the transaction ends, so that of two
   * requests with it one is decided and the other finds the answer.
   */
  lockNamed(tx: Tx, space: NameSpace, clientCallId: string): Promise<ToolCall | undefined>;
}
