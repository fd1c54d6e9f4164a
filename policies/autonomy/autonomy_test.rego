package countersign.autonomy_test

import data.countersign.autonomy
import data.countersign.testing_test

test_default_deny if {
	autonomy.decision.outcome == "deny" with input as {}
	autonomy.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	autonomy.decision.outcome == "deny" with input as anything
}

test_matrix_fixtures[case.name] if {
	some case in data.fixtures.matrix
	decision := autonomy.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_example_fixtures[case.name] if {
	some case in data.fixtures.example
	decision := autonomy.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_autonomy_fixtures[case.name] if {
	some case in data.fixtures.autonomy
	decision := autonomy.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_there_are_fixtures if {
	count(data.fixtures.matrix) > 0
	count(data.fixtures.example) > 0
	count(data.fixtures.autonomy) > 0
}
