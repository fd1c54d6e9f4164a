import type { Json } from '#lib/canonical';
import type { LoggedDecision } from './decision-log.js';

/** A decision as the audit log fixes it by digest; its input stands apart, named by a digest of its own. */
export function decisionDocument({
  entrypoint,
  bundleRevision,
  inputDigest,
  decision,
  decidedAt,
}: LoggedDecision): Json {
  return {
    entrypoint,
    bundle_revision: bundleRevision,
    input_digest: inputDigest,
    decided_at: decidedAt,
    result: decision,
  };
}
