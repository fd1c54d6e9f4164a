package countersign.break_glass_test

import data.countersign.break_glass
import data.countersign.testing_test

test_default_deny if {
	break_glass.decision.outcome == "deny" with input as {}
	break_glass.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	break_glass.decision.outcome == "deny" with input as anything
}

test_break_glass_fixtures[case.name] if {
	some case in data.fixtures.break_glass
	decision := break_glass.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_there_are_fixtures if {
	count(data.fixtures.break_glass) > 0
}
