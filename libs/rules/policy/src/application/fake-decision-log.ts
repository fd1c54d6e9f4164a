import type { DecisionId, PageRequest, SubjectRef, Tx } from '#lib/kernel';
import type { DecisionLog, LoggedDecision } from './decision-log.js';
import type { PolicyBundle } from './policy-engine.js';

/** Keeps decisions in memory, by tenant. */
export class FakeDecisionLog implements DecisionLog {
  readonly #bundles = new Map<string, PolicyBundle>();
  readonly #decisions = new Map<string, LoggedDecision[]>();
  #head: string | null = null;

  record(tx: Tx, decision: LoggedDecision, bundle: PolicyBundle): Promise<void> {
    this.#bundles.set(bundle.revision, bundle);
    this.#decisions.set(tx.tenantId, [decision, ...this.#of(tx)]);
    return Promise.resolve();
  }

  find(tx: Tx, id: DecisionId): Promise<LoggedDecision | null> {
    return Promise.resolve(this.#of(tx).find((decision) => decision.id === id) ?? null);
  }

  list(tx: Tx, within: readonly SubjectRef[], page: PageRequest): Promise<readonly LoggedDecision[]> {
    const { after, limit } = page;
    const matching = this.#of(tx)
      .filter(({ about }) => within.every((thing) => about.within.some((one) => isSame(one, thing))))
      .filter((decision) => after === null || decision.id < after.id)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    return Promise.resolve(matching.slice(0, limit));
  }

  findBundle(_tx: Tx, revision: string): Promise<PolicyBundle | null> {
    return Promise.resolve(this.#bundles.get(revision) ?? null);
  }

  lockBundleHead(_tx: Tx, bundle: PolicyBundle): Promise<string> {
    this.#head ??= bundle.revision;
    return Promise.resolve(this.#head);
  }

  #of(tx: Tx): readonly LoggedDecision[] {
    return this.#decisions.get(tx.tenantId) ?? [];
  }
}

const isSame = (one: SubjectRef, other: SubjectRef): boolean => one.type === other.type && one.id === other.id;
