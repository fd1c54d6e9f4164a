# METADATA
# title: One cell of the effective matrix
# description: The decision about a plan with this one tool in this environment, at the request for its approval.
package countersign.autonomy

import data.countersign.effective
import data.countersign.facts
import data.countersign.terms

_complete if {
	facts.tools
	facts.environment
	facts.autonomy
}

# METADATA
# title: Decision about a cell
# description: The terms of the tool alone, without simulation and plan-wide safety.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule says what this tool may do",
		"rule": "countersign.autonomy",
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
	"outcome": terms.outcome,
	"reasons": sort(terms.reasons),
	"obligations": terms.obligations,
	"effective": effective.mode,
} if _complete
