import { newId, type AuditEntryId } from '#lib/kernel';
import type { NewEntry } from '../domain/audit-entry.js';

/** An entry of a thing that was done. */
export function sampleEntry({
  event,
  ...more
}: Partial<Omit<NewEntry, 'event'>> & { event?: Partial<NewEntry['event']> } = {}): NewEntry {
  return {
    id: newId<AuditEntryId>(),
    event: {
      action: 'thing.done',
      actor: { kind: 'agent', id: newId(), display_name: 'drift-bot', credential_id: null, on_behalf_of: null },
      level: 'basic',
      subject: { type: 'thing', id: 'thing-1' },
      ...event,
    },
    evidence: [],
    payloadDigest: Buffer.alloc(32, 1),
    salt: Buffer.alloc(32, 2),
    payloadText: '{"n":1}',
    ...more,
  };
}
