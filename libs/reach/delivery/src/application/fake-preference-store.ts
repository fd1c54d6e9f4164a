import type { PersonId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ChannelPreferences } from '../domain/preferences.js';
import type { PreferenceStore } from './delivery.ports.js';

/** Keeps preferences in memory, by person. */
export class FakePreferenceStore implements PreferenceStore {
  readonly #rows: FakeTable<ChannelPreferences>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  of(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, ChannelPreferences>> {
    const rows = this.#rows.of(tx);
    const found = people.flatMap((id): [PersonId, ChannelPreferences][] => {
      const preferences = rows.get(id);
      return preferences === undefined ? [] : [[id, preferences]];
    });
    return Promise.resolve(new Map(found));
  }

  save(tx: Tx, personId: PersonId, preferences: ChannelPreferences): Promise<void> {
    const rows = this.#rows.of(tx);
    if (Object.keys(preferences).length > 0) rows.set(personId, { ...rows.get(personId), ...preferences });
    return Promise.resolve();
  }
}
