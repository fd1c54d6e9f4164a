import type { Json } from '#lib/canonical';
import type { Digest } from '#lib/kernel';
import type { LoggedDecision } from './decision-log.js';

/**
 * A decision as the audit log fixes it by digest. Its input stands apart, named by the digest of what was evaluated and,
 * only where secrets were masked before it was kept, also by that of what was kept: so a masked input cannot be changed
 * either, and the decision says that it cannot be taken again to the letter.
 *
 * @param kept the digest of the input as it is kept.
 */
export function decisionDocument(
  { entrypoint, bundleRevision, wasmDigest, inputDigest, decision, decidedAt }: LoggedDecision,
  kept: Digest,
): Json {
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
