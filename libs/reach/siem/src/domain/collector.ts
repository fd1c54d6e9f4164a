import { z } from 'zod';
import type { Connection, ConnectionKind } from '#lib/connection';

const settings = z.object({ url: z.string(), ca: z.string().nullable() });

/** The members of a collector that an admin sets. */
export type CollectorSettings = z.infer<typeof settings>;

/** The receiver of a tenant's lines. */
export type Collector = Connection<CollectorSettings>;

export const SIEM_COLLECTOR: ConnectionKind<CollectorSettings> = {
  kind: 'siem_collector',
  family: 'siem',
  name: 'SIEM collector',
  sends: 'the events of the audit log are sent',
  settings,
  payload: z.strictObject({ id: z.string(), ...settings.shape }),
  isSame: (one, other) => one.url === other.url,
};
