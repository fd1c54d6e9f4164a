import { type DecisionId, digestOf, newId } from '#lib/kernel';
import { noDecision } from '../domain/no-decision.js';
import type { DecisionSubject, LoggedDecision } from './decision-log.js';
import type { PolicyBundle } from './policy-engine.js';

/** A decision of this bundle, for rows that refer to one. Its content does not matter. */
export function sampleDecision(
  bundle: Pick<PolicyBundle, 'revision' | 'wasmDigest'>,
  { subject, within = [] }: Partial<DecisionSubject> = {},
): LoggedDecision {
  const input = { now: 1_790_000_000_123, targets: ['web-1'] };
  return {
    id: newId<DecisionId>(),
    entrypoint: 'plan',
    bundleRevision: bundle.revision,
    wasmDigest: bundle.wasmDigest,
    input,
    inputDigest: digestOf('policy-input', input),
    decision: noDecision('policy.no_decision'),
    decidedAt: input.now,
    about: { subject: subject ?? within.at(-1) ?? { type: 'tool_call', id: newId() }, within },
  };
}
