package countersign.simulation_test

import data.countersign.simulation
import data.countersign.testing_test

_tool := object.union(
	testing_test.tool("execute", "state_change_nonprod"),
	{"simulated_by": "simulate", "simulation": "required"},
)

_codes(facts) := {reason.code | some reason in reasons} if {
	reasons := simulation.reasons with input as {"autonomy": null, "tool": _tool, "simulation": facts}
}

test_states[note] if {
	some note, case in {
		"missing": {"facts": null, "codes": {"simulation.required"}},
		"running": {
			"facts": {"state": "running", "digest_matches": true, "age_seconds": 0},
			"codes": {"simulation.required"},
		},
		"of another plan": {
			"facts": {"state": "succeeded", "digest_matches": false, "age_seconds": 0},
			"codes": {"simulation.required"},
		},
		"too old": {
			"facts": {"state": "succeeded", "digest_matches": true, "age_seconds": 86400},
			"codes": {"simulation.stale"},
		},
		"on record as stale": {
			"facts": {"state": "stale", "digest_matches": true, "age_seconds": 0},
			"codes": {"simulation.stale"},
		},
		"stale, and of another plan": {
			"facts": {"state": "stale", "digest_matches": false, "age_seconds": 0},
			"codes": {"simulation.required"},
		},
		"fresh": {"facts": {"state": "succeeded", "digest_matches": true, "age_seconds": 0}, "codes": set()},
	}
	_codes(case.facts) == case.codes
}

_messages(state, age_seconds) := {reason.message | some reason in reasons} if {
	facts := {"state": state, "digest_matches": true, "age_seconds": age_seconds}
	reasons := simulation.reasons with input as {"autonomy": null, "tool": _tool, "simulation": facts}
}

test_says_that_it_is_too_old_whether_or_not_that_is_on_record if {
	too_old := {"The simulation is older than 1 day: simulate again"}
	_messages("succeeded", 86400) == too_old
	_messages("stale", 86400) == too_old
}

test_says_of_one_that_is_stale_for_something_else_no_age if {
	_messages("stale", 86399) == {"The simulation no longer counts: simulate again"}
}

test_names_the_tenants_limit if {
	autonomy := {"autonomy": {"simulation_valid_minutes": 60}}
	facts := {"state": "stale", "digest_matches": true, "age_seconds": 3601}
	reasons := simulation.reasons with input as {"autonomy": autonomy, "tool": _tool, "simulation": facts}
	{reason.message | some reason in reasons} == {"The simulation is older than 1 hour: simulate again"}
}
