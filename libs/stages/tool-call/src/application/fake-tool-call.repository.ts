import type { CredentialId, ToolCallId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** Keeps decided calls in memory. */
export class FakeToolCallRepository implements ToolCallRepository {
  readonly #calls: FakeTable<ToolCall>;

  constructor(database: FakeUnitOfWork) {
    this.#calls = new FakeTable(database);
  }

  async insert(tx: Tx, call: ToolCall): Promise<void> {
    if (await this.find(tx, call.id)) throw new FakeRefusal('23505', 'tool_call_pk');
    const { submitter, clientCallId } = call;
    if (clientCallId !== null && (await this.lockNamed(tx, submitter.credentialId, clientCallId)))
      throw new FakeRefusal('23505', 'tool_call_client_unique');
    this.#calls.of(tx).set(call.id, call);
  }

  find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined> {
    return Promise.resolve(this.#calls.of(tx).get(id));
  }

  lockNamed(tx: Tx, credentialId: CredentialId, clientCallId: string): Promise<ToolCall | undefined> {
    const calls = [...this.#calls.of(tx).values()];
    return Promise.resolve(
      calls.find((call) => call.submitter.credentialId === credentialId && call.clientCallId === clientCallId),
    );
  }
}
