package countersign.shell_test

import data.countersign.shell

_input(tier, class, production) := {"shell": {"tier": tier, "class": class}, "environment": {"production": production}}

test_risk[note] if {
	some note, case in {
		"a read": {"in": _input(1, "READ_ONLY", false), "risk": "read_only"},
		"a read in production": {"in": _input(1, "READ_ONLY", true), "risk": "read_only"},
		"a write": {"in": _input(2, "WRITE", false), "risk": "state_change_nonprod"},
		"a write in production": {"in": _input(2, "WRITE", true), "risk": "state_change_prod"},
		"a secret read in production": {"in": _input(2, "READ_ONLY", true), "risk": "state_change_prod"},
		"destruction": {"in": _input(3, "DESTRUCTIVE", false), "risk": "state_change_nonprod"},
		"destruction in production": {"in": _input(3, "DESTRUCTIVE", true), "risk": "state_change_prod"},
	}
	shell.risk == case.risk with input as case.in
}

test_effect[class] if {
	some class, effect in {
		"READ_ONLY": "read",
		"BUILD_TEST": "modify",
		"WRITE": "modify",
		"NETWORK": "modify",
		"UNKNOWN": "modify",
		"DESTRUCTIVE": "destructive",
		"ESCALATION": "destructive",
	}
	shell.effect == effect with input as _input(2, class, false)
}

_codes(asked) := [reason.code | some reason in reasons] if {
	reasons := shell.reasons with input as asked
}

test_denied if {
	_codes(_input(3, "WRITE", false)) == ["shell.denied"]
	_codes(_input(1, "ESCALATION", false)) == ["shell.denied"]
	_codes(_input(3, "ESCALATION", false)) == ["shell.denied", "shell.denied"]
	_codes(_input(2, "DESTRUCTIVE", false)) == []
}

test_without_a_command_line if {
	_codes({"shell": null}) == []
	_codes({}) == []
	not shell.present with input as {"shell": null}
	not shell.present with input as {}
	not shell.risk with input as {"shell": null}
}

test_an_unknown_tier_has_no_risk if not shell.risk with input as _input(4, "WRITE", false)
