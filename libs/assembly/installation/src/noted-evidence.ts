import type { NotedEvidence } from '#lib/audit';
import { carriedChange } from '#lib/change-request';
import { decisionEvidence } from '#lib/policy';

/** Evidence for the entries of a transaction: the decision of policy in it, and the change that it carries out. */
export const notedEvidence: NotedEvidence = (tx, decisionId) => {
  const decision = decisionId === undefined ? undefined : decisionEvidence(tx, decisionId);
  return [decision, carriedChange(tx)].filter((one) => one !== undefined);
};
