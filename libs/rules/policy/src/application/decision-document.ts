import type { DecisionDocument } from '#lib/formats';
import type { Digest } from '#lib/kernel';
import type { LoggedDecision } from './decision-log.js';

/**
 * A decision as the audit log fixes it by digest. Its input is stored apart, and named by the digest of the evaluated input. If
 * secrets were masked, the digest of the stored input is named too. So a masked input cannot be changed either, and the
 * decision shows that it cannot be replayed exactly.
 *
 * @param kept the digest of the input as it is kept.
 */
export function decisionDocument(
  { entrypoint, bundleRevision, wasmDigest, inputDigest, decision, decidedAt }: LoggedDecision,
  kept: Digest,
): DecisionDocument {
  return {
    entrypoint,
    bundle_revision: bundleRevision,
    wasm_digest: wasmDigest,
    input_digest: inputDigest,
    ...(kept === inputDigest ? {} : { masked_input_digest: kept }),
    decided_at: decidedAt,
    result: decision,
  };
}
