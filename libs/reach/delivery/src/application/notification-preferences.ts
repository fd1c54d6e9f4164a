import {
  actorOf,
  err,
  ok,
  type AuditSink,
  type Failure,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { EVERYTHING, type ChannelPreference, type ChannelPreferences } from '../domain/preferences.js';
import type { ChannelRegistry } from './channel-registry.js';
import type { PreferenceStore } from './delivery.ports.js';

/**
 * The kinds of messages that a person gets on each channel of their own. Slack is not among them: its channels belong to
 * everybody in them. Failures: `notification_preferences.channel`.
 */
export class SetNotificationPreferences {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: PreferenceStore,
    private readonly channels: ChannelRegistry,
    private readonly audit: AuditSink,
  ) {}

  mine(by: PersonPrincipal): Promise<ChannelPreferences> {
    return this.uow.run(by.tenantId, (tx) => this.#of(tx, by));
  }

  /** Sets the channels that are named; the others stay as they are. */
  execute(by: PersonPrincipal, wanted: ChannelPreferences): Promise<Result<ChannelPreferences>> {
    const unknown = Object.keys(wanted).filter((name) => !this.channels.chosen.includes(name));
    if (unknown.length > 0) return Promise.resolve(err(noChannel(unknown, this.channels.chosen)));
    return this.uow.run(by.tenantId, async (tx) => {
      const before = await this.#of(tx, by);
      await this.store.save(tx, by.personId, wanted);
      const after = { ...before, ...wanted };
      await this.audit.record(tx, {
        action: 'notification_preferences.set',
        actor: actorOf(by),
        level: 'basic',
        subject: { type: 'person', id: by.personId },
        payload: { before, after },
      });
      return ok(after);
    });
  }

  async #of(tx: Tx, { personId }: PersonPrincipal): Promise<Record<string, ChannelPreference>> {
    const set = (await this.store.of(tx, [personId])).get(personId);
    return Object.fromEntries(this.channels.chosen.map((name) => [name, set?.[name] ?? EVERYTHING]));
  }
}

const noChannel = (unknown: readonly string[], known: readonly string[]): Failure => ({
  kind: 'unprocessable',
  code: 'notification_preferences.channel',
  message: `There are no preferences for ${unknown.join(' and ')}.`,
  action: `Set ${known.join(' or ')}.`,
  errors: unknown.map((name) => ({
    pointer: `/${name}`,
    code: 'notification_preferences.channel',
    message: `must be one of ${known.join(', ')}`,
  })),
});
