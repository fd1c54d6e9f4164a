import type { AuditEntryView, AuditLog } from '#lib/audit';
import type { PastEvents } from '#lib/automation';
import type { AuditEntryId, LoggedEvent } from '#lib/kernel';

/** Reads the entries of the audit log as events of the past. */
export const pastEventsOf = ({ listEntries }: Pick<AuditLog, 'listEntries'>): PastEvents => ({
  read: async (tenantId, from, before, limit) => {
    // The cast: the moment of a schedule has an id of its own, which places it among the entries.
    const after = before === null ? {} : { after: { occurredAt: before.at, id: before.id as AuditEntryId } };
    const { entries, next } = await listEntries.execute(tenantId, { from }, { limit, ...after });
    return { events: entries.map(loggedOf), next: next === null ? null : { at: next.occurredAt, id: next.id } };
  },
});

const loggedOf = ({ header, payload = null }: AuditEntryView): LoggedEvent => {
  const { id, occurred_at: at, level, action, actor, subject, within } = header;
  return { id, occurredAt: Date.parse(at), level, action, actor, subject, within, payload };
};
