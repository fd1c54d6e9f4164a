import type { AgentId, CredentialId, PersonId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AgentPeople } from './agent-people.port.js';

/** A person who answered for an agent, since a moment. */
interface Owner {
  readonly ownerId: PersonId;
  readonly since: number;
}

/** A token of an agent, with its maker. */
interface Token {
  readonly credentialId: CredentialId;
  readonly madeBy: PersonId;
  readonly madeAt: number;
  readonly usedAt: number | null;
}

/** The last use of a token is written once a minute. */
const USED_MS = 2 * 60_000;

/** Keeps the people behind agents in memory. */
export class FakeAgentPeople implements AgentPeople {
  readonly #owners: FakeTable<readonly Owner[]>;
  readonly #tokens: FakeTable<readonly Token[]>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#owners = new FakeTable(database);
    this.#tokens = new FakeTable(database);
  }

  /** This person answers for the agent from now on. */
  own(tx: Pick<Tx, 'tenantId'>, agentId: AgentId, ownerId: PersonId): void {
    const before = this.#owners.of(tx).get(agentId) ?? [];
    this.#owners.of(tx).set(agentId, [...before, { ownerId, since: this.database.now }]);
  }

  /** Adds a token of the agent. */
  add(tx: Pick<Tx, 'tenantId'>, agentId: AgentId, token: Token): void {
    this.#tokens.of(tx).set(agentId, [...(this.#tokens.of(tx).get(agentId) ?? []), token]);
  }

  behind(
    tx: Tx,
    agentId: AgentId,
    since: number,
    credentialId: CredentialId,
  ): Promise<{ readonly ownerId: PersonId; readonly answerable: readonly PersonId[] }> {
    const owners = this.#owners.of(tx).get(agentId) ?? [];
    const now = owners.at(-1);
    if (now === undefined) return Promise.reject(new Error(`the agent ${agentId} is gone`));
    const answered = owners.filter((_, index) => (owners[index + 1]?.since ?? Infinity) > since);
    const speaking = (this.#tokens.of(tx).get(agentId) ?? []).filter(
      (token) => token.credentialId === credentialId || (token.usedAt ?? -Infinity) >= since - USED_MS,
    );
    const latest = [
      ...answered.toSorted((one, other) => other.since - one.since).map(({ ownerId }) => ownerId),
      ...speaking.toSorted((one, other) => other.madeAt - one.madeAt).map(({ madeBy }) => madeBy),
    ];
    return Promise.resolve({ ownerId: now.ownerId, answerable: [...new Set(latest)] });
  }
}
