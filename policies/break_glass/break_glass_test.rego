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

test_missing_scope_in_the_browser_and_of_a_token if {
	some case in data.fixtures.break_glass
	case.name == "a person with the role, proved, with a reason, in plan_only"
	decision := break_glass.decision with input as json.patch(case.input, [{"op": "replace", "path": "/actor/scopes", "value": ["read"]}])
	message := "Break-glass needs the scope \"review\": in the browser any role gives it, and a token must be issued with it"
	[[reason.code, reason.message] | some reason in decision.reasons] == [["review.scope", message]]
}
