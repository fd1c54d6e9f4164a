import { DATABASE_CLOCK, rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { PreferenceStore } from '../application/delivery.ports.js';
import { preferencesOf, type ChannelPreferences } from '../domain/preferences.js';
import { notificationPreferenceEntity } from './delivery.entity.js';

const PREFERENCE = notificationPreferenceEntity.as('preference');

const preference = notificationPreferenceEntity.all;

/** Preferences in PostgreSQL, a row for each channel that a person has set. */
export class SqlNotificationPreferences implements PreferenceStore {
  async of(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, ChannelPreferences>> {
    if (people.length === 0) return new Map();
    // On the way of every delivery: TypeORM takes ten times as long to make the statement.
    const rows = await sqlOf(tx).query<RowOf<typeof notificationPreferenceEntity>>(
      `select ${preference.columns('preference')} from notification_preference preference
        where tenant_id = $1 and ${PREFERENCE.personId} = any ($2::uuid[])`,
      [tx.tenantId, people],
    );
    return preferencesOf(rows);
  }

  async save(tx: Tx, personId: PersonId, preferences: ChannelPreferences): Promise<void> {
    const table = rowsOf(tx, notificationPreferenceEntity);
    for (const [channel, preference] of Object.entries(preferences))
      await table.insertOrUpdate(['personId', 'channel'], ['requests', 'reminders', 'comments', 'updatedAt'], {
        personId,
        channel,
        ...preference,
        updatedAt: DATABASE_CLOCK,
      });
  }
}
