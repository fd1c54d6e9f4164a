# METADATA
# title: A plan at one of its stages
# description: |
#   ADR-009's pipeline: schema, policy, safety, HITL. In plan_only a plan may still be validated and simulated. Only the
#   request for the approval of a state change is denied.
package countersign.plan

import data.countersign.approval
import data.countersign.approvals
import data.countersign.effective
import data.countersign.facts
import data.countersign.freeze
import data.countersign.halt
import data.countersign.plan_schema
import data.countersign.safety
import data.countersign.simulation
import data.countersign.terms

_denials := plan_schema.reasons if count(plan_schema.reasons) > 0

else := safety.reasons if input.stage == "validate"

else := safety.reasons | halt.reasons if input.stage == "simulate"

else := ((terms.refusals | safety.reasons) | simulation.reasons) | halt.reasons if input.stage == "request"

else := (((((terms.refusals | safety.reasons) | simulation.reasons) | halt.reasons) | _approval) | _stricter) | freeze.reasons

_approval := approval.reasons if count(approvals.person_tools) > 0

else := set()

_stricter contains reason if {
	input.approved != null
	some what in terms.stricter
	reason := {
		"code": "approval.stricter",
		"message": terms.stricter_in_words(what),
		"rule": "countersign.terms.stricter",
	}
}

_outcome := "deny" if count(_denials) > 0

else := "require_approval" if {
	input.stage == "request"
	count(approvals.person_tools) > 0
}

else := "allow"

_what_passes := {"validate": "being validated", "simulate": "being simulated", "request": "being approved", "execute": "running"}

_reasons := _denials if _outcome == "deny"

else := terms.reasons if input.stage == "request"

else := {{
	"code": "plan.passes",
	"message": concat(" ", ["No policy prevents this plan from", _what_passes[input.stage]]),
	"rule": "countersign.plan",
}}

_complete if {
	facts.plan
	facts.freezes
	facts.simulation
	facts.approval
	input.stage in {"validate", "simulate", "request", "execute"}
	is_boolean(input.promotion)
	_terms
}

_terms if input.approved == null

_terms if facts.approved

# METADATA
# title: Decision about a plan
# description: Denies unless every stage of the pipeline passes.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule allows this plan",
		"rule": "countersign.plan",
	}],
	"obligations": {
		"approvals": [],
		"mfa": false,
		"phases": "canary",
		"audit_level": "full_with_evidence",
		"valid_minutes": 1,
	},
	"effective": {
		"mode": "plan_only",
		"source": "default",
	},
}

decision := {
	"outcome": _outcome,
	"reasons": sort(_reasons),
	"obligations": terms.obligations,
	"effective": effective.mode,
} if _complete
