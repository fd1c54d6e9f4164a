import type { PersonId, SealedRow, TenantId } from '#lib/kernel';
import type { EnrolmentChannel } from '../domain/seats.js';

/** The maker, the token and its person. The time of its use is written once, and its digest is an HMAC. */
export const sealedEnrolment = (
  tenantId: TenantId,
  row: { id: string; personId: PersonId; channel: EnrolmentChannel; createdBy: PersonId | null },
): SealedRow => ({
  table: 'enrolment',
  tenantId,
  id: row.id,
  columns: { person_id: row.personId, channel: row.channel, created_by: row.createdBy },
});

export const sealedVouch = (
  tenantId: TenantId,
  row: { id: string; personId: PersonId; vouchedBy: PersonId | null },
): SealedRow => ({
  table: 'person_vouch',
  tenantId,
  id: row.id,
  columns: { person_id: row.personId, vouched_by: row.vouchedBy },
});

/** The person behind a subject of an issuer. */
export const sealedIdentity = (
  tenantId: TenantId,
  row: { id: string; issuerId: string; subject: string; personId: PersonId },
): SealedRow => ({
  table: 'external_identity',
  tenantId,
  id: row.id,
  columns: { issuer_id: row.issuerId, subject: row.subject, person_id: row.personId },
});

/** The people who put an issuer in force, or confirmed it. */
export const sealedStanding = (
  tenantId: TenantId,
  row: { id: string; issuerId: string; how: string; personId: PersonId | null },
): SealedRow => ({
  table: 'issuer_standing',
  tenantId,
  id: row.id,
  columns: { issuer_id: row.issuerId, how: row.how, person_id: row.personId },
});
