import { DATABASE_CLOCK, rowsOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import { tenantEntity } from '#lib/tenancy';
import type { IncidentSettingsStore } from '../application/incident.ports.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import { incidentSettingEntity } from './incident.entity.js';

/** The platform's defaults: a review within five days, and no destination. */
const DEFAULTS: IncidentSettings = { destinations: {}, reviewDays: 5, pagerDuty: null };

/** A tenant's settings about incidents, in PostgreSQL. */
export class TypeormIncidentSettings implements IncidentSettingsStore {
  async read(tx: Tx): Promise<IncidentSettings> {
    const row = await rowsOf(tx, incidentSettingEntity).findOne({});
    if (row === null) return DEFAULTS;
    const { destinations, reviewDays, pagerdutySecret: secret, pagerdutyUrl: url } = row;
    return { destinations, reviewDays, pagerDuty: secret === null || url === null ? null : { secret, url } };
  }

  async lock(tx: Tx): Promise<IncidentSettings> {
    // The tenant's row: a tenant may have no row of settings yet.
    await rowsOf(tx, tenantEntity).findOne({ id: tx.tenantId }, { only: ['id'], lock: 'no key update' });
    return this.read(tx);
  }

  async save(tx: Tx, { destinations, reviewDays, pagerDuty }: IncidentSettings, by: PersonId): Promise<void> {
    await rowsOf(tx, incidentSettingEntity).insertOrUpdate(
      [],
      ['destinations', 'reviewDays', 'pagerdutySecret', 'pagerdutyUrl', 'updatedAt', 'updatedBy'],
      {
        destinations,
        reviewDays,
        pagerdutySecret: pagerDuty?.secret ?? null,
        pagerdutyUrl: pagerDuty?.url ?? null,
        updatedAt: DATABASE_CLOCK,
        updatedBy: by,
      },
    );
  }
}
