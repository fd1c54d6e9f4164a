import type { UnitOfWork } from '#lib/kernel';
import { loadPolicyEngine } from './adapters/load-policy-engine.js';
import { createPolicy } from './create-policy.js';
import { FakeDecisionLog } from './application/fake-decision-log.js';
import type { PolicyEngine } from './application/policy-engine.js';

let engine: PolicyEngine | undefined;

/** The policies of the product, compiled once a file. */
export const compiledPolicies = (): PolicyEngine => (engine ??= loadPolicyEngine());

/** The policies of the product, with a log of decisions in memory. */
export function fakePolicy(uow: UnitOfWork) {
  const decisions = new FakeDecisionLog();
  return { ...createPolicy({ uow, engine: compiledPolicies(), decisions }), decisions };
}
