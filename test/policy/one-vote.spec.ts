import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#lib/canonical';
import { POLICY_INPUTS } from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from '#lib/policy';
import { seatCases } from '../support/seat-cases.js';

const policies = join(packageRoot(), 'policies');
const engine = loadPolicyEngine();

const { execute } = JSON.parse(readFileSync(join(policies, 'fixtures', 'execute.json'), 'utf8')) as {
  execute: { name: string; input: JsonObject & { approval: JsonObject } }[];
};

/** A start that two approvers let through, with the reviewers of the case in their place. */
function decideFor(reviewers: JsonObject[]) {
  const allowed = execute.find(({ name }) => name === 'two approvers');
  if (allowed === undefined) throw new Error('policies/fixtures/execute.json has no case "two approvers".');
  const input = { ...allowed.input, approval: { ...allowed.input.approval, reviewers } };
  return engine.evaluate('plan', POLICY_INPUTS.plan.parse(input));
}

test.each(seatCases)('policies count as the server and the verifier: $name', ({ approvers, reached }) => {
  const { decision } = decideFor(
    approvers.map(({ person, roles, delegated_by, shared_with }) => ({
      person_id: person,
      delegated_by,
      shared_with,
      roles,
      slot_roles: roles,
    })),
  );
  expect(decision.outcome).toBe(reached ? 'allow' : 'deny');
  if (!reached) expect(decision.reasons.map(({ code }) => code)).toEqual(['approval.too_few']);
});
