import type { Decision } from '#lib/formats';

/** The reasons why policy gave no valid answer. Each is a deny of its own (T23). */
export type NoDecisionCode =
  | 'policy.invalid_input'
  | 'policy.input_too_large'
  | 'policy.evaluation_failed'
  | 'policy.no_decision'
  | 'policy.malformed_decision'
  | 'policy.unknown_tool'
  | 'policy.unknown_environment'
  | 'policy.invalid_arguments';

const MESSAGES: Readonly<Record<NoDecisionCode, string>> = {
  'policy.invalid_input': 'The facts put to the policy do not have the shape it decides on',
  'policy.input_too_large': 'The facts put to the policy are larger than 256 KiB',
  'policy.evaluation_failed': 'The policy could not be evaluated',
  'policy.no_decision': 'The policy gave no decision',
  'policy.malformed_decision': 'The policy gave a decision that does not have the agreed shape',
  'policy.unknown_tool': 'The tenant has no such tool',
  'policy.unknown_environment': 'The tenant has no such environment',
  'policy.invalid_arguments': "The arguments do not fit the tool's parameters",
};

/** The deny in place of an answer that is missing or invalid: nothing is allowed, under the strictest mode. */
export function noDecision(code: NoDecisionCode, detail?: string): Decision {
  return {
    outcome: 'deny',
    reasons: [
      {
        code,
        message: detail === undefined ? MESSAGES[code] : `${MESSAGES[code]}: ${detail}`,
        rule: 'countersign.fail_closed',
      },
    ],
    obligations: { approvals: [], mfa: false, phases: 'canary', audit_level: 'full', valid_minutes: 1 },
    effective: { mode: 'plan_only', source: 'default' },
  };
}
