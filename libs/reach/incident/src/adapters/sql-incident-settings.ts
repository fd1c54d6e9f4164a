import { rowsOf, sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { IncidentSettingsStore } from '../application/incident.ports.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import { incidentSettingEntity } from './incident.entity.js';

/** The platform's defaults: a review within five days, and no destination. */
const DEFAULTS: IncidentSettings = { destinations: {}, reviewDays: 5, pagerDuty: null };

/** A tenant's settings about incidents, in PostgreSQL. */
export class SqlIncidentSettings implements IncidentSettingsStore {
  async read(tx: Tx): Promise<IncidentSettings> {
    const row = await rowsOf(tx, incidentSettingEntity).findOne({});
    if (row === null) return DEFAULTS;
    const { destinations, reviewDays, pagerdutySecret: secret, pagerdutyUrl: url } = row;
    return { destinations, reviewDays, pagerDuty: secret === null || url === null ? null : { secret, url } };
  }

  async lock(tx: Tx): Promise<IncidentSettings> {
    // The tenant's row: a tenant may have no row of settings yet.
    await sqlOf(tx).query('select id from tenant where id = $1 for no key update', [tx.tenantId]);
    return this.read(tx);
  }

  async save(tx: Tx, { destinations, reviewDays, pagerDuty }: IncidentSettings, by: PersonId): Promise<void> {
    await sqlOf(tx).execute(
      `insert into incident_setting (tenant_id, destinations, review_days, pagerduty_secret, pagerduty_url, updated_at, updated_by)
       values ($1, $2, $3, $4, $5, clock_timestamp(), $6)
       on conflict (tenant_id) do update set destinations = excluded.destinations, review_days = excluded.review_days,
         pagerduty_secret = excluded.pagerduty_secret, pagerduty_url = excluded.pagerduty_url,
         updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
      [tx.tenantId, JSON.stringify(destinations), reviewDays, pagerDuty?.secret ?? null, pagerDuty?.url ?? null, by],
    );
  }
}
