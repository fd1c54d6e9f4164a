import { sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { IncidentSettingsStore } from '../application/incident.ports.js';
import type { IncidentSettings } from '../domain/incident-settings.js';

interface SettingRow {
  readonly destinations: IncidentSettings['destinations'];
  readonly review_days: number;
  readonly pagerduty_secret: string | null;
  readonly pagerduty_url: string | null;
}

/** The platform's: five days, and nobody is reached. */
const DEFAULTS: IncidentSettings = { destinations: {}, reviewDays: 5, pagerDuty: null };

/** A tenant's settings about incidents in PostgreSQL, table incident_setting. */
export class PostgresIncidentSettings implements IncidentSettingsStore {
  async read(tx: Tx): Promise<IncidentSettings> {
    const [row] = await sqlOf(tx).query<SettingRow>(
      'select destinations, review_days, pagerduty_secret, pagerduty_url from incident_setting where tenant_id = $1',
      [tx.tenantId],
    );
    if (row === undefined) return DEFAULTS;
    const { destinations, review_days: reviewDays, pagerduty_secret: secret, pagerduty_url: url } = row;
    return { destinations, reviewDays, pagerDuty: secret === null || url === null ? null : { secret, url } };
  }

  async lock(tx: Tx): Promise<IncidentSettings> {
    // The tenant's row: there need not be one of the settings yet.
    await sqlOf(tx).query('select id from tenant where id = $1 for no key update', [tx.tenantId]);
    return this.read(tx);
  }

  async save(tx: Tx, settings: IncidentSettings, by: PersonId): Promise<void> {
    await sqlOf(tx).execute(
      `insert into incident_setting (tenant_id, destinations, review_days, pagerduty_secret, pagerduty_url, updated_at, updated_by)
       values ($1, $2, $3, $4, $5, clock_timestamp(), $6)
       on conflict (tenant_id) do update set destinations = excluded.destinations, review_days = excluded.review_days,
         pagerduty_secret = excluded.pagerduty_secret, pagerduty_url = excluded.pagerduty_url,
         updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
      [
        tx.tenantId,
        JSON.stringify(settings.destinations),
        settings.reviewDays,
        settings.pagerDuty?.secret ?? null,
        settings.pagerDuty?.url ?? null,
        by,
      ],
    );
  }
}
