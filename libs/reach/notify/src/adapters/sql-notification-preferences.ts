import type { NotificationPreferences } from '#lib/contracts';
import { sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { PreferenceStore } from '../application/notification-preferences.js';

interface PreferenceRow {
  readonly person_id: PersonId;
  readonly email_requests: boolean;
  readonly email_reminders: boolean;
  readonly email_comments: boolean;
  readonly push_requests: boolean;
  readonly push_reminders: boolean;
  readonly push_comments: boolean;
}

/** What people want to be told, in PostgreSQL, table notification_preference. */
export class SqlNotificationPreferences implements PreferenceStore {
  async of(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, NotificationPreferences>> {
    const rows = await sqlOf(tx).query<PreferenceRow>(
      `select person_id, email_requests, email_reminders, email_comments, push_requests, push_reminders, push_comments
         from notification_preference where tenant_id = $1 and person_id = any ($2::uuid[])`,
      [tx.tenantId, people],
    );
    return new Map(
      rows.map((row) => [
        row.person_id,
        {
          email: { requests: row.email_requests, reminders: row.email_reminders, comments: row.email_comments },
          push: { requests: row.push_requests, reminders: row.push_reminders, comments: row.push_comments },
        },
      ]),
    );
  }

  async save(tx: Tx, personId: PersonId, { email, push }: NotificationPreferences): Promise<void> {
    await sqlOf(tx).execute(
      `insert into notification_preference
         (tenant_id, person_id, email_requests, email_reminders, push_requests, push_reminders, updated_at,
          email_comments, push_comments)
       values ($1, $2, $3, $4, $5, $6, clock_timestamp(), $7, $8)
       on conflict (tenant_id, person_id) do update set
         email_requests = excluded.email_requests, email_reminders = excluded.email_reminders,
         push_requests = excluded.push_requests, push_reminders = excluded.push_reminders,
         email_comments = excluded.email_comments, push_comments = excluded.push_comments,
         updated_at = excluded.updated_at`,
      [
        tx.tenantId,
        personId,
        email.requests,
        email.reminders,
        push.requests,
        push.reminders,
        email.comments,
        push.comments,
      ],
    );
  }
}
