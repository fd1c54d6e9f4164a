import type { ToolCallId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { NameSpace, ToolCallRepository } from './tool-call.port.js';

/** Keeps decided calls in memory. */
export class FakeToolCallRepository implements ToolCallRepository {
  readonly #calls: FakeTable<ToolCall>;

  constructor(database: FakeUnitOfWork) {
    this.#calls = new FakeTable(database);
  }

  async insert(tx: Tx, call: ToolCall): Promise<void> {
    if (await this.find(tx, call.id)) throw new FakeRefusal('23505', 'tool_call_pk');
    const { sessionId, submitter, clientCallId } = call;
    const space = { sessionId, credentialId: submitter.credentialId };
    if (clientCallId !== null && (await this.lockNamed(tx, space, clientCallId)))
      throw new FakeRefusal('23505', 'tool_call_client_unique');
    this.#calls.of(tx).set(call.id, call);
  }

  find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined> {
    return Promise.resolve(this.#calls.of(tx).get(id));
  }

  lockNamed(tx: Tx, { sessionId, credentialId }: NameSpace, clientCallId: string): Promise<ToolCall | undefined> {
    const calls = [...this.#calls.of(tx).values()];
    return Promise.resolve(
      calls.find(
        (call) =>
          call.clientCallId === clientCallId &&
          call.sessionId === sessionId &&
          (sessionId !== null || call.submitter.credentialId === credentialId),
      ),
    );
  }
}
