import type { AgentId, PersonId, Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { SubmitterStanding } from './submitter-standing.port.js';

/** Keeps the standing of agents and people in memory. */
export class FakeSubmitterStanding implements SubmitterStanding {
  readonly #disabled: FakeTable<boolean>;
  readonly #owners: FakeTable<PersonId>;

  constructor(database: FakeUnitOfWork) {
    this.#disabled = new FakeTable(database);
    this.#owners = new FakeTable(database);
  }

  /** Disables an agent or a person, or lets them act again. */
  disable(tx: Pick<Tx, 'tenantId'>, id: AgentId | PersonId, disabled = true): void {
    this.#disabled.of(tx).set(id, disabled);
  }

  own(tx: Pick<Tx, 'tenantId'>, agentId: AgentId, ownerId: PersonId): void {
    this.#owners.of(tx).set(agentId, ownerId);
  }

  isDisabled(tx: Tx, { kind, id, onBehalfOf }: Pick<Submitter, 'kind' | 'id' | 'onBehalfOf'>): Promise<boolean> {
    const all = kind === 'agent' ? [id, onBehalfOf, this.#owners.of(tx).get(id)] : [id];
    return Promise.resolve(all.some((one) => this.#disabled.of(tx).get(one ?? '') === true));
  }
}
