import { decisionSchema } from '#lib/formats';
import { noDecision } from './no-decision.js';

it('T23: without an answer of the policy nothing is allowed, under the strictest mode', () => {
  expect(decisionSchema.parse(noDecision('policy.no_decision'))).toEqual({
    outcome: 'deny',
    reasons: [{ code: 'policy.no_decision', message: 'The policy gave no decision', rule: 'countersign.fail_closed' }],
    obligations: { approvals: [], mfa: false, phases: 'canary', audit_level: 'full', valid_minutes: 1 },
    effective: { mode: 'plan_only', source: 'default' },
  });
});

it('a deny in place of an answer tells the detail, if there is one', () => {
  expect(noDecision('policy.invalid_input', '/plan/phases').reasons).toMatchObject([
    { message: 'The facts put to the policy do not have the shape it decides on: /plan/phases' },
  ]);
});
