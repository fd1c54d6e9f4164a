import type { HaltFacts } from '#lib/policy-inputs';
import { actorOf, type HaltId, newId, type PageRequest, type Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Halt, HaltEffect, HaltScope, HaltTarget, LiftedHalt } from '../domain/halt.js';
import type { HaltRepository } from './halt.ports.js';

/** A halt that the tenant's admin sets, with an empty effect. */
export const sampleHalt = (
  tenant: SampleTenant,
  target: HaltTarget = { kind: 'tenant' },
  createdAt?: number,
): Halt => ({
  id: newId<HaltId>(),
  target,
  reason: 'Something is wrong.',
  effect: { pausedRuns: [], revokedGrants: 0, deniedCalls: [], inFlight: [] },
  createdAt: createdAt ?? Date.UTC(2026, 0, 5, 8),
  createdBy: actorOf(tenant.admin),
  lifted: null,
});

function covers(target: HaltTarget, { environmentId, agentIds, tools }: HaltScope): boolean {
  switch (target.kind) {
    case 'tenant':
      return true;
    case 'environment':
      return target.environmentId === environmentId;
    case 'agent':
      return agentIds.includes(target.agentId);
    case 'tool':
      return tools.includes(target.tool);
  }
}

/** Keeps halts in memory. */
export class FakeHaltRepository implements HaltRepository {
  readonly #halts: FakeTable<Halt>;

  constructor(database: FakeUnitOfWork) {
    this.#halts = new FakeTable(database);
  }

  active(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]> {
    const found = [...this.#halts.of(tx).values()].filter(
      ({ lifted, target }) => lifted === null && covers(target, scope),
    );
    const order = found.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    return Promise.resolve(order.map(({ id, target }) => ({ id, kind: target.kind })));
  }

  async activeByTool(tx: Tx, scope: HaltScope): Promise<ReadonlyMap<string, readonly HaltFacts[]>> {
    const byTool = new Map<string, readonly HaltFacts[]>();
    for (const tool of scope.tools) {
      const halts = await this.active(tx, { ...scope, tools: [tool] });
      if (halts.length > 0) byTool.set(tool, halts);
    }
    return byTool;
  }

  keepOff(): void {
    // One transaction at a time is open here.
  }

  activeNow(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]> {
    return this.active(tx, scope);
  }

  insert(tx: Tx, halt: Halt): Promise<void> {
    if (this.#halts.of(tx).has(halt.id)) throw new FakeRefusal('23505', 'halt_pk');
    this.#halts.of(tx).set(halt.id, halt);
    return Promise.resolve();
  }

  async saveEffect(tx: Tx, id: HaltId, effect: HaltEffect): Promise<void> {
    const halt = await this.find(tx, id);
    if (halt !== null) this.#halts.of(tx).set(id, { ...halt, effect });
  }

  find(tx: Tx, id: HaltId): Promise<Halt | null> {
    return Promise.resolve(this.#halts.of(tx).get(id) ?? null);
  }

  lock(tx: Tx, id: HaltId): Promise<Halt | null> {
    return this.find(tx, id);
  }

  async saveLifted(tx: Tx, { id, lifted }: LiftedHalt): Promise<void> {
    const halt = await this.find(tx, id);
    if (halt?.lifted === null) this.#halts.of(tx).set(id, { ...halt, lifted });
  }

  list(tx: Tx, { active, ...page }: PageRequest & { readonly active: boolean | null }): Promise<readonly Halt[]> {
    const wanted = [...this.#halts.of(tx).values()].filter(
      ({ lifted }) => active === null || (lifted === null) === active,
    );
    return Promise.resolve(fakePage(wanted, ({ createdAt }) => createdAt, page));
  }
}
