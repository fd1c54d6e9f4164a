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
