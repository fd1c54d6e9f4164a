package countersign.session_change_test

import data.countersign.session_change
import data.countersign.testing_test

test_default_deny if {
	session_change.decision.outcome == "deny" with input as {}
	session_change.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	session_change.decision.outcome == "deny" with input as anything
}

test_session_change_fixtures[case.name] if {
	some case in data.fixtures.session_change
	decision := session_change.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_there_are_fixtures if {
	count(data.fixtures.session_change) > 10
}

_change(settings) := object.union(data.fixtures.session_change[0].input, {"after": settings})

test_settings_that_presets_do_not_know_are_denied[note] if {
	some note, settings in {
		"preset": {"preset": "anything", "level": "MANUAL", "mode": "always-ask"},
		"level": {"preset": "levels", "level": "LAX", "mode": "always-ask"},
		"mode": {"preset": "modes", "level": "MANUAL", "mode": "never-ask"},
	}
	decision := session_change.decision with input as _change(settings)
	decision.reasons[0].code == "policy.default_deny"
}

test_a_loosening_is_recorded_in_full if {
	some case in data.fixtures.session_change
	case.expect.codes == ["session.loosens"]
	decision := session_change.decision with input as case.input
	decision.obligations.audit_level == "full"
	contains(decision.reasons[0].message, "the session asks about")
}
