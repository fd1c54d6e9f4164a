package countersign.plan_test

import data.countersign.plan
import data.countersign.testing_test

test_default_deny if {
	plan.decision.outcome == "deny" with input as {}
	plan.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	plan.decision.outcome == "deny" with input as anything
}

test_plan_fixtures[case.name] if {
	some case in data.fixtures.plan
	decision := plan.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_execute_fixtures[case.name] if {
	some case in data.fixtures.execute
	decision := plan.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_there_are_fixtures if {
	count(data.fixtures.plan) > 0
	count(data.fixtures.execute) > 0
}
