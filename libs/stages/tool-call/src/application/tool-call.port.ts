import type { CredentialId, ToolCallId, Tx } from '#lib/kernel';
import type { ToolCall } from '../domain/tool-call.js';

/** Keeps decided calls, insert-only. One that Countersign did not write is refused (`record.not_authentic`). */
export interface ToolCallRepository {
  insert(tx: Tx, call: ToolCall): Promise<void>;
  find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined>;
  /**
   * The call that a credential made under a name of its own. Holds that name until the transaction ends, so that of two
   * requests with it one is decided and the other finds the answer.
   */
  lockNamed(tx: Tx, credentialId: CredentialId, clientCallId: string): Promise<ToolCall | undefined>;
}
