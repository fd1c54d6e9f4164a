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
			"facts": {"state": "succeeded", "digest_matches": true, "age_seconds": 86401},
			"codes": {"simulation.stale"},
		},
		"fresh": {"facts": {"state": "succeeded", "digest_matches": true, "age_seconds": 0}, "codes": set()},
	}
	_codes(case.facts) == case.codes
}
