package countersign.automation_test

import data.countersign.automation
import data.countersign.testing_test

test_default_deny if {
	automation.decision.outcome == "deny" with input as {}
	automation.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	automation.decision.outcome == "deny" with input as anything
}

test_automation_fixtures[case.name] if {
	some case in data.fixtures.automation
	decision := automation.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_no_answer_asks_a_person if {
	every case in data.fixtures.automation {
		decision := automation.decision with input as case.input
		decision.outcome in {"allow", "deny"}
	}
}

test_there_are_fixtures if {
	count(data.fixtures.automation) > 0
}
