package countersign.review_test

import data.countersign.review
import data.countersign.testing_test

test_default_deny if {
	review.decision.outcome == "deny" with input as {}
	review.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	review.decision.outcome == "deny" with input as anything
}

test_review_fixtures[case.name] if {
	some case in data.fixtures.review
	decision := review.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_there_are_fixtures if {
	count(data.fixtures.review) > 0
}

_of_call := case.input if {
	some case in data.fixtures.review
	case.name == "a call answered in the browser"
}

test_default_deny_of_unknown_kinds[note] if {
	some note, changes in {
		"subject": [{"op": "replace", "path": "/request/subject", "value": "change"}],
		"no subject": [{"op": "remove", "path": "/request/subject"}],
		"way to act": [{"op": "replace", "path": "/reviewer/via", "value": "socket"}],
		"no way to act": [{"op": "remove", "path": "/reviewer/via"}],
	}
	decision := review.decision with input as json.patch(_of_call, changes)
	decision.outcome == "deny"
	decision.reasons[0].code == "policy.default_deny"
}

test_missing_scope[note] if {
	some note, [via, message] in {
		"token": ["token", "This credential does not hold the scope \"review\": use one that was issued with it"],
		"browser": ["browser", "User person-1 has no role, and a review takes one: an admin can assign it"],
		"slack": ["slack", "User person-1 has no role, and a review takes one: an admin can assign it"],
	}
	decision := review.decision with input as json.patch(_of_call, [
		{"op": "replace", "path": "/reviewer/id", "value": "person-1"},
		{"op": "replace", "path": "/reviewer/scopes", "value": ["read"]},
		{"op": "replace", "path": "/reviewer/via", "value": via},
	])
	[reason.message | some reason in decision.reasons; reason.code == "review.scope"] == [message]
}
