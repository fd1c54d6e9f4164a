import type { PageRequest, SessionId, ToolCallId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { TOOL_CALL_TRANSITIONS } from '../domain/tool-call-transitions.js';
import { standing } from '../domain/call-changes.js';
import { BUDGET_WINDOW_MS, type CountedCalls, type UsedCalls } from '../domain/call-limits.js';
import { isTwin, namesOf, type ToolCall, type ToolCallFacts } from '../domain/tool-call.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';
import type { Submitter } from '#lib/task';
import type { CallRefusal, CallsOf, NameSpace, SessionCallFilter, ToolCallRepository } from './tool-call.port.js';

/** Keeps calls in memory. */
export class FakeToolCallRepository implements ToolCallRepository {
  readonly #calls: FakeTable<ToolCall>;
  readonly #unjudged: FakeTable<UnjudgedCall>;
  /** Until when a refusal is not the first of its kind. */
  readonly #refusals: FakeTable<number>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#calls = new FakeTable(database);
    this.#unjudged = new FakeTable(database);
    this.#refusals = new FakeTable(database);
  }

  async insert(tx: Tx, call: ToolCall): Promise<void> {
    requireTransition(TOOL_CALL_TRANSITIONS, '', call.state);
    if (await this.find(tx, call.id)) throw new FakeRefusal('23505', 'tool_call_pk');
    const { sessionId, submitter, clientCallId } = call;
    if (clientCallId !== null && (await this.lockNamed(tx, { sessionId, submitter }, clientCallId)))
      throw new FakeRefusal('23505', 'tool_call_client_unique');
    this.#calls.of(tx).set(call.id, call);
  }

  insertUnjudged(tx: Tx, call: UnjudgedCall): Promise<void> {
    this.#unjudged.of(tx).set(call.id, call);
    return Promise.resolve();
  }

  find(tx: Tx, id: ToolCallId): Promise<ToolCall | null> {
    return Promise.resolve(this.#calls.of(tx).get(id) ?? null);
  }

  findMany(tx: Tx, ids: readonly ToolCallId[]): Promise<readonly ToolCall[]> {
    return Promise.resolve(this.#all(tx).filter(({ id }) => ids.includes(id)));
  }

  lock(tx: Tx, id: ToolCallId): Promise<ToolCall | null> {
    return this.find(tx, id);
  }

  lockNamed(
    tx: Tx,
    { sessionId, submitter }: NameSpace,
    clientCallId: string,
  ): Promise<ToolCall | UnjudgedCall | null> {
    return Promise.resolve(
      this.#counted(tx).find(
        (call) =>
          call.clientCallId === clientCallId &&
          call.sessionId === sessionId &&
          namesOf(call.submitter, sessionId) === namesOf(submitter, sessionId),
      ) ?? null,
    );
  }

  lockTwin(tx: Tx, call: ToolCallFacts): Promise<ToolCall | null> {
    return Promise.resolve(this.#all(tx).find((other) => other.state === 'pending' && isTwin(other, call)) ?? null);
  }

  lockCounts(tx: Tx, sessionId: SessionId, turnId: string | null): Promise<CountedCalls> {
    const calls = this.#counted(tx).filter((call) => call.sessionId === sessionId);
    return Promise.resolve({
      inSession: calls.length,
      inTurn: turnId === null ? 0 : calls.filter((call) => call.turnId === turnId).length,
      inFlight: calls.filter(isInFlight).length,
    });
  }

  lockUse(tx: Tx, { id }: Pick<Submitter, 'kind' | 'id'>, turnId: string | null): Promise<UsedCalls> {
    const own = this.#counted(tx).filter(({ submitter }) => submitter.id === id);
    const recent = own.filter(({ askedAt }) => askedAt > this.database.now - BUDGET_WINDOW_MS);
    return Promise.resolve({
      inHour: recent.length,
      inTurn: recent.filter((call) => turnId !== null && call.sessionId === null && call.turnId === turnId).length,
      inFlight: own.filter((call) => call.sessionId === null && isInFlight(call)).length,
    });
  }

  askedSince(
    tx: Tx,
    { id }: Pick<Submitter, 'kind' | 'id'>,
    { since, skipped }: { readonly since: number; readonly skipped: number },
  ): Promise<number | null> {
    const times = this.#counted(tx)
      .filter(({ submitter, askedAt }) => submitter.id === id && askedAt > since)
      .map(({ askedAt }) => askedAt)
      .sort((one, other) => one - other);
    return Promise.resolve(times[skipped] ?? null);
  }

  anyInFlight(tx: Tx, sessionId: SessionId): Promise<boolean> {
    return Promise.resolve(this.#all(tx).some((call) => call.sessionId === sessionId && isInFlight(call)));
  }

  countMany(tx: Tx, sessionIds: readonly SessionId[]): Promise<ReadonlyMap<SessionId, number>> {
    const counts = new Map<SessionId, number>();
    for (const { sessionId } of this.#counted(tx))
      if (sessionId !== null && sessionIds.includes(sessionId)) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
    return Promise.resolve(counts);
  }

  firstRefusal(tx: Tx, { submitterId, about, code }: CallRefusal, forMs: number): Promise<boolean> {
    const [key, refusals] = [`${submitterId}:${about}:${code}`, this.#refusals.of(tx)];
    const until = refusals.get(key);
    if (until !== undefined && until > this.database.now) return Promise.resolve(false);
    refusals.set(key, this.database.now + forMs);
    return Promise.resolve(true);
  }

  async save(tx: Tx, call: ToolCall): Promise<void> {
    const before = await this.find(tx, call.id);
    if (before === null) return;
    requireTransition(TOOL_CALL_TRANSITIONS, before.state, call.state);
    this.#calls.of(tx).set(call.id, call);
  }

  list(
    tx: Tx,
    { sessionId, agentId, state: wanted }: SessionCallFilter,
    page: PageRequest,
  ): Promise<readonly ToolCall[]> {
    const calls = this.#all(tx).filter(
      ({ sessionId: session, submitter, state }) =>
        session === sessionId &&
        (wanted === null || state === wanted) &&
        (agentId === null || (submitter.kind === 'agent' && submitter.id === agentId)),
    );
    return Promise.resolve(fakePage(calls, ({ askedAt }) => askedAt, page));
  }

  lockPending(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const calls = this.#all(tx).filter((call) => call.state === 'pending' && covers(of, call));
    return Promise.resolve(calls.sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  lockLive(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const calls = this.#all(tx).filter((call) => {
      const { state } = standing(call, this.database.now);
      return (state === 'allowed' || state === 'executing') && covers(of, call);
    });
    return Promise.resolve(calls.sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  #all(tx: Tx): ToolCall[] {
    return [...this.#calls.of(tx).values()];
  }

  #counted(tx: Tx): (ToolCall | UnjudgedCall)[] {
    return [...this.#all(tx), ...this.#unjudged.of(tx).values()];
  }
}

const isInFlight = (call: ToolCall | UnjudgedCall): boolean =>
  'state' in call &&
  (call.state === 'pending' || call.state === 'executing' || (call.state === 'allowed' && call.executor !== null));

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
