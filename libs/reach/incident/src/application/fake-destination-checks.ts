import { newId, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AddressCheck } from '../domain/destination.js';
import type { DestinationCheckStore } from './incident.ports.js';

type Row = Omit<AddressCheck, 'outdated'> & { readonly id: string; readonly changedAt: number | null };

/** Keeps test messages to addresses in memory. */
export class FakeDestinationChecks implements DestinationCheckStore {
  /** By address. */
  readonly #rows: FakeTable<Row>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  all(tx: Tx): Promise<ReadonlyMap<string, AddressCheck>> {
    const found = [...this.#rows.of(tx).values()].map(
      ({ address, checkedAt, answeredAt, error, changedAt }): [string, AddressCheck] => [
        address,
        { address, checkedAt, answeredAt, error, outdated: changedAt !== null && checkedAt < changedAt },
      ],
    );
    return Promise.resolve(new Map(found));
  }

  save(tx: Tx, check: Omit<AddressCheck, 'outdated'>): Promise<boolean> {
    const before = this.#rows.of(tx).get(check.address);
    const changedAt = before?.changedAt ?? null;
    if (changedAt !== null && changedAt > check.checkedAt) return Promise.resolve(false);
    const answeredAt = check.answeredAt ?? before?.answeredAt ?? null;
    this.#rows.of(tx).set(check.address, { id: before?.id ?? newId(), changedAt, ...check, answeredAt });
    return Promise.resolve(true);
  }

  outdate(tx: Tx, addresses: readonly string[], at: number, why: string): Promise<void> {
    const rows = this.#rows.of(tx);
    for (const row of [...rows.values()].filter(({ address }) => addresses.includes(address)))
      rows.set(row.address, { ...row, changedAt: at, error: why });
    return Promise.resolve();
  }

  keepOnly(tx: Tx, addresses: readonly string[]): Promise<void> {
    const rows = this.#rows.of(tx);
    for (const address of [...rows.keys()]) if (!addresses.includes(address)) rows.delete(address);
    return Promise.resolve();
  }

  addressOf(tx: Tx, id: string): Promise<string | null> {
    return Promise.resolve([...this.#rows.of(tx).values()].find((row) => row.id === id)?.address ?? null);
  }

  /** The id of an address's check, as the worker gets it. */
  idOf(tx: Tx, address: string): string | null {
    return this.#rows.of(tx).get(address)?.id ?? null;
  }
}
