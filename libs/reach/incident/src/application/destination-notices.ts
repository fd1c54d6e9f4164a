import type { OutboxPayloads, Tx } from '#lib/kernel';
import type { NoticeSource, NoticeToTell } from '#lib/delivery';
import type { AlwaysNotified, DestinationCheckStore, IncidentSettingsStore } from './incident.ports.js';

/** The notice for admins that an address no longer takes messages about incidents. */
export class DestinationNotices implements NoticeSource<'incident_destination.failed'> {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly checks: Pick<DestinationCheckStore, 'all'>,
    private readonly settings: IncidentSettingsStore,
    private readonly notified: AlwaysNotified,
    private readonly publicUrl: string,
  ) {}

  /** Null if the address answers again, or no destination has it any more. */
  async read(tx: Tx, { address }: OutboxPayloads['incident_destination.failed']): Promise<NoticeToTell | null> {
    const { destinations } = await this.settings.read(tx);
    const check = (await this.checks.all(tx)).get(address);
    const names = Object.keys(destinations).filter((name) => destinations[name]?.includes(address) === true);
    if (check?.error == null || names.length === 0) return null;
    return {
      id: `${check.address}:${String(check.checkedAt)}`,
      title: `${check.address} no longer takes messages about incidents`,
      lines: [
        `It is an address of ${names.join(' and ')}.`,
        check.error,
        'Break-glass still works. Correct the address, or send another test message, under Settings, Incidents.',
      ],
      done: null,
      words: null,
      url: new URL('/settings/incidents', this.publicUrl).toString(),
      environment: null,
      people: (await this.notified.read(tx)).map(({ id }) => id),
      always: true,
      alsoTo: [],
    };
  }
}
