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
	shell.risk(case.in.shell) == case.risk with input as case.in
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
	shell.effect({"tier": 2, "class": class}) == effect
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
	not shell.risk(null)
}

test_an_unknown_tier_has_no_risk if not shell.risk({"tier": 4, "class": "WRITE"})

_tool := {"name": "shell", "risk": "state_change_nonprod", "effect": "destructive", "simulation": "not_applicable"}

_judged(tool, verdict, production) := judged if {
	judged := shell.judged(tool, verdict) with input as {"environment": {"production": production}}
}

test_a_tool_without_a_line_stays_as_it_is if _judged(_tool, null, true) == _tool

test_a_line_that_reads_makes_its_tool_a_read if {
	reads := {"name": "shell", "risk": "read_only", "effect": "read", "simulation": "not_applicable"}
	_judged(_tool, {"tier": 1, "class": "READ_ONLY"}, true) == reads
	_judged(object.union(_tool, {"risk": "state_change_prod"}), {"tier": 1, "class": "READ_ONLY"}, true) == reads
}

test_a_change_in_production_is_simulated_whatever_the_tool_may_do_elsewhere if {
	write := {"tier": 2, "class": "WRITE"}
	_judged(_tool, write, true).simulation == "required"
	_judged(_tool, write, false).simulation == "not_applicable"

	# A tool that may go without one in production says so under the bounds of production.
	_judged(object.union(_tool, {"risk": "state_change_prod"}), write, true).simulation == "not_applicable"
}

_hitl(tool, verdict) := judged.requires_hitl if {
	judged := shell.planned(tool, verdict) with input as {"environment": {"production": false}}
}

test_a_plan_asks_a_person_about_lines_beyond_tier_1[risk] if {
	some risk, reading in {"state_change_nonprod": "never", "state_change_prod": "configurable"}
	tool := {"risk": risk, "requires_hitl": "never"}
	_hitl(tool, {"tier": 2, "class": "BUILD_TEST"}) == "always"
	_hitl(tool, {"tier": 1, "class": "READ_ONLY"}) == reading
	_hitl(tool, null) == "never"
	_hitl({"risk": "state_change_nonprod", "requires_hitl": "always"}, {"tier": 1, "class": "READ_ONLY"}) == "always"
}

_plan(call) := {
	"environment": {"production": false},
	"plan": {"phases": [{"batches": [{"calls": [object.union({"shell": null, "compensation_shell": null}, call)]}]}]},
}

test_denied_in_a_plan if {
	denied := {"tier": 3, "class": "DESTRUCTIVE"}
	_codes(_plan({"shell": denied})) == ["shell.denied"]
	_codes(_plan({"compensation_shell": denied})) == ["shell.denied"]
	_codes(_plan({"shell": {"tier": 2, "class": "ESCALATION"}})) == ["shell.denied"]
	_codes(_plan({"shell": {"tier": 2, "class": "WRITE"}})) == []
	_codes(object.union(_plan({}), {"step": {"shell": denied}})) == ["shell.denied"]
	_codes(object.union(_plan({}), {"step": {"shell": null}})) == []
}
