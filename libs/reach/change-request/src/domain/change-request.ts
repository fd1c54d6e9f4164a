import { PLATFORM_ADMIN, type ChangeDocument } from '#lib/formats';
import type { MfaProof } from '#lib/identity';
import {
  digestOf,
  type AskedChange,
  type ChangeRequestId,
  type CredentialId,
  type Digest,
  type PersonId,
  type ProposedChange,
} from '#lib/kernel';

/** How long a change waits for a second person. */
export const CHANGE_OPEN_MS = 72 * 3_600_000;

/** A change request, open or closed. Times are epoch milliseconds. */
export type ChangeRequest = AskedChange &
  (
    | { readonly state: 'open' }
    | { readonly state: 'applied'; readonly closedAt: number; readonly closedBy: PersonId; readonly mfa: MfaProof }
    | { readonly state: 'rejected'; readonly closedAt: number; readonly closedBy: PersonId; readonly reason: string }
    | { readonly state: 'withdrawn'; readonly closedAt: number; readonly closedBy: PersonId }
    | { readonly state: 'expired'; readonly closedAt: number }
    | { readonly state: 'voided'; readonly closedAt: number; readonly reason: string }
  );
export type OpenChange = Extract<ChangeRequest, { state: 'open' }>;
export type ClosedChange = Exclude<ChangeRequest, { state: 'open' }>;

/** The digest of a change's base and of the settings that it loosens there. If either differs, it is another change. */
export const baseDigest = ({ base, loosens }: Pick<ProposedChange, 'base' | 'loosens'>): Digest =>
  digestOf('change-base', { base, loosens: [...loosens] });

/** The change as its author asked for it. The digest is over this document, and the evidence holds it. */
export const changeDocument = (
  change: Pick<
    AskedChange,
    'id' | 'requestedBy' | 'kind' | 'subject' | 'what' | 'payload' | 'baseDigest' | 'loosens' | 'why'
  >,
): ChangeDocument => ({
  id: change.id,
  requested_by: change.requestedBy,
  kind: change.kind,
  subject: { ...change.subject },
  what: change.what,
  payload: change.payload,
  base_digest: change.baseDigest,
  loosens: [...change.loosens],
  reason: change.why,
});

/** Opens a change: fixes its digest and its expiry. */
export function openChange(
  proposed: ProposedChange,
  by: {
    readonly id: ChangeRequestId;
    readonly requestedBy: PersonId;
    readonly credentialId: CredentialId;
    readonly why: string;
  },
  beneficiaryId: PersonId | null,
  now: number,
): OpenChange {
  const { kind, subject, what, payload, loosens, detail } = proposed;
  const asked = { ...by, kind, subject, what, payload, baseDigest: baseDigest(proposed), loosens };
  return {
    ...asked,
    state: 'open',
    changeDigest: digestOf('change-request', changeDocument(asked)),
    detail,
    requiredRole: PLATFORM_ADMIN,
    beneficiaryId,
    openedAt: now,
    expiresAt: now + CHANGE_OPEN_MS,
  };
}
