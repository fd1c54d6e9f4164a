import type { Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationSecrets } from './automation-webhook.ports.js';

interface Kept {
  readonly secret: string;
  readonly until: number;
}

/** Keeps secrets in memory. */
export class FakeAutomationSecrets implements AutomationSecrets {
  /** Those of each automation, the newest first. */
  readonly #secrets: FakeTable<readonly Kept[]>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#secrets = new FakeTable(database);
  }

  renew(tx: Tx, id: AutomationId, secret: string, earlierUntil: number): Promise<void> {
    const earlier = this.#secrets.of(tx).get(id) ?? [];
    this.#secrets
      .of(tx)
      .set(id, [
        { secret, until: Infinity },
        ...earlier.map((one) => ({ ...one, until: Math.min(one.until, earlierUntil) })),
      ]);
    return Promise.resolve();
  }

  valid(tx: Tx, id: AutomationId): Promise<readonly string[]> {
    const good = (this.#secrets.of(tx).get(id) ?? []).filter(({ until }) => until > this.database.now);
    return Promise.resolve(good.map(({ secret }) => secret));
  }
}
