package countersign.terms_test

import data.countersign.terms
import data.countersign.testing_test

_matrix := {
	"read_only": {"plan_only": "allow", "canary_only": "allow", "full_auto": "allow"},
	"plan_only": {"plan_only": "allow", "canary_only": "allow", "full_auto": "allow"},
	"state_change_nonprod": {"plan_only": "deny", "canary_only": "allow", "full_auto": "allow"},
	"state_change_prod": {"plan_only": "deny", "canary_only": "require_approval", "full_auto": "require_approval"},
}

_audit := {
	"read_only": "basic",
	"plan_only": "detailed",
	"state_change_nonprod": "full",
	"state_change_prod": "full_with_evidence",
}

test_matrix_of_adr_009[note] if {
	some risk, row in _matrix
	some mode, outcome in row
	note := concat(" in ", [risk, mode])
	cell := testing_test.cell(risk, "staging", {
		"mode": mode,
		"environments": {"staging": {"allowed_approvers": ["any"]}},
	})
	terms.outcome == outcome with input as cell
	terms.audit_level == _audit[risk] with input as cell
}

test_audit_level_of_nothing_known if terms.audit_level == "full" with input as {}

test_says_what_became_stricter[note] if {
	some note, said in {
		"outcome": "the plan needs an approval",
		"approvals": "it asks for more approvers, or for others",
		"mfa": "approvers need a second factor",
		"phases": "only canary phases may run",
		"valid_minutes": "an approval is good for 2 hours instead of 1 day",
	}
	cell := testing_test.cell("state_change_prod", "staging", {
		"mode": "full_auto",
		"environments": {"staging": {"allowed_approvers": ["any"], "approval_valid_minutes": 120}},
	})
	words := terms.stricter_in_words(note) with input as object.union(cell, {"approved": {"obligations": {"valid_minutes": 1440}}})
	words == concat(": ", ["Policy has become stricter since the approval", said])
}

test_says_that_it_became_stricter_whatever_it_is if {
	terms.stricter_in_words("unheard of") == "Policy has become stricter since the approval"
}
