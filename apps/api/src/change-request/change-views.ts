import { changeDetailSchema, type ChangeRequestView } from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import type { ChangeSeen } from '#lib/change-request';
import type { NamedStanding } from '#lib/identity';
import type { JsonObject } from '#lib/canonical';
import { whyNotView } from '../http/index.js';
import { detailView } from './detail-view.js';

/** The view of a change request. */
export function changeRequestView(
  { change, requestedByName, closedByName, refusal, confirmers }: ChangeSeen,
  standings: ReadonlyMap<string, NamedStanding> = new Map(),
  warnings: readonly string[] = [],
): ChangeRequestView {
  const known = (id: string) => {
    const standing = standings.get(id);
    return standing === undefined ? {} : { known_by: standing.knownBy.map(({ words }) => words) };
  };
  const closedBy = 'closedBy' in change ? change.closedBy : null;
  return {
    id: change.id,
    kind: change.kind,
    state: change.state,
    what: change.what,
    subject: { ...change.subject },
    loosens: [...change.loosens],
    detail: changeDetailSchema.parse(detailView(change.detail)),
    // Each kind of change has an object as its payload.
    change: change.payload as JsonObject,
    change_digest: change.changeDigest,
    reason: change.why,
    requested_by: { id: change.requestedBy, display_name: requestedByName, ...known(change.requestedBy) },
    required_role: change.requiredRole,
    opened_at: toTimestamp(change.openedAt),
    expires_at: toTimestamp(change.expiresAt),
    closed_at: toTimestampOrNull('closedAt' in change ? change.closedAt : null),
    closed_by: closedBy === null ? null : { id: closedBy, display_name: closedByName ?? '' },
    closed_reason: 'reason' in change ? change.reason : null,
    mfa_method: change.state === 'applied' ? change.mfa.method : null,
    ...(warnings.length === 0 ? {} : { role_warnings: [...warnings] }),
    confirmers: confirmers.map(({ id, displayName }) => ({ id, display_name: displayName, ...known(id) })),
    you: {
      may_confirm: refusal === null,
      why_not: refusal === null ? null : whyNotView(refusal),
    },
  };
}
