import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId, type AuditEntryId, type AuditLevel, type TenantId } from '#lib/kernel';
import { entryLeafHash, type EntryHeader } from '#lib/verifier';
import { headerOf } from './audit-entry.js';

const { header, leaf_hash } = JSON.parse(
  readFileSync(join('libs/foundation/verifier/src/golden', 'audit-entry.v2.json'), 'utf8'),
) as { readonly header: EntryHeader; readonly leaf_hash: string };

const stored = {
  tenantId: header.tenant_id as TenantId,
  id: header.id as AuditEntryId,
  occurredAt: Date.parse(header.occurred_at),
  level: header.level as AuditLevel,
  action: header.action,
  actor: { ...header.actor, kind: 'agent' } as const,
  subject: header.subject,
  within: header.within,
  decisionId: header.decision_id,
  evidence: header.evidence,
  payloadDigest: Buffer.from(header.payload_digest.slice('sha256:'.length), 'hex'),
};

describe('the header of a stored entry', () => {
  it('is the golden one, of which packs that people keep hold the leaf', () => {
    expect(headerOf(stored)).toEqual(header);
    expect(Buffer.from(entryLeafHash(headerOf(stored))).toString('hex')).toBe(leaf_hash);
  });

  it('holds no member that the row holds beyond the format', () => {
    const more = { ...stored, actor: { ...stored.actor, session: newId() }, subject: { ...stored.subject, note: 'x' } };
    expect(headerOf(more)).toEqual(header);
  });
});
