import type { NotificationPreferences } from '#lib/contracts';
import { actorOf, type AuditSink, type PersonId, type PersonPrincipal, type Tx, type UnitOfWork } from '#lib/kernel';

/** What a person may switch off. What came of their own requests is not among it, nor are incidents, which go to whom the tenant names. */
export type Told = keyof NotificationPreferences['email'];

/** Where what people want is kept. */
export interface PreferenceStore {
  /** Only of people who have set something. */
  of(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, NotificationPreferences>>;
  save(tx: Tx, personId: PersonId, preferences: NotificationPreferences): Promise<void>;
}

const ALL = { requests: true, reminders: true, comments: true } as const;

/** Who has set nothing is told everything. */
export const EVERYTHING: NotificationPreferences = { email: ALL, push: ALL };

/** What one wants to be told by e-mail and in one's browsers. Slack is not among it: its channels belong to all. */
export class SetNotificationPreferences {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: PreferenceStore,
    private readonly audit: AuditSink,
  ) {}

  mine(by: PersonPrincipal): Promise<NotificationPreferences> {
    return this.uow.run(by.tenantId, (tx) => this.#of(tx, by.personId));
  }

  execute(by: PersonPrincipal, wanted: NotificationPreferences): Promise<NotificationPreferences> {
    return this.uow.run(by.tenantId, async (tx) => {
      const before = await this.#of(tx, by.personId);
      await this.store.save(tx, by.personId, wanted);
      await this.audit.record(tx, {
        action: 'notification_preferences.set',
        actor: actorOf(by),
        level: 'basic',
        subject: { type: 'person', id: by.personId },
        payload: { before: { ...before }, after: { ...wanted } },
      });
      return wanted;
    });
  }

  async #of(tx: Tx, personId: PersonId): Promise<NotificationPreferences> {
    return (await this.store.of(tx, [personId])).get(personId) ?? EVERYTHING;
  }
}
