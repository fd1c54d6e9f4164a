import type { PersonId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import type { IncidentSettingsStore } from './incident.ports.js';

/** Keeps settings about incidents in memory. */
export class FakeIncidentSettings implements IncidentSettingsStore {
  readonly #rows: FakeTable<IncidentSettings & { readonly by: PersonId }>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  read(tx: Tx): Promise<IncidentSettings> {
    const row = this.#rows.of(tx).get('settings');
    if (row === undefined) return Promise.resolve({ destinations: {}, reviewDays: 5, pagerDuty: null });
    const { destinations, reviewDays, pagerDuty } = row;
    return Promise.resolve({ destinations, reviewDays, pagerDuty });
  }

  lock(tx: Tx): Promise<IncidentSettings> {
    return this.read(tx);
  }

  save(tx: Tx, settings: IncidentSettings, by: PersonId): Promise<void> {
    this.#rows.of(tx).set('settings', { ...settings, by });
    return Promise.resolve();
  }
}
