package countersign.tool_call_test

import data.countersign.testing_test
import data.countersign.tool_call

test_default_deny if {
	tool_call.decision.outcome == "deny" with input as {}
	tool_call.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	tool_call.decision.outcome == "deny" with input as anything
}

test_tool_call_fixtures[case.name] if {
	some case in data.fixtures.tool_call
	decision := tool_call.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_there_are_fixtures if {
	count(data.fixtures.tool_call) > 0
}
