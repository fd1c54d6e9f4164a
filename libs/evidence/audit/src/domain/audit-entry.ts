import type { Json } from '#lib/canonical';
import type { Actor, AuditEntryId, AuditEvent, AuditLevel, EvidenceRef, SubjectRef, TenantId } from '#lib/kernel';
import { ENTRY_FORMAT, type EntryHeader } from '#lib/verifier';

/** An entry as it is handed to storage: the header's columns, and the payload with its salt. */
export interface NewEntry {
  readonly id: AuditEntryId;
  readonly event: Omit<AuditEvent, 'payload' | 'evidence'>;
  readonly evidence: readonly EvidenceRef[];
  readonly payloadDigest: Uint8Array;
  readonly salt: Uint8Array;
  /** Canonical JSON, masked. */
  readonly payloadText: string;
}

/** An entry's header as storage gives it back. */
export interface StoredEntry {
  readonly tenantId: TenantId;
  readonly id: AuditEntryId;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly level: AuditLevel;
  readonly action: string;
  readonly actor: Actor;
  readonly subject: SubjectRef;
  readonly within: readonly SubjectRef[];
  readonly decisionId: string | null;
  readonly evidence: EntryHeader['evidence'];
  readonly payloadDigest: Uint8Array;
}

/** The header of a stored entry. The verifier reads any text for its level and for the kind of its actor. */
export interface StoredHeader extends EntryHeader {
  readonly id: AuditEntryId;
  readonly level: AuditLevel;
  readonly actor: Actor;
}

/** The facts of an entry; gone once they were erased under the retention rule. */
export interface StoredPayload {
  readonly salt: Uint8Array;
  readonly payload: Json;
}

/** The header that the entry's leaf commits to. Rebuilt from columns, so the same entry always gives the same bytes. */
export function headerOf(entry: StoredEntry): StoredHeader {
  return {
    format: ENTRY_FORMAT,
    tenant_id: entry.tenantId,
    id: entry.id,
    occurred_at: new Date(entry.occurredAt).toISOString(),
    level: entry.level,
    action: entry.action,
    actor: {
      kind: entry.actor.kind,
      id: entry.actor.id,
      display_name: entry.actor.display_name,
      credential_id: entry.actor.credential_id,
      on_behalf_of: entry.actor.on_behalf_of,
    },
    subject: { type: entry.subject.type, id: entry.subject.id },
    within: entry.within.map(({ type, id }) => ({ type, id })),
    decision_id: entry.decisionId,
    evidence: entry.evidence.map(({ kind, id, digest }) => ({ kind, id, digest })),
    payload_digest: `sha256:${Buffer.from(entry.payloadDigest).toString('hex')}`,
  };
}
