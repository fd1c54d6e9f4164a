import type { PersonId, SiemCollectorId } from '#lib/kernel';

/** The members of a collector that an admin sets. */
export interface CollectorSettings {
  /** HTTPS, without credentials, query and fragment: it is shown, and kept in the audit log. */
  readonly url: string;
  /** The certificates in PEM that alone vouch for it; null for the public authorities. */
  readonly ca: string | null;
}

/** The receiver of a tenant's lines. Times are epoch milliseconds. */
export interface Collector extends CollectorSettings {
  readonly id: SiemCollectorId;
  readonly hasToken: boolean;
  /** When it last took lines; null for never. */
  readonly sentAt: number | null;
  /** The failure since then, masked; null for none. */
  readonly error: string | null;
  readonly errorAt: number | null;
  readonly createdBy: PersonId;
  readonly createdAt: number;
}

/** The loosening of a change, in words: events that leave Countersign for another receiver. */
export function loosenedCollector(before: CollectorSettings | null, after: CollectorSettings): readonly string[] {
  if (before === null) return [`the events of the audit log are sent to ${after.url}`];
  return [
    ...(after.url === before.url ? [] : [`the events of the audit log are sent to ${after.url}, not to ${before.url}`]),
    ...(after.ca === before.ca
      ? []
      : [
          `the certificate of ${after.url} is checked against ${after.ca === null ? 'the public authorities' : 'the authorities of this change only'}`,
        ]),
  ];
}
