import type { PageRequest, SessionId, ToolCallId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { TOOL_CALL_TRANSITIONS } from '../domain/tool-call-transitions.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { NameSpace, CallsOf, ToolCallRepository } from './tool-call.port.js';

/** Keeps calls in memory. */
export class FakeToolCallRepository implements ToolCallRepository {
  readonly #calls: FakeTable<ToolCall>;

  constructor(database: FakeUnitOfWork) {
    this.#calls = new FakeTable(database);
  }

  async insert(tx: Tx, call: ToolCall): Promise<void> {
    requireTransition(TOOL_CALL_TRANSITIONS, '', call.state);
    if (await this.find(tx, call.id)) throw new FakeRefusal('23505', 'tool_call_pk');
    const { sessionId, submitter, clientCallId } = call;
    if (clientCallId !== null && (await this.lockNamed(tx, { sessionId, submitter }, clientCallId)))
      throw new FakeRefusal('23505', 'tool_call_client_unique');
    this.#calls.of(tx).set(call.id, call);
  }

  find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined> {
    return Promise.resolve(this.#calls.of(tx).get(id));
  }

  findMany(tx: Tx, ids: readonly ToolCallId[]): Promise<readonly ToolCall[]> {
    return Promise.resolve(this.#all(tx).filter(({ id }) => ids.includes(id)));
  }

  lock(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined> {
    return this.find(tx, id);
  }

  lockNamed(tx: Tx, { sessionId, submitter }: NameSpace, clientCallId: string): Promise<ToolCall | undefined> {
    return Promise.resolve(
      this.#all(tx).find(
        (call) =>
          call.clientCallId === clientCallId &&
          call.sessionId === sessionId &&
          (sessionId === null
            ? call.submitter.credentialId === submitter.credentialId
            : call.submitter.id === submitter.id),
      ),
    );
  }

  lockTurn(tx: Tx, sessionId: SessionId, turnId: string | null): Promise<number> {
    const calls = this.#all(tx).filter((call) => call.sessionId === sessionId);
    const inFlight = ({ state, executor }: ToolCall): boolean =>
      state === 'pending' || state === 'executing' || (state === 'allowed' && executor !== null);
    return Promise.resolve(calls.filter((call) => (turnId === null ? inFlight(call) : call.turnId === turnId)).length);
  }

  async save(tx: Tx, call: ToolCall): Promise<void> {
    const before = await this.find(tx, call.id);
    if (before === undefined) return;
    requireTransition(TOOL_CALL_TRANSITIONS, before.state, call.state);
    this.#calls.of(tx).set(call.id, call);
  }

  list(tx: Tx, sessionId: SessionId, page: PageRequest): Promise<readonly ToolCall[]> {
    const calls = this.#all(tx).filter((call) => call.sessionId === sessionId);
    return Promise.resolve(fakePage(calls, ({ askedAt }) => askedAt, page));
  }

  lockPending(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const calls = this.#all(tx).filter((call) => call.state === 'pending' && covers(of, call));
    return Promise.resolve(calls.sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  lockLive(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const calls = this.#all(tx).filter(
      (call) => (call.state === 'allowed' || call.state === 'executing') && covers(of, call),
    );
    return Promise.resolve(calls.sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  #all(tx: Tx): ToolCall[] {
    return [...this.#calls.of(tx).values()];
  }
}

function covers(of: CallsOf, { sessionId, environment, submitter, tool }: ToolCall): boolean {
  switch (of.kind) {
    case 'session':
      return sessionId === of.sessionId;
    case 'environment':
      return environment.id === of.environmentId;
    case 'agent':
      return submitter.kind === 'agent' && submitter.id === of.agentId;
    case 'tool':
      return tool.name === of.tool;
    case 'tenant':
      return true;
  }
}
